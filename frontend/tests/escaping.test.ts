import assert from "node:assert/strict";
import { test } from "node:test";
import { escaped, unescaped } from "../src/wire/escaping";

test("what was escaped comes back, also bytes that are no text", () => {
  for (const text of [
    "a.py",
    "src/ä b&c=d#e?%41.py",
    "日本 😀",
    "x\udcff\udce9y",
    "ä\udcc3ü",
    "\udcf0\udc9f",
  ])
    assert.equal(unescaped(escaped(text)), text);
});

test("bytes are named as bytes", () => {
  assert.equal(escaped("ä\udcff"), "%C3%A4%FF");
});

test("what nobody escaped stays", () => {
  for (const text of ["100%", "%zz", "a b"]) assert.equal(unescaped(text), text);
});
