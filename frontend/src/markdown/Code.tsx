/** A block of code, with the colours of its language. */

import { lineRanges, segments } from "../rules/segments";
import { coloursNamed } from "./colours";

export function Code({ text, language }: { text: string; language: string }) {
  const paints = coloursNamed(text, language);
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
