/** The tree of turns, sub-agents, calls and hunks as rows from top to bottom. */

import type {
  CallGroup,
  HunkEntry,
  LogEntry,
  OutsideEntry,
  SubagentGroup,
  TurnEntry,
} from "../wire/contract";

interface Common {
  id: string;
  depth: number;
  /** Undefined for what cannot be opened. */
  open?: boolean;
}

export type GroupRow =
  | (Common & { kind: "turn"; turn: TurnEntry })
  | (Common & { kind: "subagent"; subagent: SubagentGroup; turnId: string })
  | (Common & { kind: "call"; call: CallGroup; turnId: string })
  | (Common & { kind: "hunk"; hunk: HunkEntry })
  | (Common & { kind: "people"; title: string; edits: readonly OutsideEntry[] })
  | (Common & { kind: "edit"; edit: OutsideEntry });

export interface Grouping {
  turns: readonly TurnEntry[];
  outside: readonly OutsideEntry[];
  hunks: ReadonlyMap<string, HunkEntry>;
  /** What the person opened or closed. */
  opened: ReadonlyMap<string, boolean>;
  /** Turns that were open before; one that is being looked at is not closed by a decision. */
  shown: Set<string>;
  /** Leave out turns in which all is decided. */
  cleared: boolean;
  /** Of what people did: up to when it was cleared away. */
  clearedUntil: Readonly<Record<string, string>>;
}

export type Grouped = Pick<HunkEntry, "id" | "turn" | "subagent" | "call">;

/** Whether a hunk is what an id names, or a part of it. */
export function isIn(group: string | null, hunk: Grouped): boolean {
  return group !== null && [hunk.turn, hunk.subagent, hunk.call, hunk.id].includes(group);
}

export const OWN = "you";
export const OUTSIDE = "outside";

/** Most turns are long: at first only what runs or is undecided is open. */
function isOpenAtFirst(turn: TurnEntry, newest: boolean): boolean {
  return turn.ended === null || (newest && turn.counts.pending > 0);
}

/** Whether all is decided in a turn, and nothing more comes. */
export function isClearable(turn: TurnEntry): boolean {
  return turn.counts.pending === 0 && turn.ended !== null;
}

export function groupRows(grouping: Grouping): GroupRow[] {
  const { turns, outside, hunks, opened, shown: before, cleared, clearedUntil } = grouping;
  const found: GroupRow[] = [];
  const shown = turns.filter(turn => !cleared || !isClearable(turn));
  for (const [number, turn] of shown.entries()) {
    const open = opened.get(turn.id) ?? (before.has(turn.id) || isOpenAtFirst(turn, number === 0));
    if (open) before.add(turn.id);
    found.push({ kind: "turn", id: turn.id, depth: 0, open, turn });
    if (open) found.push(...turnRows(turn, hunks, opened));
  }
  // What people did is decided as it arrives.
  const left = cleared ? [] : outside;
  const isLeft = (edit: OutsideEntry, group: string) => edit.at > (clearedUntil[group] ?? "");
  const own = left.filter(edit => edit.actor.kind === "person" && isLeft(edit, OWN));
  const others = left.filter(edit => edit.actor.kind !== "person" && isLeft(edit, OUTSIDE));
  return [
    ...found,
    ...people(OWN, "You, in the workbench", own, opened),
    ...people(OUTSIDE, "Outside: editors and programs", others, opened),
  ];
}

/** The same; rows that say what they said before are the very ones from before: only the others are drawn anew. */
export function keptRows(before: ReadonlyMap<string, GroupRow>, grouping: Grouping): GroupRow[] {
  return groupRows(grouping).map(row => {
    const known = before.get(row.id);
    return known && isSameRow(known, row) ? known : row;
  });
}

function isSameRow(a: GroupRow, b: GroupRow): boolean {
  const names = Object.keys(a) as (keyof GroupRow)[];
  return names.length === Object.keys(b).length && names.every(name => a[name] === b[name]);
}

/** What the agent did itself, and each sub-agent where it began, with what that did. */
function turnRows(
  turn: TurnEntry,
  hunks: ReadonlyMap<string, HunkEntry>,
  opened: ReadonlyMap<string, boolean>,
): GroupRow[] {
  const found: GroupRow[] = [];
  const waiting = [...turn.subagents];
  for (const call of turn.calls.filter(one => one.subagent === null)) {
    while (waiting[0] && waiting[0].started < call.started)
      found.push(...subagentRows(waiting.shift()!, turn, hunks, opened));
    found.push(...callRows(call, turn, 1, hunks, opened));
  }
  for (const subagent of waiting) found.push(...subagentRows(subagent, turn, hunks, opened));
  return found;
}

function subagentRows(
  subagent: SubagentGroup,
  turn: TurnEntry,
  hunks: ReadonlyMap<string, HunkEntry>,
  opened: ReadonlyMap<string, boolean>,
): GroupRow[] {
  const calls = turn.calls.filter(call => call.subagent === subagent.id);
  const open = opened.get(subagent.id) ?? false;
  const row: GroupRow = {
    kind: "subagent",
    id: subagent.id,
    depth: 1,
    subagent,
    turnId: turn.id,
    ...(calls.length ? { open } : {}),
  };
  return open ? [row, ...calls.flatMap(call => callRows(call, turn, 2, hunks, opened))] : [row];
}

function callRows(
  call: CallGroup,
  turn: TurnEntry,
  depth: number,
  hunks: ReadonlyMap<string, HunkEntry>,
  opened: ReadonlyMap<string, boolean>,
): GroupRow[] {
  const pending = call.hunks.map(id => hunks.get(id)).filter(hunk => hunk !== undefined);
  const open = opened.get(call.id) ?? false;
  const row: GroupRow = {
    kind: "call",
    id: call.id,
    depth,
    call,
    turnId: turn.id,
    ...(pending.length ? { open } : {}),
  };
  if (!open) return [row];
  return [row, ...pending.map((hunk): GroupRow => ({ kind: "hunk", id: hunk.id, depth: depth + 1, hunk }))];
}

function people(
  id: string,
  title: string,
  edits: readonly OutsideEntry[],
  opened: ReadonlyMap<string, boolean>,
): GroupRow[] {
  if (!edits.length) return [];
  const open = opened.get(id) ?? false;
  const row: GroupRow = { kind: "people", id, depth: 0, open, title, edits };
  return open
    ? [row, ...edits.map((edit): GroupRow => ({ kind: "edit", id: edit.id, depth: 1, edit }))]
    : [row];
}

/**
 * Without the rows that came since the list was arranged and would push others down: those inside a group that was
 * there, above one that was there. What is new at the top moves nothing: the list scrolls with it.
 */
export function withoutNews(rows: readonly GroupRow[], known: ReadonlySet<string>): readonly GroupRow[] {
  if (rows.every(row => known.has(row.id))) return rows;
  const last = rows.findLastIndex(row => known.has(row.id));
  let isInKnown = false;
  return rows.filter((row, index) => {
    if (row.depth === 0) isInKnown = known.has(row.id);
    return known.has(row.id) || !isInKnown || row.depth === 0 || index > last;
  });
}

/** Entries of the journal with what people did between them; both newest first. */
export function withEdits(
  entries: readonly LogEntry[],
  edits: readonly OutsideEntry[],
  isWhole: boolean,
): (LogEntry | OutsideEntry)[] {
  const oldest = entries.at(-1)?.at ?? "";
  const shown = edits.filter(edit => isWhole || edit.at >= oldest);
  return [...shown, ...entries].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
}
