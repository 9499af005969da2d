/** Which words differ between the two sides of a region. */

import { presentableDiff } from "@codemirror/merge";

export interface WordRange {
  from: number;
  to: number;
}

export interface Words {
  old: WordRange[];
  new: WordRange[];
}

export const NO_WORDS: Words = { old: [], new: [] };

const LONGEST = 20_000;
const SCAN_LIMIT = 500;
/** Where less than this is common, marks on words only make noise. */
const LEAST_COMMON = 0.35;

export function changedWords(old: string, now: string): Words {
  if (!old || !now || old.length > LONGEST || now.length > LONGEST) return NO_WORDS;
  const changes = presentableDiff(old, now, { scanLimit: SCAN_LIMIT });
  const found: Words = { old: [], new: [] };
  let gone = 0;
  let come = 0;
  for (const { fromA, toA, fromB, toB } of changes) {
    if (toA > fromA) found.old.push({ from: fromA, to: toA });
    if (toB > fromB) found.new.push({ from: fromB, to: toB });
    gone += toA - fromA;
    come += toB - fromB;
  }
  found.old = withoutWholeLines(old, found.old);
  found.new = withoutWholeLines(now, found.new);
  const common = Math.max((old.length - gone) / old.length, (now.length - come) / now.length);
  return common < LEAST_COMMON ? NO_WORDS : found;
}

/** Marks on all of a line say no more than the colour of the line. */
function withoutWholeLines(text: string, ranges: readonly WordRange[]): WordRange[] {
  const byLine = ranges.flatMap(range => inLines(text, range));
  return byLine.filter(({ from, to }) => {
    const line = { from: text.lastIndexOf("\n", from - 1) + 1, to: lineEnd(text, from) };
    return text.slice(line.from, from).trim() !== "" || text.slice(to, line.to).trim() !== "";
  });
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

/** A range that goes over several lines as one for each of them. */
function inLines(text: string, { from, to }: WordRange): WordRange[] {
  const found: WordRange[] = [];
  for (let start = from; start < to;) {
    const stop = Math.min(lineEnd(text, start), to);
    if (stop > start) found.push({ from: start, to: stop });
    start = stop + 1;
  }
  return found;
}
