/** The overview as it will be, known as soon as a decision is answered. The server's own follows. */

import type { HunkEntry, Overview, Tally, Verdict } from "../wire/documents";

export function withDecided(overview: Overview, ids: readonly string[], verdict: Verdict): Overview {
  const decided = new Set(ids);
  const gone = overview.hunks.filter(hunk => decided.has(hunk.id));
  if (!gone.length) return overview;
  const hunks = overview.hunks.filter(hunk => !decided.has(hunk.id));
  const distinct = (key: "path" | "call" | "turn") => new Set(hunks.map(hunk => hunk[key])).size;
  const files = counts(gone, hunk => hunk.path);
  const calls = counts(gone, hunk => hunk.call);
  const turns = counts(gone, hunk => hunk.turn);
  return {
    ...overview,
    hunks,
    counts: {
      hunks: hunks.length,
      files: distinct("path"),
      calls: distinct("call"),
      turns: distinct("turn"),
    },
    files: overview.files.map(file => {
      const count = files.get(file.path) ?? 0;
      if (!count) return file;
      const pending = file.pending - count;
      return { ...file, pending, decided: file.decided + count, status: pending ? "mixed" : `${verdict}ed` };
    }),
    turns: overview.turns.map(turn =>
      turns.has(turn.id)
        ? {
            ...turn,
            counts: moved(turn.counts, turns.get(turn.id), verdict),
            calls: turn.calls.map(call => ({
              ...call,
              counts: moved(call.counts, calls.get(call.id), verdict),
            })),
          }
        : turn,
    ),
  };
}

function counts(hunks: readonly HunkEntry[], keyOf: (hunk: HunkEntry) => string | null): Map<string, number> {
  const found = new Map<string, number>();
  for (const hunk of hunks) found.set(keyOf(hunk) ?? "", (found.get(keyOf(hunk) ?? "") ?? 0) + 1);
  return found;
}

function moved(tally: Tally, count: number | undefined, verdict: Verdict): Tally {
  if (!count) return tally;
  const name = verdict === "accept" ? "accepted" : "rejected";
  return { ...tally, pending: tally.pending - count, [name]: tally[name] + count };
}
