/** The two sides of a hunk, line by line, without an editor. */

import { useState } from "preact/hooks";
import { counted } from "../rules/counting";
import { type Paint, type Segment, lineRanges, segments } from "../rules/segments";
import { coloursOf } from "../markdown/colours";
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
  /** The file they are from: then they have its colours. */
  path?: string;
  /** Lines of the file before and after. */
  above?: readonly string[];
  below?: readonly string[];
}

interface Line {
  sign: "−" | "+" | " ";
  number: number;
  segments: Segment[];
}

const CLASSES = { "+": "added-line", "−": "removed-line", " ": "same-line" };
const TAGS = { "+": "ins", "−": "del", " ": "span" } as const;

export function DiffLines({ numbers = true, ...given }: Props) {
  const [all, setAll] = useState(false);
  const found = lines(given);
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

function lines({
  old,
  now,
  oldStart,
  newStart,
  agreed = [],
  path = "",
  above = [],
  below = [],
}: Props): Line[] {
  const marked = words.value ? changedWords(old, now) : { old: [], new: [] };
  const side = (text: string, first: number, sign: Line["sign"], paints: Paint[]): Line[] => {
    const colours = path ? coloursOf(text, path) : [];
    return lineRanges(text).map(({ from, to }, index) => {
      const number = first + index;
      const stays = sign === "+" && agreed.includes(number);
      return {
        sign: stays ? " " : sign,
        number,
        segments: segments(text, from, to, stays ? colours : [...colours, ...paints]),
      };
    });
  };
  const count = lineRanges(now).length;
  // The wire gives for an empty side the line before.
  const first = count ? newStart : newStart + 1;
  return [
    ...side(joined(above), first - above.length, " ", []),
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
    ...side(joined(below), first + count, " ", []),
  ];
}

function joined(some: readonly string[]): string {
  return some.map(line => `${line}\n`).join("");
}
