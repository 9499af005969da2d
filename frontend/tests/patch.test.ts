import assert from "node:assert/strict";
import { test } from "node:test";
import { linesAlike, patchHunks } from "../src/rules/patch";

test("the lines of each hunk, with their numbers", () => {
  const diff = "@@ -1,2 +1,2 @@\n-one\n+ONE\n two\n@@ -9 +9,2 @@ def f():\n nine\n+@@ ten\n";
  assert.deepEqual(patchHunks(diff), [
    [
      { sign: "-", text: "one", number: 1 },
      { sign: "+", text: "ONE", number: 1 },
      { sign: " ", text: "two", number: 2 },
    ],
    [
      { sign: " ", text: "nine", number: 9 },
      { sign: "+", text: "@@ ten", number: 10 },
    ],
  ]);
});

test("what is no line of a hunk is passed over", () => {
  assert.deepEqual(patchHunks(""), []);
  assert.deepEqual(patchHunks("+ before any hunk\n"), []);
  const [lines] = patchHunks("@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n");
  assert.equal(lines?.length, 2);
});

test("how far two diffs are the same", () => {
  const head = "@@ -1,2 +1,2 @@\n one\n-two\n";
  assert.equal(linesAlike(`${head}+TWO\n`, `${head}+zwei\n`), 2);
  assert.equal(linesAlike(head, `${head}+zwei\n`), 2);
  assert.equal(linesAlike(head, "@@ -2,2 +2,2 @@\n one\n"), 0);
});
