/** Changes that were on this page: what was never shown is not decided without a word. */

import { signal } from "@preact/signals";
import type { HunkEntry } from "../wire/contract";

type Known = Pick<HunkEntry, "id" | "digest">;

const seen = signal<ReadonlySet<string>>(new Set());
const keyOf = ({ id, digest }: Known) => `${id}:${digest}`;

export function markSeen(shown: readonly Known[]): void {
  const fresh = shown.map(keyOf).filter(key => !seen.peek().has(key));
  if (fresh.length) seen.value = new Set([...seen.peek(), ...fresh]);
}

/** The files with changes among these that were never shown. */
export function unseenFiles(hunks: readonly HunkEntry[]): string[] {
  return [...new Set(hunks.filter(hunk => !seen.value.has(keyOf(hunk))).map(hunk => hunk.path))];
}
