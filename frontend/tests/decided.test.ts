import assert from "node:assert/strict";
import { test } from "node:test";
import { withDecided } from "../src/rules/decided";
import type { Overview } from "../src/wire/documents";

const OVERVIEW = {
  counts: { hunks: 3, files: 2, calls: 2, turns: 1 },
  hunks: [
    { id: "h1", path: "a", call: "c1", turn: "t1" },
    { id: "h2", path: "a", call: "c1", turn: "t1" },
    { id: "h3", path: "b", call: "c2", turn: "t1" },
  ],
  files: [
    { path: "a", pending: 2, decided: 0, status: "pending" },
    { path: "b", pending: 1, decided: 1, status: "mixed" },
  ],
  turns: [
    {
      id: "t1",
      counts: { pending: 3, accepted: 1, rejected: 0 },
      calls: [
        { id: "c1", counts: { pending: 2, accepted: 0, rejected: 0 } },
        { id: "c2", counts: { pending: 1, accepted: 1, rejected: 0 } },
      ],
    },
  ],
} as unknown as Overview;

test("what was decided is counted at once, everywhere", () => {
  const now = withDecided(OVERVIEW, ["h1", "h3"], "reject");
  assert.deepEqual(now.counts, { hunks: 1, files: 1, calls: 1, turns: 1 });
  assert.deepEqual(
    now.files.map(({ pending, decided, status }) => [pending, decided, status]),
    [
      [1, 1, "mixed"],
      [0, 2, "rejected"],
    ],
  );
  assert.deepEqual(now.turns[0]?.counts, { pending: 1, accepted: 1, rejected: 2 });
  assert.deepEqual(
    now.turns[0]?.calls.map(call => call.counts),
    [
      { pending: 1, accepted: 0, rejected: 1 },
      { pending: 0, accepted: 1, rejected: 1 },
    ],
  );
});

test("what is not undecided changes nothing", () => {
  assert.equal(withDecided(OVERVIEW, ["h9"], "accept"), OVERVIEW);
});
