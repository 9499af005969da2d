import assert from "node:assert/strict";
import { test } from "node:test";
import { inlines, parsed } from "../src/notebook/parsing";

test("the usual parts of a markdown cell", () => {
  const source =
    "# Title\n\nSome *words* and `code`\nhere.\n\n- one\n- **two**\n\n```py\nx < 1\n```\n\n> said\n\n---\n1. first";
  const kinds = parsed(source).map(block => block.kind);
  assert.deepEqual(kinds, ["heading", "paragraph", "list", "code", "quote", "rule", "list"]);
});

test("inside a line", () => {
  assert.deepEqual(inlines("a **b** `c` *d* [e](f)"), [
    { kind: "text", text: "a " },
    { kind: "strong", text: "b" },
    { kind: "text", text: " " },
    { kind: "code", text: "c" },
    { kind: "text", text: " " },
    { kind: "emphasis", text: "d" },
    { kind: "text", text: " " },
    { kind: "link", text: "e", address: "f" },
  ]);
});

test("tags are text", () => {
  const [block] = parsed("<script>alert(1)</script>");
  assert.deepEqual(block, {
    kind: "paragraph",
    inlines: [{ kind: "text", text: "<script>alert(1)</script>" }],
  });
});

test("nothing is lost, and nothing takes for ever", () => {
  for (const sign of ["`", "*", "_", "[", "![", "#", "- ", "> ", "~", "(", "]("]) {
    const text = sign.repeat(20_000);
    const drawn = JSON.stringify(parsed(text));
    assert.ok(drawn.length > 10, sign);
    assert.ok(inlines(sign.repeat(700)).map(one => one.text).length > 0);
  }
  assert.deepEqual(parsed(""), []);
  assert.equal(parsed("```\nno end").length, 1);
});
