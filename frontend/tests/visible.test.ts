import assert from "node:assert/strict";
import { test } from "node:test";
import { firstLine, pieces, visible } from "../src/rules/visible";

test("what prints stays as it is", () => {
  for (const text of ["plain", "ünïcödé", "日本語", "✅ emoji ❤️", "a b"]) assert.equal(visible(text), text);
});

test("what does not print is spelled as in the command line", () => {
  const cases: [string, string][] = [
    ["\u0007", "\\x07"],
    ["\u001b[31m", "\\x1b[31m"],
    ["a\tb\nc\r", "a\\tb\\nc\\r"],
    ["\u202e", "<U+202E>"],
    ["\u2066x\u2069", "<U+2066>x<U+2069>"],
    ["\u200b\ufeff", "<U+200B><U+FEFF>"],
    ["\u00a0\u3000", "<U+00A0><U+3000>"],
    ["\u3164\u2800", "<U+3164><U+2800>"],
    ["\ufe0e\u{e0101}", "<U+FE0E><U+E0101>"],
    ["\udce9", "\\xe9"],
    ["\ud800", "<U+D800>"],
  ];
  for (const [text, shown] of cases) assert.equal(visible(text), shown);
});

test("in pieces nothing is lost, and tabs can be kept", () => {
  assert.deepEqual(pieces("a\tb\u202ec", { tabs: true }), [
    { text: "a\tb", hidden: false },
    { text: "<U+202E>", hidden: true },
    { text: "c", hidden: false },
  ]);
});

test("the first line that is not blank", () => {
  assert.equal(firstLine("\n  one \ntwo\n"), "one …");
  assert.equal(firstLine(""), "");
});
