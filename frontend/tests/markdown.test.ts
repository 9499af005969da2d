import { GFM, parser as commonmark } from "@lezer/markdown";
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Block, type Inline, blocks } from "../src/markdown/blocks";

const parser = commonmark.configure(GFM);
const parsed = (source: string): Block[] => blocks(source, parser);
const line = (source: string): Inline[] => {
  const [block] = parsed(source);
  assert.ok(block && "inlines" in block);
  return block.inlines;
};

test("the usual parts of a text", () => {
  const source =
    "# Title\n\nSome *words* and `code`\nhere.\n\n- one\n- **two**\n\n```py\nx < 1\n```\n\n> said\n\n---\n\n1. first\n\n" +
    "|a|b|\n|-|-|\n|1|2|\n";
  const kinds = parsed(source).map(block => block.kind);
  assert.deepEqual(kinds, ["heading", "paragraph", "list", "code", "quote", "rule", "list", "table"]);
});

test("inside a line", () => {
  const text = (text: string) => ({ kind: "text", text });
  assert.deepEqual(line("a **b *c*** `d` ~~e~~ [f](g) ![h](i) <https://j>"), [
    text("a "),
    { kind: "strong", inlines: [text("b "), { kind: "emphasis", inlines: [text("c")] }] },
    text(" "),
    { kind: "code", text: "d" },
    text(" "),
    { kind: "struck", inlines: [text("e")] },
    text(" "),
    { kind: "link", inlines: [text("f")], address: "g" },
    text(" "),
    { kind: "picture", inlines: [text("h")], address: "i" },
    text(" "),
    { kind: "link", inlines: [text("https://j")], address: "https://j" },
  ]);
});

test("lists in lists, boxes, and where numbers begin", () => {
  const [list] = parsed("3. one\n   - [x] done\n   - [ ] open\n4. two\n   goes on\n");
  assert.ok(list?.kind === "list");
  assert.equal(list.first, 3);
  const [, inner] = list.items[0]!.blocks;
  assert.ok(inner?.kind === "list");
  assert.deepEqual(
    inner.items.map(item => item.done),
    [true, false],
  );
  assert.deepEqual(list.items[1]!.blocks, [
    { kind: "paragraph", inlines: [{ kind: "text", text: "two\ngoes on" }] },
  ]);
});

test("code keeps its lines and names its language", () => {
  assert.deepEqual(parsed("```Python title\n  x\n\ny\n```"), [
    { kind: "code", text: "  x\n\ny", language: "python" },
  ]);
  assert.deepEqual(parsed("```\nno end"), [{ kind: "code", text: "no end", language: "" }]);
});

test("tags, comments and pictures are text", () => {
  for (const tag of ["<script>alert(1)</script>", "<!-- x -->", "a <img src=x onerror=y> b"]) {
    assert.equal(
      line(tag)
        .map(one => (one.kind === "text" ? one.text : assert.fail()))
        .join(""),
      tag,
    );
  }
});

test("nothing is lost, and nothing takes for ever", () => {
  for (const sign of ["`", "*", "_", "[", "![", "#", "- ", "> ", "~", "(", "](", "|", "<", "&"]) {
    const text = sign.repeat(10_000);
    assert.ok(JSON.stringify(parsed(text)).length > 10, sign);
  }
  assert.deepEqual(parsed(""), []);
});
