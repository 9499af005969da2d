/** The two sides of a hunk, line by line, without an editor. */

import { useState } from "preact/hooks";
import { counted } from "../rules/counting";
import { type Paint, type Segment, lineRanges, segments } from "../rules/segments";
import { changedWords } from "../rules/words";
import { words } from "../state/settings";
import { Button } from "./Button";

const SHOWN_AT_FIRST = 30;

interface Props {
  old: string;
  now: string;
  oldStart: number;
  newStart: number;
  numbers?: boolean;
}

interface Line {
  sign: "−" | "+";
  number: number;
  segments: Segment[];
}

export function DiffLines({ old, now, oldStart, newStart, numbers = true }: Props) {
  const [all, setAll] = useState(false);
  const found = lines(old, now, oldStart, newStart);
  const shown = all ? found : found.slice(0, SHOWN_AT_FIRST);
  const rest = found.length - shown.length;
  return (
    <div class="diff-lines" role="group" aria-label="Lines" tabIndex={0}>
      {shown.map(line => {
        const Tag = line.sign === "+" ? "ins" : "del";
        return (
          <div class={`diff-line ${line.sign === "+" ? "added-line" : "removed-line"}`}>
            {numbers && <span class="number">{line.number}</span>}
            <span class="sign">{line.sign}</span>
            <Tag>
              {line.segments.map(segment => (
                <span class={segment.classes}>{segment.text}</span>
              ))}
            </Tag>
          </div>
        );
      })}
      {rest > 0 && <Button label={`Show ${counted(rest, "more line")}`} onClick={() => setAll(true)} />}
    </div>
  );
}

function lines(old: string, now: string, oldStart: number, newStart: number): Line[] {
  const marked = words.value ? changedWords(old, now) : { old: [], new: [] };
  const side = (text: string, first: number, sign: Line["sign"], paints: Paint[]): Line[] =>
    lineRanges(text).map(({ from, to }, index) => ({
      sign,
      number: first + index,
      segments: segments(text, from, to, paints),
    }));
  return [
    ...side(
      old,
      oldStart,
      "−",
      marked.old.map(word => ({ ...word, class: "removed-word" })),
    ),
    ...side(
      now,
      newStart,
      "+",
      marked.new.map(word => ({ ...word, class: "added-word" })),
    ),
  ];
}
