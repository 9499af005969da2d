import assert from "node:assert/strict";
import { test } from "node:test";
import { proposals, regions } from "../src/rules/regions";
import type { FileHunkDocument } from "../src/wire/contract";

const PLAIN: FileHunkDocument = {
  id: "h1",
  digest: "",
  path: "a",
  kind: "modify",
  status: "pending",
  turn: "t1",
  call: "c1",
  tool: "Edit",
  actor: { kind: "agent", name: "" },
  old_start: 0,
  old_lines: 0,
  new_start: 0,
  new_lines: 0,
  builds_on: [],
  built_on_by: [],
  complete: true,
  at: "",
  held: false,
  shared_with: [],
  modified: false,
  endings: false,
  old: "",
  new: "",
  decisions: [],
};

/** Old lines from:count, new lines from:count, as they come over the wire. */
function hunk(old: string, now: string, more: Partial<FileHunkDocument> = {}): FileHunkDocument {
  const [old_start = 0, old_lines = 0] = old.split(":").map(Number);
  const [new_start = 0, new_lines = 0] = now.split(":").map(Number);
  return { ...PLAIN, old_start, old_lines, new_start, new_lines, ...more };
}

test("a replaced line, an inserted one, a deleted one", () => {
  const baseline = "1\n2\n3\n4\n5\n";
  const live = "1\nTWO\n3\nnew\n4\n";
  const found = regions([hunk("2:1", "2:1"), hunk("3:0", "4:1"), hunk("5:1", "5:0")], baseline, live);
  assert.deepEqual(
    found.map(({ blocks }) => blocks),
    [
      [{ old: { from: 1, to: 2 }, new: { from: 1, to: 2 }, gone: "2\n" }],
      [{ old: { from: 3, to: 3 }, new: { from: 3, to: 4 }, gone: "" }],
      [{ old: { from: 4, to: 5 }, new: { from: 5, to: 5 }, gone: "5\n" }],
    ],
  );
});

test("two hunks on the same line share a region, so that it is drawn once", () => {
  const found = regions(
    [hunk("1:1", "1:1", { id: "h1" }), hunk("1:1", "1:1", { id: "h2" })],
    "a b\n",
    "A B\n",
  );
  assert.equal(found.length, 1);
  assert.deepEqual(
    found[0]?.hunks.map(({ id }) => id),
    ["h1", "h2"],
  );
  assert.equal(found[0]?.blocks.length, 1);
});

test("hunks on lines that touch stay apart", () => {
  assert.equal(regions([hunk("1:1", "1:1"), hunk("2:1", "2:1")], "a\nb\n", "A\nB\n").length, 2);
});

test("a line that a person typed into a new file is no addition", () => {
  const created = hunk("0:0", "1:3", { kind: "create" });
  const [region] = regions([created], "mine\n", "one\nmine\ntwo\n");
  assert.deepEqual(
    region?.blocks.map(({ new: now, gone }) => [now.from, now.to, gone]),
    [
      [0, 1, ""],
      [2, 3, ""],
    ],
  );
});

test("a proposal stands on the lines that it would replace, moved by what came above", () => {
  const hunks = [hunk("1:0", "2:2"), hunk("3:1", "3:1", { held: true })];
  const placed = regions(hunks, "1\n2\n3\n", "1\na\nb\n2\n3\n");
  assert.deepEqual(proposals(hunks, placed)[0]?.replaces, { from: 4, to: 5 });
});

test("decided hunks and those of the whole file are not in the text", () => {
  const hunks = [hunk("1:1", "1:1", { status: "accepted" }), hunk("0:0", "0:0", { kind: "mode", new: null })];
  assert.deepEqual(regions(hunks, "a\n", "b\n"), []);
});
