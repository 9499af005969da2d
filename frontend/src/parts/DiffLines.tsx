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
  /** Numbers of new lines that are not part of the change. */
  agreed?: readonly number[];
}

interface Line {
  sign: "−" | "+" | " ";
  number: number;
  segments: Segment[];
}

const CLASSES = { "−": "removed-line", "+": "added-line", " ": "same-line" };
const TAGS = { "−": "del", "+": "ins", " ": "span" } as const;

export function DiffLines({ old, now, oldStart, newStart, numbers = true, agreed = [] }: Props) {
  const [all, setAll] = useState(false);
  const found = lines(old, now, oldStart, newStart, agreed);
  const shown = all ? found : found.slice(0, SHOWN_AT_FIRST);
  const rest = found.length - shown.length;
  return (
    <div class="diff-lines" role="group" aria-label="Lines" tabIndex={0}>
      {shown.map(line => {
        const Tag = TAGS[line.sign];
        return (
          <div class={`diff-line ${CLASSES[line.sign]}`}>
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

function lines(
  old: string,
  now: string,
  oldStart: number,
  newStart: number,
  agreed: readonly number[],
): Line[] {
  const marked = words.value ? changedWords(old, now) : { old: [], new: [] };
  const side = (text: string, first: number, sign: "−" | "+", paints: Paint[]): Line[] =>
    lineRanges(text).map(({ from, to }, index) => {
      const number = first + index;
      const stays = sign === "+" && agreed.includes(number);
      return {
        sign: stays ? " " : sign,
        number,
        segments: segments(text, from, to, stays ? [] : paints),
      };
    });
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
