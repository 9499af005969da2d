/** A block of code, with the colours of its language. */

import { highlightTree } from "@lezer/highlight";
import { syntax } from "../editor/theme";
import { type Paint, lineRanges, segments } from "../rules/segments";
import { grammars } from "./grammars";

const LONGEST_WITH_SYNTAX = 20_000;

export function Code({ text, language }: { text: string; language: string }) {
  const paints = colours(text, language);
  return (
    <pre class="code-block" tabIndex={0}>
      {lineRanges(text).map(({ from, to }, at) => (
        <div class="plain-line" key={at}>
          {from === to
            ? " "
            : segments(text, from, to, paints).map(({ text: part, classes }) => (
                <span class={classes}>{part}</span>
              ))}
        </div>
      ))}
    </pre>
  );
}

function colours(text: string, language: string): Paint[] {
  const parser = language && text.length <= LONGEST_WITH_SYNTAX ? grammars()?.parserNamed(language) : null;
  const found: Paint[] = [];
  if (parser)
    highlightTree(parser.parse(text), syntax, (from, to, classes) =>
      found.push({ from, to, class: classes }),
    );
  return found;
}
