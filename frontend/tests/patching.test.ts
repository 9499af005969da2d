import assert from "node:assert/strict";
import { test } from "node:test";
import { patched } from "../src/rules/patching";
import type { FileDocument, OverviewDocument, OverviewPatch } from "../src/wire/contract";

const hunk = (id: string, path: string) => ({ id, path });
const file = (path: string, pending: number) => ({ path, pending });
const call = (id: string, status: string) => ({ id, status });

const known = {
  version: 5,
  files: [file("a", 1), file("b", 2), file("c", 1)],
  hunks: [hunk("h1", "a"), hunk("h2", "b"), hunk("h3", "b"), hunk("h4", "c")],
  turns: [{ id: "t1", status: "pending", calls: [call("c1", "pending"), call("c2", "pending")] }],
} as unknown as OverviewDocument;

function patch(about: object): OverviewPatch {
  return {
    version: 6,
    since: 5,
    paths: [],
    opened: "",
    files: [],
    hunks: [],
    turns: [],
    ...about,
  } as unknown as OverviewPatch;
}

test("what is said of a file takes its place, and the rest stays where it is", () => {
  const turn = { id: "t1", status: "mixed", calls: [call("c2", "accepted")] };
  const now = patched(
    known,
    patch({ paths: ["b"], files: [file("b", 1)], hunks: [hunk("h3", "b")], turns: [turn] }),
  );
  assert.deepEqual(now, {
    version: 6,
    files: [file("a", 1), file("b", 1), file("c", 1)],
    hunks: [hunk("h1", "a"), hunk("h3", "b"), hunk("h4", "c")],
    turns: [{ id: "t1", status: "mixed", calls: [call("c1", "pending"), call("c2", "accepted")] }],
  });
});

test("a file of which nothing is said is gone", () => {
  const now = patched(known, patch({ paths: ["a"] }));
  assert.deepEqual(now?.files, [file("b", 2), file("c", 1)]);
});

test("a change that came back stands in its place again", () => {
  const less = { ...known, hunks: known.hunks.filter(one => one.path !== "a") };
  const now = patched(less, patch({ paths: ["a"], files: [file("a", 1)], hunks: [hunk("h1", "a")] }));
  assert.deepEqual(now, { ...known, version: 6 });
});

test("what the page of a file says is not said twice", () => {
  const of = (id: string, at: number, about: object) => ({
    ...hunk(id, "b"),
    status: "pending",
    actor: { kind: "agent" },
    new_start: at,
    ...about,
  });
  const texts = { old: "", new: "x", decisions: [] };
  const page = {
    path: "b",
    hunks: [
      of("h3", 9, texts),
      of("h2", 4, texts),
      of("h5", 1, { ...texts, actor: { kind: "person" } }),
      of("h6", 2, { ...texts, status: "accepted" }),
    ],
  } as unknown as FileDocument;
  const about = patch({ paths: ["a", "b"], opened: "b", files: known.files.slice(0, 2) });
  const now = patched(known, about, page);
  assert.deepEqual(now?.hunks, [of("h2", 4, {}), of("h3", 9, {}), hunk("h4", "c")]);
  assert.equal(patched(known, about), null);
  assert.equal(patched(known, about, { ...page, path: "c" }), null);
});

test("what stands on one line is in the order of a list: by edit, then by id", () => {
  const of = (id: string, call: string) => ({
    ...hunk(id, "b"),
    status: "pending",
    actor: { kind: "agent" },
    call,
    at: "",
    new_start: 3,
  });
  const page = {
    path: "b",
    hunks: [of("h8", "c1"), of("h7", "c1"), of("h2", "c2"), of("h1", "c2")],
  } as unknown as FileDocument;
  const about = patch({ paths: ["a", "b", "c"], opened: "b", files: [file("b", 4)] });
  assert.deepEqual(
    patched(known, about, page)?.hunks.map(one => one.id),
    ["h7", "h8", "h1", "h2"],
  );
});

test("another version, and what has no place yet, has to be asked for", () => {
  assert.equal(patched(known, patch({ since: 4 })), null);
  assert.equal(patched(known, patch({ paths: ["d"], files: [file("d", 1)] })), null);
  assert.equal(patched(known, patch({ turns: [{ id: "t2", calls: [] }] })), null);
});
