/** An overview after a decision: what is different in it, put in the place of what was there. */

import type { FileDocument, HunkEntry, OverviewDocument, OverviewPatch, TurnEntry } from "../wire/contract";

/**
 * The overview as it is now; null if it has to be asked for as a whole. The page of a file that came along has the
 * hunks of that, which are not sent twice.
 */
export function patched(
  known: OverviewDocument,
  patch: OverviewPatch,
  page: FileDocument | null = null,
): OverviewDocument | null {
  const { since, paths, files, turns, hunks, opened, ...standing } = patch;
  if (known.version !== since || (opened && page?.path !== opened)) return null;
  const touched = new Set(paths);
  const rows = new Map(files.map(file => [file.path, file]));
  const places = new Map(known.files.map((file, place) => [file.path, place]));
  const groups = new Map(turns.map(turn => [turn.id, turn]));
  const shown = new Set(known.turns.map(turn => turn.id));
  // What was not there has no place yet.
  if (files.some(file => !places.has(file.path)) || turns.some(turn => !shown.has(turn.id))) return null;
  const place = (path: string) => places.get(path) ?? 0;
  return {
    ...standing,
    files: known.files.flatMap(file => (touched.has(file.path) ? (rows.get(file.path) ?? []) : file)),
    turns: known.turns.map(turn => patchedTurn(turn, groups.get(turn.id))),
    hunks: [
      ...known.hunks.filter(hunk => !touched.has(hunk.path)),
      ...hunks,
      ...(opened && page ? listed(page) : []),
    ].sort((one, other) => place(one.path) - place(other.path)),
  };
}

const UNASKED = new Set(["person", "external"]);

/** What the list has of a page: what somebody is asked about, by its lines; on one line, in the order of a list. */
function listed(page: FileDocument): HunkEntry[] {
  const line = (hunk: HunkEntry) => hunk.place ?? hunk.new_start;
  const edit = (hunk: HunkEntry) => `${hunk.call} ${hunk.at}`;
  const edits = new Map(page.hunks.map((hunk, place) => [edit(hunk), place]));
  const order = (hunk: HunkEntry) => edits.get(edit(hunk)) ?? 0;
  return page.hunks
    .filter(hunk => hunk.status === "pending" && !UNASKED.has(hunk.actor.kind))
    .map(({ old: _old, new: _new, decisions: _decisions, ...entry }): HunkEntry => entry)
    .sort(
      (one, other) =>
        line(one) - line(other) ||
        order(one) - order(other) ||
        Number(one.id > other.id) - Number(one.id < other.id),
    );
}

function patchedTurn(known: TurnEntry, patch: TurnEntry | undefined): TurnEntry {
  if (!patch) return known;
  const calls = new Map(patch.calls.map(call => [call.id, call]));
  return { ...patch, calls: known.calls.map(call => calls.get(call.id) ?? call) };
}
