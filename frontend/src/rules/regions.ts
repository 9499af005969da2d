/**
 * Where hunks stand in the two texts. Two hunks may show the same lines (two calls changed one line): such
 * hunks share a region, so that what went is drawn once. Lines are counted from zero here, ranges half-open.
 */

import type { FileHunkDocument, HunkSummary } from "../wire/contract";
import { swaps } from "./sequences";

export interface Lines {
  from: number;
  to: number;
}

export interface Region {
  hunks: FileHunkDocument[];
  old: Lines;
  new: Lines;
  blocks: Block[];
}

/** Lines that differ. */
export interface Block {
  old: Lines;
  new: Lines;
  /** The lines of the baseline that are not there any more. */
  gone: string;
}

/** A hunk that is not in the text until it is accepted. */
export interface Proposal {
  hunk: FileHunkDocument;
  /** The lines of the live text that it would replace. */
  replaces: Lines;
}

/** What concerns the file as a whole has a row of its own, above the text. */
const WHOLE_FILE = new Set(["create", "delete", "rename", "mode", "symlink", "binary"]);

export function concernsWholeFile(hunk: { kind: string; old?: string | null; new?: string | null }): boolean {
  return WHOLE_FILE.has(hunk.kind) || hunk.new === null;
}

/** Not drawn into the text; a new file is, line by line. */
function isBesideText(hunk: FileHunkDocument): boolean {
  return hunk.kind !== "create" && concernsWholeFile(hunk);
}

export function oldLines(hunk: HunkSummary): Lines {
  return lines(hunk.old_start, hunk.old_lines);
}

export function newLines(hunk: HunkSummary): Lines {
  return lines(hunk.new_start, hunk.new_lines);
}

/** The wire counts from one, and gives for an empty side the line before. */
function lines(start: number, count: number): Lines {
  const from = count ? start - 1 : start;
  return { from, to: from + count };
}

export function overlap(a: Lines, b: Lines): boolean {
  return a.from < b.to && b.from < a.to;
}

export function span(a: Lines, b: Lines): Lines {
  return { from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) };
}

/** The pending hunks that are in the text, in its order. */
export function regions(hunks: readonly FileHunkDocument[], baseline: string, live: string): Region[] {
  const inText = hunks.filter(hunk => hunk.status === "pending" && !hunk.held && !isBesideText(hunk));
  inText.sort((a, b) => newLines(a).from - newLines(b).from || oldLines(a).from - oldLines(b).from);
  const found: Region[] = [];
  for (const hunk of inText) {
    const old = hunk.kind === "create" ? { from: 0, to: count(baseline) } : oldLines(hunk);
    const now = newLines(hunk);
    const last = found.at(-1);
    if (last && (overlap(last.old, old) || overlap(last.new, now))) {
      last.hunks.push(hunk);
      last.new = span(last.new, now);
      if (!isEmpty(old)) last.old = isEmpty(last.old) ? old : span(last.old, old);
    } else {
      found.push({ hunks: [hunk], old, new: now, blocks: [] });
    }
  }
  const texts = { old: new Lined(baseline), new: new Lined(live) };
  for (const region of found) region.blocks = blocksOf(region, texts.old, texts.new);
  return found;
}

/** What differs in a region. Lines in its middle that both texts have, such as a person's, do not. */
function blocksOf(region: Region, baseline: Lined, live: Lined): Block[] {
  const isMixed =
    region.hunks.length > 1 || region.hunks.some(hunk => hunk.modified || hunk.kind === "create");
  if (!isMixed || isEmpty(region.old) || isEmpty(region.new)) {
    return [{ old: region.old, new: region.new, gone: baseline.text(region.old) }];
  }
  return swaps(baseline.lines(region.old), live.lines(region.new)).map(change => {
    const old = { from: region.old.from + change.oldFrom, to: region.old.from + change.oldTo };
    const now = { from: region.new.from + change.newFrom, to: region.new.from + change.newTo };
    return { old, new: now, gone: baseline.text(old) };
  });
}

/** A text that is cut into lines when one of them is asked for. */
class Lined {
  private cut: string[] | null = null;

  constructor(private readonly whole: string) {}

  lines({ from, to }: Lines): string[] {
    this.cut ??= this.whole.split(/(?<=\n)/);
    return this.cut.slice(from, to);
  }

  text(range: Lines): string {
    return isEmpty(range) ? "" : this.lines(range).join("");
  }
}

function count(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") || !text ? 1 : 0);
}

function isEmpty({ from, to }: Lines): boolean {
  return from === to;
}

export function proposals(hunks: readonly FileHunkDocument[], placed: readonly Region[]): Proposal[] {
  return hunks
    .filter(hunk => hunk.status === "pending" && hunk.held && !concernsWholeFile(hunk))
    .map(hunk => {
      const old = oldLines(hunk);
      const moved = shift(placed, old.from);
      return { hunk, replaces: { from: old.from + moved, to: old.to + moved } };
    });
}

/** How many lines the text has more, above a line of the baseline, than the baseline. */
function shift(placed: readonly Region[], line: number): number {
  const above = placed.filter(region => region.old.to <= line);
  return above.reduce((sum, { old, new: now }) => sum + (now.to - now.from) - (old.to - old.from), 0);
}
