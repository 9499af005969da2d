/** The undecided hunks in the order in which they are looked at: as the files stand in the rail, then by line. */

import type { HunkEntry } from "../wire/contract";

export interface Place {
  path: string;
  line: number;
}

export function queued(hunks: readonly HunkEntry[], paths: readonly string[]): HunkEntry[] {
  const rank = new Map(paths.map((path, number) => [path, number]));
  const last = paths.length;
  // Hunks come by path, line and age; what stands at one place keeps that order.
  return hunks.toSorted((a, b) => (rank.get(a.path) ?? last) - (rank.get(b.path) ?? last));
}

/** The next hunk in a direction, from a hunk or a place; round the end. */
export function neighbour(
  queue: readonly HunkEntry[],
  from: { hunk: string | null; place: Place | null },
  step: 1 | -1,
): HunkEntry | null {
  if (!queue.length) return null;
  const at = queue.findIndex(hunk => hunk.id === from.hunk);
  if (at >= 0) return queue.at((at + step) % queue.length) ?? null;
  const { place } = from;
  if (!place) return queue.at(step > 0 ? 0 : -1) ?? null;
  const first = queue.findIndex(hunk => hunk.path === place.path);
  if (first < 0) return queue.at(step > 0 ? 0 : -1) ?? null;
  const inFile = queue.filter(hunk => hunk.path === place.path);
  const before = inFile.filter(hunk => hunk.new_start <= place.line).length;
  const index = first + (step > 0 ? before : before - 1);
  return queue.at(index % queue.length) ?? null;
}

/** The same change in more places than this is looked at once. */
export const CROWD = 500;

/** Of a change that is made in very many places, the first alone: from there all are decided, or what is left. */
export function withoutCrowds(leads: readonly HunkEntry[]): HunkEntry[] {
  const counts = new Map<string, number>();
  for (const { same } of leads) if (same) counts.set(same, (counts.get(same) ?? 0) + 1);
  const met = new Set<string>();
  return leads.filter(({ same }) => {
    if (!same || (counts.get(same) ?? 0) <= CROWD) return true;
    if (met.has(same)) return false;
    met.add(same);
    return true;
  });
}
