import assert from "node:assert/strict";
import { test } from "node:test";
import { LONGEST_LINE, lineRanges, segments } from "../src/rules/segments";
import { changedWords } from "../src/rules/words";

const cut = (text: string, ranges: { from: number; to: number }[]) =>
  ranges.map(({ from, to }) => text.slice(from, to));

test("words that differ in lines that are alike", () => {
  const [old, now] = ["return page(items)", "return page(products)"];
  const words = changedWords(old, now);
  assert.deepEqual(cut(old, words.old), ["items"]);
  assert.deepEqual(cut(now, words.new), ["products"]);
});

test("a line that is new as a whole has no marks of its own", () => {
  const now = "first line here\nsecond line, quite new\n";
  assert.deepEqual(cut(now, changedWords("first line there\n", now).new), ["here"]);
});

test("lines with little in common are not marked", () => {
  assert.deepEqual(changedWords("alpha beta gamma", "one two three four"), { old: [], new: [] });
});

test("a line in segments: paint on paint, hidden characters named, the rest of a long line counted", () => {
  const found = segments("ab\u202ecd", 0, 5, [
    { from: 0, to: 4, class: "x" },
    { from: 1, to: 2, class: "y" },
  ]);
  assert.deepEqual(found, [
    { text: "a", classes: "x" },
    { text: "b", classes: "x y" },
    { text: "<U+202E>", classes: "x unseen" },
    { text: "c", classes: "x" },
    { text: "d", classes: "" },
  ]);
  const long = "x".repeat(LONGEST_LINE + 5);
  assert.equal(segments(long, 0, long.length, []).at(-1)?.text, " … 5 more characters");
});

test("lines without their ends", () => {
  const text = "one\r\ntwo\nthree";
  assert.deepEqual(cut(text, lineRanges(text)), ["one", "two", "three"]);
});
