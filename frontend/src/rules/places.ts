/** Undecided changes that have to do with the same lines are one place: one thing to read, and one decision. */

import type { HunkSummary } from "../wire/contract";
import { type Lines, concernsWholeFile, newLines, oldLines, overlap, span } from "./regions";

type Standing = HunkSummary & { new?: string | null };

/** The hunks of one or more files, which come by path: each place in the order of its lines. */
export function places<T extends Standing>(hunks: readonly T[]): T[][] {
  const found: T[][] = [];
  for (const inFile of byPath(hunks)) {
    if (inFile.length === 1) {
      found.push(inFile);
      continue;
    }
    const made = inFile.find(hunk => hunk.kind === "create" && isText(hunk));
    const inText = inFile.filter(isInText);
    const others = inFile.filter(hunk => hunk !== made && !isInText(hunk)).map(hunk => [hunk]);
    // All that was done to a new file since is part of what is new.
    const all = [...others, ...(made ? [[made, ...inText]] : overlapping(inText))];
    const rank = new Map(inFile.map((hunk, number) => [hunk, number]));
    const first = (place: T[]) => Math.min(...place.map(hunk => rank.get(hunk) ?? 0));
    found.push(...all.sort((a, b) => first(a) - first(b)));
  }
  return found;
}

function byPath<T extends Standing>(hunks: readonly T[]): T[][] {
  const found = new Map<string, T[]>();
  for (const hunk of hunks) {
    const known = found.get(hunk.path);
    if (known) known.push(hunk);
    else found.set(hunk.path, [hunk]);
  }
  return [...found.values()];
}

function isText(hunk: Standing): boolean {
  return hunk.new !== null && hunk.cell === undefined && !hunk.held;
}

function isInText(hunk: Standing): boolean {
  return isText(hunk) && !concernsWholeFile(hunk);
}

function overlapping<T extends Standing>(inText: readonly T[]): T[][] {
  const sorted = inText.toSorted(
    (a, b) => newLines(a).from - newLines(b).from || oldLines(a).from - oldLines(b).from,
  );
  const found: { hunks: T[]; old: Lines; now: Lines }[] = [];
  for (const hunk of sorted) {
    const old = oldLines(hunk);
    const now = newLines(hunk);
    const last = found.at(-1);
    // What somebody typed into an agent's lines cuts them; they are still one thing to read.
    const goesOn =
      last?.hunks.some(one => one.call !== null && one.call === hunk.call) &&
      last.now.to === now.from &&
      last.old.to === old.from;
    if (last && (goesOn || overlap(last.old, old) || overlap(last.now, now))) {
      last.hunks.push(hunk);
      last.old = span(last.old, old);
      last.now = span(last.now, now);
    } else {
      found.push({ hunks: [hunk], old, now });
    }
  }
  return found.map(one => one.hunks);
}
