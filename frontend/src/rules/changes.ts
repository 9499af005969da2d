/** From one text to another in small steps, so that cursors, folds and typing in between keep their place. */

import { diff } from "@codemirror/merge";
import { ChangeSet, type ChangeSpec, Text } from "@codemirror/state";
import { type Swap, swaps } from "./sequences";

/** Blocks of changed lines up to this length are compared letter by letter. */
const CLOSELY = 4000;
const SCAN_LIMIT = 2000;
/** The changes that make `now` of `before`. */
export function changesBetween(before: Text, now: Text): ChangeSet {
  if (before.eq(now)) return ChangeSet.empty(before.length);
  const specs = swaps([...before.iterLines()], [...now.iterLines()]).flatMap(change =>
    letters(before, now, change),
  );
  return ChangeSet.of(specs, before.length);
}

function letters(before: Text, now: Text, change: Swap): ChangeSpec[] {
  let from = lineStart(before, change.oldFrom);
  let newFrom = lineStart(now, change.newFrom);
  // Lines come or go after the last one: then the line end before them does so too.
  if (from > before.length || newFrom > now.length) [from, newFrom] = [from - 1, newFrom - 1];
  // What reaches the end of one text reaches that of the other.
  const to = Math.min(lineStart(before, change.oldTo), before.length);
  const insert = now.slice(newFrom, Math.min(lineStart(now, change.newTo), now.length));
  if (to - from > CLOSELY || insert.length > CLOSELY) return [{ from, to, insert }];
  const old = before.sliceString(from, to);
  const current = insert.toString();
  return diff(old, current, { scanLimit: SCAN_LIMIT }).map(({ fromA, toA, fromB, toB }) => ({
    from: from + fromA,
    to: from + toA,
    insert: Text.of(current.slice(fromB, toB).split("\n")),
  }));
}

/** Where a line begins, from zero; for the line after the last, one past the end. */
function lineStart(text: Text, line: number): number {
  return line < text.lines ? text.line(line + 1).from : text.length + 1;
}
