import assert from "node:assert/strict";
import { test } from "node:test";
import { type GroupRow, groupRows, isIn, keptRows, withoutNews } from "../src/rules/groups";
import type { CallGroup, HunkEntry, SubagentGroup, TurnEntry } from "../src/wire/contract";

const counts = { pending: 1, accepted: 0, rejected: 0 };
const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;

function call(id: string, subagent: string | null, second: number): CallGroup {
  return { id, subagent, started: at(second), hunks: [`h-${id}`], counts } as CallGroup;
}

function subagent(id: string, second: number): SubagentGroup {
  return { id, turn: "t1", started: at(second), counts, hunks: [] as string[] } as SubagentGroup;
}

const turn = {
  id: "t1",
  ended: null,
  counts,
  calls: [call("c1", null, 1), call("c2", "a1", 3), call("c3", null, 4), call("c4", "a2", 6)],
  subagents: [subagent("a1", 2), subagent("a2", 5)],
} as TurnEntry;

const hunk = { id: "h-c2", call: "c2", subagent: "a1", turn: "t1" } as HunkEntry;

function drawn(opened: Record<string, boolean> = {}): string[] {
  const rows = groupRows({
    turns: [turn],
    outside: [],
    hunks: new Map([[hunk.id, hunk]]),
    opened: new Map(Object.entries(opened)),
    shown: new Set(),
    cleared: false,
  });
  return rows.map(row => "  ".repeat(row.depth) + row.id);
}

test("sub-agents stand in their turn where they began, closed at first", () => {
  assert.deepEqual(drawn(), ["t1", "  c1", "  a1", "  c3", "  a2"]);
});

test("a sub-agent that is opened has its calls, and they their changes", () => {
  assert.deepEqual(drawn({ a1: true, c2: true }), [
    "t1",
    "  c1",
    "  a1",
    "    c2",
    "      h-c2",
    "  c3",
    "  a2",
  ]);
});

test("a row that says what it said before is the very same", () => {
  const grouping = (turns: TurnEntry[]) => ({
    turns,
    outside: [],
    hunks: new Map([[hunk.id, hunk]]),
    opened: new Map<string, boolean>(),
    shown: new Set<string>(),
    cleared: false,
    clearedUntil: {},
  });
  const before = new Map(groupRows(grouping([turn])).map(row => [row.id, row]));
  const decided = { ...call("c3", null, 4), counts: { pending: 0, accepted: 1, rejected: 0 } };
  const calls = turn.calls.map(one => (one.id === "c3" ? decided : one));
  const now = keptRows(before, grouping([{ ...turn, calls }]));
  assert.deepEqual(
    now.filter(row => row !== before.get(row.id)).map(row => row.id),
    ["t1", "c3"],
  );
});

test("a change is in its turn, its sub-agent, its call and itself", () => {
  for (const group of ["t1", "a1", "c2", "h-c2"]) assert.equal(isIn(group, hunk), true);
  for (const group of ["t2", "a2", "c1", null]) assert.equal(isIn(group, hunk), false);
});

test("what is new inside a group is held back while it would push others down", () => {
  const row = (name: string) => ({ id: name.trim(), depth: name.search(/\S/) }) as GroupRow;
  const shown = (names: string[], known: string[]) =>
    withoutNews(names.map(row), new Set(known)).map(({ id }) => id);
  assert.deepEqual(shown(["t2", " c3", " c4", "t1", " c1"], ["t2", "c3", "t1"]), ["t2", "c3", "t1", "c1"]);
  // New at the top, where the list scrolls with it, or at the end.
  assert.deepEqual(shown(["t3", " c5", "t2", " c3"], ["t2"]), ["t3", "c5", "t2", "c3"]);
});
