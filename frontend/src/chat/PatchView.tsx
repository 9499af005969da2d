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

interface PatchViewProps {
  diff: string;
  isPlaced: boolean;
  /** How many lines at its beginning are not what this is about. */
  skipped?: number;
}

export function PatchView({ diff, isPlaced, skipped = 0 }: PatchViewProps) {
  const [all, setAll] = useState(false);
  const hunks = patchHunks(diff);
  const above = all ? 0 : skipped;
  const below = all ? Infinity : above + SHOWN_AT_FIRST;
  let begin = 0;
  const shown = hunks.map(lines => {
    const part = lines.slice(Math.max(above - begin, 0), Math.max(below - begin, 0));
    begin += lines.length;
    return part;
  });
  const rest = begin - above - shown.flat().length;
  return (
    <div class="diff-lines" role="group" aria-label="Lines" tabIndex={0}>
      {above > 0 && <Button label={`Show ${counted(above, "line")} above`} onClick={() => setAll(true)} />}
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
