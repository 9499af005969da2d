/** Lines of the wire (from one or zero) as positions in a CodeMirror document. */

import type { Text } from "@codemirror/state";
import type { Lines } from "../rules/regions";
import type { FilePage } from "../wire/client";

/** Where a line begins, counted from zero; the end of the text for any line after the last. */
export function startOf(doc: Text, line: number): number {
  return line < doc.lines ? doc.line(line + 1).from : doc.length;
}

/** From the beginning of the first line to the end of the last one, without its line end. */
export function extentOf(doc: Text, lines: Lines): { from: number; to: number } {
  const from = startOf(doc, lines.from);
  return { from, to: lines.to > lines.from ? doc.line(Math.min(lines.to, doc.lines)).to : from };
}

/** The line ends of a text: one kind throughout, or lone characters that must stay visible and unchanged. */
export function lineSeparator(text: string): "\r\n" | "\n" {
  const ends = text.match(/\n/g)?.length ?? 0;
  const pairs = text.match(/\r\n/g)?.length ?? 0;
  const returns = text.match(/\r/g)?.length ?? 0;
  return pairs > 0 && pairs === ends && pairs === returns ? "\r\n" : "\n";
}

/** A page as the document has it: with one character for each line end. */
export function withLineEnds(page: FilePage, separator: "\r\n" | "\n"): FilePage {
  if (separator === "\n") return page;
  const flat = (text: string | null) => text?.replaceAll("\r\n", "\n") ?? null;
  return {
    ...page,
    baseline: flat(page.baseline),
    live: flat(page.live),
    hunks: page.hunks.map(hunk => ({ ...hunk, old: flat(hunk.old), new: flat(hunk.new) })),
  };
}
