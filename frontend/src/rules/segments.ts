/** A line of text cut where its paint changes: colours of syntax, changed words, characters that do not print. */

import { grouped } from "./counting";
import { pieces } from "./visible";

export interface Paint {
  from: number;
  to: number;
  class: string;
}

export interface Segment {
  text: string;
  classes: string;
}

/** Of longer lines only this much is drawn. */
export const LONGEST_LINE = 2000;

/** The part of a text from one position to another, in segments. Paints may overlap. */
export function segments(text: string, from: number, to: number, paints: readonly Paint[]): Segment[] {
  const end = Math.min(to, from + LONGEST_LINE);
  const here = paints.filter(paint => paint.from < end && paint.to > from);
  const cuts = new Set([from, end]);
  for (const paint of here) {
    cuts.add(Math.max(paint.from, from));
    cuts.add(Math.min(paint.to, end));
  }
  const places = [...cuts].sort((a, b) => a - b);
  const found: Segment[] = [];
  for (const [number, start] of places.entries()) {
    const stop = places[number + 1];
    if (stop === undefined || stop === start) continue;
    const classes = here.filter(paint => paint.from <= start && paint.to >= stop).map(paint => paint.class);
    for (const piece of pieces(text.slice(start, stop), { tabs: true })) {
      found.push({ text: piece.text, classes: [...classes, ...(piece.hidden ? ["unseen"] : [])].join(" ") });
    }
  }
  if (to > end) found.push({ text: ` … ${grouped(to - end)} more characters`, classes: "more" });
  return found;
}

/** Where the lines of a text begin and end, without their line ends. */
export function lineRanges(text: string): { from: number; to: number }[] {
  const found = [];
  let from = 0;
  while (from < text.length) {
    const end = text.indexOf("\n", from);
    const to = end < 0 ? text.length : end;
    found.push({ from, to: text[to - 1] === "\r" && end >= 0 ? to - 1 : to });
    from = to + 1;
  }
  return found;
}
