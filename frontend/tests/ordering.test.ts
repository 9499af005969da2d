import assert from "node:assert/strict";
import { test } from "node:test";
import { treeOf } from "../src/rules/folders";
import { chosen, rows, withoutClosed } from "../src/rules/ordering";
import { neighbour, queued } from "../src/rules/queue";
import type { FileEntry, HunkEntry } from "../src/wire/contract";

function entry(path: string, more: Partial<FileEntry> = {}): FileEntry {
  return {
    path,
    letter: "M",
    status: "pending",
    pending: 1,
    decided: 0,
    notes: 0,
    muted: false,
    kind: "text",
    running: false,
    ...more,
  };
}

const listing = {
  order: "smart" as const,
  settled: new Map<string, FileEntry>(),
  isChanged: () => false,
};
const drawn = (files: FileEntry[], more = {}, closed: string[] = []) =>
  withoutClosed(rows(treeOf(files), { ...listing, ...more }), new Set(closed)).map(
    row => `${"  ".repeat(row.depth)}${row.name} ${row.mark}`,
  );

test("source first, then tests, documents, and what was generated", () => {
  const files = ["README.md", "yarn.lock", "src/b.ts", "src/a.ts", "tests/a.test.ts"].map(path =>
    entry(path, { muted: path === "yarn.lock" }),
  );
  assert.deepEqual(drawn(files), [
    "src pending",
    "  a.ts pending",
    "  b.ts pending",
    "tests pending",
    "  a.test.ts pending",
    "README.md pending",
    "yarn.lock pending",
  ]);
});

test("a folder says the strongest of what is in it, and joins with a lone folder below", () => {
  const files = [
    entry("a/b/one", { status: "accepted", pending: 0, decided: 1 }),
    entry("a/b/two", { status: "mixed", decided: 1 }),
  ];
  assert.deepEqual(drawn(files), ["a/b partly", "  one done", "  two partly"]);
  assert.deepEqual(drawn(files, {}, ["a/b"]), ["a/b partly"]);
});

test("most undecided first, as it was when the list was arranged", () => {
  const files = [entry("a", { pending: 1 }), entry("b", { pending: 3 }), entry("c", { pending: 2 })];
  const paths = (settled: FileEntry[]) =>
    rows(treeOf(files), {
      ...listing,
      order: "pending",
      settled: new Map(settled.map(one => [one.path, one])),
    }).map(row => row.path);
  assert.deepEqual(paths([]), ["b", "c", "a"]);
  assert.deepEqual(paths([entry("a", { pending: 9 }), entry("c", { pending: 8 })]), ["a", "c", "b"]);
});

test("a folder of which all was deleted since the list was arranged stays where it is", () => {
  const then = [entry("a/one"), entry("a/two"), entry("b.ts")];
  const files = then.map(one => (one.path === "b.ts" ? one : { ...one, letter: "D" as const }));
  const settled = new Map(then.map(one => [one.path, one]));
  assert.deepEqual(drawn(files, { settled }), [
    "a pending",
    "  one pending",
    "  two pending",
    "b.ts pending",
  ]);
  assert.deepEqual(drawn(files), ["b.ts pending", "a pending"]);
});

test("a decision about one file leaves all other rows as they are, but for the folders around it", () => {
  const before = ["a/b/one", "a/b/two", "a/c/three", "d/four"].map(path => entry(path));
  const was = treeOf(before);
  const now = treeOf(
    before.map(one =>
      one.path === "a/b/two" ? { ...one, status: "accepted", pending: 0, decided: 1 } : one,
    ),
    was,
  );
  const [first, second] = [rows(was, listing), rows(now, listing)];
  assert.deepEqual(
    second.map(row => `${row.path} ${row.mark} ${row.kind === "folder" ? row.pending : row.entry.pending}`),
    [
      "a pending 2",
      "a/b pending 1",
      "a/b/one pending 1",
      "a/b/two done 0",
      "a/c pending 1",
      "a/c/three pending 1",
      "d pending 1",
      "d/four pending 1",
    ],
  );
  assert.deepEqual(
    second.filter((row, place) => row !== first[place]).map(row => row.path),
    ["a", "a/b", "a/b/two"],
  );
  assert.deepEqual(rows(treeOf(now.files, was), listing), second);
});

test("another list of files is another tree", () => {
  const files = ["a/one", "b/two"].map(path => entry(path));
  const was = treeOf(files);
  assert.deepEqual(
    rows(treeOf([entry("a/one"), entry("c/two")], was), listing).map(row => row.path),
    ["a", "a/one", "c", "c/two"],
  );
  assert.deepEqual(
    rows(treeOf(files.slice(1), was), listing).map(row => row.path),
    ["b", "b/two"],
  );
});

test("words narrow, and a word after an exclamation mark leaves out", () => {
  const files = ["src/a.py", "src/b.py", "c.txt"].map(path => entry(path));
  const found = (words: string) =>
    chosen(files, { filter: "all", words, isChanged: () => false }).map(one => one.path);
  assert.deepEqual(found("PY src"), ["src/a.py", "src/b.py"]);
  assert.deepEqual(found("py !b"), ["src/a.py"]);
  assert.deepEqual(found("!"), ["src/a.py", "src/b.py", "c.txt"]);
});

const hunk = (id: string, path: string, line: number) =>
  ({ id, path, new_start: line }) as unknown as HunkEntry;

test("the next hunk from a hunk, from a line, and round the end", () => {
  const queue = queued([hunk("h1", "a", 5), hunk("h2", "a", 9), hunk("h3", "b", 2)], ["b", "a"]);
  const next = (id: string | null, path: string, line: number, step: 1 | -1) =>
    neighbour(queue, { hunk: id, place: { path, line } }, step)?.id;
  assert.deepEqual(
    queue.map(({ id }) => id),
    ["h3", "h1", "h2"],
  );
  assert.equal(next("h3", "b", 2, 1), "h1");
  assert.equal(next("h2", "a", 9, 1), "h3");
  assert.equal(next("h3", "b", 2, -1), "h2");
  assert.equal(next(null, "a", 7, 1), "h2");
  assert.equal(next(null, "a", 7, -1), "h1");
  assert.equal(next(null, "a", 1, -1), "h3");
  assert.equal(next(null, "z", 1, 1), "h3");
});
