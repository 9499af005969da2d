/** Which words differ between the two sides of a region. */

import { swaps } from "./sequences";

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
/** Where less than this is common, marks on words only make noise. */
const LEAST_COMMON = 0.35;

export function changedWords(old: string, now: string): Words {
  if (!old || !now || old.length > LONGEST || now.length > LONGEST) return NO_WORDS;
  const [gone, come] = [words(old), words(now)];
  const [oldStarts, newStarts] = [starts(gone), starts(come)];
  const found: Words = { old: [], new: [] };
  for (const { oldFrom, oldTo, newFrom, newTo } of swaps(gone, come)) {
    join(found.old, old, { from: oldStarts[oldFrom] ?? 0, to: oldStarts[oldTo] ?? 0 });
    join(found.new, now, { from: newStarts[newFrom] ?? 0, to: newStarts[newTo] ?? 0 });
  }
  const common = Math.max(1 - length(found.old) / old.length, 1 - length(found.new) / now.length);
  if (common < LEAST_COMMON) return NO_WORDS;
  return { old: withoutWholeLines(old, found.old), new: withoutWholeLines(now, found.new) };
}

/** Words, stretches of blanks, and all other characters one by one. */
function words(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|[^\S\n]+|[^]/gu) ?? [];
}

/** Where each part begins, and where the last one ends. */
function starts(parts: readonly string[]): number[] {
  const found = [0];
  for (const part of parts) found.push((found.at(-1) ?? 0) + part.length);
  return found;
}

/** Changed words with nothing but blanks between them are one mark. */
function join(ranges: WordRange[], text: string, range: WordRange): void {
  if (range.from === range.to) return;
  const last = ranges.at(-1);
  if (last && !text.slice(last.to, range.from).trim()) last.to = range.to;
  else ranges.push(range);
}

function length(ranges: readonly WordRange[]): number {
  return ranges.reduce((sum, { from, to }) => sum + to - from, 0);
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
