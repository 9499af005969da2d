/** Files that the person has looked through. That is not a decision: it only says what was seen. */

import { computed, signal } from "@preact/signals";
import type { HunkEntry } from "../wire/contract";
import { stored } from "./stored";

/** By project and path, what of the file was undecided when it was looked through. */
const everywhere = stored<Record<string, Record<string, string>>>("viewed", {});
const project = signal("");

const looked = computed(() => everywhere.value[project.value] ?? {});

/** Everything below is about this project from now on. */
export function viewIn(id: string): void {
  project.value = id;
}

function seal(hunks: readonly HunkEntry[]): string {
  return hunks.map(hunk => `${hunk.id}:${hunk.digest}`).join(" ");
}

function sealOf(path: string, hunks: readonly HunkEntry[]): string {
  return seal(hunks.filter(hunk => hunk.path === path));
}

/** Whether a file was looked through, and is still as it was then. */
export function isViewed(path: string, hunks: readonly HunkEntry[]): boolean {
  return looked.value[path] === sealOf(path, hunks);
}

export function setViewed(path: string, hunks: readonly HunkEntry[], viewed: boolean): void {
  const { [path]: _, ...others } = looked.peek();
  const now = viewed ? { ...others, [path]: sealOf(path, hunks) } : others;
  everywhere.value = { ...everywhere.peek(), [project.peek()]: now };
}

/** Tells of a path whether there are changes that were not there when it was looked through. */
export function changedSinceViewed(hunks: readonly HunkEntry[]): (path: string) => boolean {
  const known = looked.value;
  const now = new Map<string, HunkEntry[]>();
  for (const hunk of hunks) {
    if (hunk.path in known) now.set(hunk.path, [...(now.get(hunk.path) ?? []), hunk]);
  }
  return path => {
    const before = known[path];
    if (before === undefined) return false;
    const seen = new Set(before.split(" "));
    return (now.get(path) ?? []).some(hunk => !seen.has(`${hunk.id}:${hunk.digest}`));
  };
}
