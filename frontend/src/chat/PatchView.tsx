/** A diff that an agent asks about: the lines that change, those around them, and where they stand. */

import { useState } from "preact/hooks";
import { Button } from "../parts/Button";
import { counted } from "../rules/counting";
import { type PatchLine, patchHunks } from "../rules/patch";
import { segments } from "../rules/segments";

const SHOWN_AT_FIRST = 30;
const CLASSES = { " ": "same-line", "-": "removed-line", "+": "added-line" };
const SIGNS = { " ": " ", "-": "−", "+": "+" };
const TAGS = { " ": "span", "-": "del", "+": "ins" } as const;

export function PatchView({ diff, isPlaced }: { diff: string; isPlaced: boolean }) {
  const [all, setAll] = useState(false);
  const hunks = patchHunks(diff);
  let left = all ? Infinity : SHOWN_AT_FIRST;
  const shown = hunks.map(lines => {
    const part = lines.slice(0, Math.max(left, 0));
    left -= part.length;
    return part;
  });
  const rest = hunks.flat().length - shown.flat().length;
  return (
    <div class="diff-lines" role="group" aria-label="Lines" tabIndex={0}>
      {shown.map((lines, at) => (
        <div class="patch-hunk" key={at}>
          {lines.map(line => (
            <Line key={`${line.sign}${line.number}`} line={line} isPlaced={isPlaced} />
          ))}
        </div>
      ))}
      {rest > 0 && <Button label={`Show ${counted(rest, "more line")}`} onClick={() => setAll(true)} />}
    </div>
  );
}

function Line({ line, isPlaced }: { line: PatchLine; isPlaced: boolean }) {
  const Tag = TAGS[line.sign];
  return (
    <div class={`diff-line ${CLASSES[line.sign]}`}>
      {isPlaced && <span class="number">{line.number}</span>}
      <span class="sign">{SIGNS[line.sign]}</span>
      <Tag>
        {segments(line.text, 0, line.text.length, []).map(segment => (
          <span class={segment.classes}>{segment.text}</span>
        ))}
      </Tag>
    </div>
  );
}
