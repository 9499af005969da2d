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
  const known = looked.value[path];
  return known !== undefined && known === sealOf(path, hunks);
}

export function setViewed(path: string, hunks: readonly HunkEntry[], viewed: boolean): void {
  const { [path]: _, ...others } = looked.peek();
  const now = viewed ? { ...others, [path]: sealOf(path, hunks) } : others;
  everywhere.value = { ...everywhere.peek(), [project.peek()]: now };
}

/** The files with changes that were not there when they were looked through. */
export function changedSinceViewed(hunks: readonly HunkEntry[]): string[] {
  const known = new Map(Object.entries(looked.value).map(([path, seen]) => [path, new Set(seen.split(" "))]));
  const isNew = ({ path, id, digest }: HunkEntry) => known.get(path)?.has(`${id}:${digest}`) === false;
  return known.size ? [...new Set(hunks.filter(isNew).map(({ path }) => path))] : [];
}
