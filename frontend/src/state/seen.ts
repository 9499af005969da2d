/** Changes that were on this page: what was never shown is not decided without a word. */

import { signal } from "@preact/signals";
import type { HunkEntry } from "../wire/contract";

type Known = Pick<HunkEntry, "id" | "digest">;

const seen = signal<ReadonlySet<string>>(new Set());
const keyOf = ({ id, digest }: Known) => `${id}:${digest}`;

const nameOf = (project: string) => `blueline.seen.${project}`;

/** Everything below is about this project from now on. What was seen of it in this tab is still so after a reload. */
export function seenIn(project: string): void {
  const known = readSeen(project).filter(key => typeof key === "string");
  seen.value = new Set([...seen.peek(), ...known]);
  addEventListener("pagehide", () => keep(project));
}

function readSeen(project: string): unknown[] {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(nameOf(project)) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

function keep(project: string): void {
  try {
    sessionStorage.setItem(nameOf(project), JSON.stringify([...seen.peek()]));
  } catch {
    // Storage is full or forbidden: then it counts as not seen.
  }
}

export function markSeen(shown: readonly Known[]): void {
  const fresh = shown.map(keyOf).filter(key => !seen.peek().has(key));
  if (fresh.length) seen.value = new Set([...seen.peek(), ...fresh]);
}

/** The files with changes among these that were never shown. */
export function unseenFiles(hunks: readonly HunkEntry[]): string[] {
  return [...new Set(hunks.filter(hunk => !seen.value.has(keyOf(hunk))).map(hunk => hunk.path))];
}
