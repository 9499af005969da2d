/**
 * Markdown as a tree of our own. It never becomes HTML: the page draws each node with an element of its own, so
 * nothing in a file or a message is a tag, a style or an address that is followed.
 */

import type { SyntaxNode, Tree } from "@lezer/common";

export type Inline =
  | { kind: "text" | "code"; text: string }
  | { kind: "strong" | "emphasis" | "struck"; inlines: Inline[] }
  | { kind: "link" | "picture"; inlines: Inline[]; address: string }
  | { kind: "break" };

export interface Item {
  blocks: Block[];
  /** Of an item with a box, whether it is ticked. */
  done: boolean | null;
}

export type Block =
  | { kind: "heading"; level: number; inlines: Inline[] }
  | { kind: "paragraph"; inlines: Inline[] }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "list"; first: number | null; items: Item[] }
  | { kind: "code"; text: string; language: string }
  | { kind: "table"; head: Inline[][]; rows: Inline[][][] }
  | { kind: "rule" };

export interface MarkdownParser {
  parse(source: string): Tree;
}

/** What is nested deeper is shown as it is written. */
const DEEPEST = 12;

export function blocks(source: string, parser: MarkdownParser): Block[] {
  return within(parser.parse(source).topNode, source, 0);
}

function within(node: SyntaxNode, source: string, depth: number): Block[] {
  const found: Block[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) {
    const block = drawn(child, source, depth);
    if (block) found.push(block);
  }
  return found;
}

const HEADING = /^(?:ATX|Setext)Heading(\d)$/;

function drawn(node: SyntaxNode, source: string, depth: number): Block | null {
  const text = () => source.slice(node.from, node.to);
  const level = HEADING.exec(node.name)?.[1];
  if (level) return { kind: "heading", level: Number(level), inlines: inlines(node, source, depth) };
  if (MARKS.has(node.name)) return null;
  if (depth > DEEPEST) return { kind: "code", text: text(), language: "" };
  switch (node.name) {
    case "FencedCode":
    case "CodeBlock":
      return code(node, source);
    case "HorizontalRule":
      return { kind: "rule" };
    case "Blockquote":
      return { kind: "quote", blocks: within(node, source, depth + 1) };
    case "BulletList":
    case "OrderedList":
      return list(node, source, depth);
    case "Table":
      return table(node, source, depth);
    case "Task":
    case "Paragraph":
      return { kind: "paragraph", inlines: inlines(node, source, depth) };
    default:
      // Tags, comments and the like are text.
      return { kind: "paragraph", inlines: [{ kind: "text", text: text() }] };
  }
}

function code(node: SyntaxNode, source: string): Block {
  const info = node.getChild("CodeInfo");
  const parts = node.getChildren("CodeText").map(part => source.slice(part.from, part.to));
  const language = info ? (/^[\w+#.-]+/.exec(source.slice(info.from, info.to))?.[0] ?? "") : "";
  return { kind: "code", text: parts.join("").replace(/\n$/, ""), language: language.toLowerCase() };
}

function list(node: SyntaxNode, source: string, depth: number): Block {
  const items = node.getChildren("ListItem").map(item => {
    const box = item.getChild("Task")?.getChild("TaskMarker");
    const done = box ? /x/i.test(source.slice(box.from, box.to)) : null;
    return { blocks: within(item, source, depth + 1), done };
  });
  const mark = node.getChild("ListItem")?.getChild("ListMark");
  const number = mark ? parseInt(source.slice(mark.from, mark.to), 10) : 1;
  return { kind: "list", first: node.name === "OrderedList" ? number || 0 : null, items };
}

function table(node: SyntaxNode, source: string, depth: number): Block {
  const cells = (row: SyntaxNode | null) =>
    row?.getChildren("TableCell").map(cell => inlines(cell, source, depth)) ?? [];
  return {
    kind: "table",
    head: cells(node.getChild("TableHeader")),
    rows: node.getChildren("TableRow").map(cells),
  };
}

/** Signs that mean something and are not shown. */
const MARKS = new Set([
  ...["HeaderMark", "QuoteMark", "ListMark", "EmphasisMark", "CodeMark", "LinkMark", "StrikethroughMark"],
  ...["TaskMarker", "TableDelimiter", "CodeInfo", "CodeText", "LinkTitle", "LinkLabel"],
]);

function inlines(node: SyntaxNode, source: string, depth: number): Inline[] {
  const found: Inline[] = [];
  let at = node.from;
  const text = (to: number) => {
    // A line of a paragraph may be indented, as in a list.
    const said = source.slice(at, to).replace(/\n[ \t]+/g, "\n");
    if (said) found.push({ kind: "text", text: said });
  };
  for (let child = node.firstChild; child; child = child.nextSibling) {
    text(child.from);
    at = child.to;
    const one = inline(child, source, depth + 1);
    if (one) found.push(one);
  }
  text(node.to);
  return trimmed(found);
}

function inline(node: SyntaxNode, source: string, depth: number): Inline | null {
  const text = source.slice(node.from, node.to);
  if (MARKS.has(node.name)) return null;
  if (depth > DEEPEST) return { kind: "text", text };
  switch (node.name) {
    case "StrongEmphasis":
      return { kind: "strong", inlines: inlines(node, source, depth) };
    case "Emphasis":
      return { kind: "emphasis", inlines: inlines(node, source, depth) };
    case "Strikethrough":
      return { kind: "struck", inlines: inlines(node, source, depth) };
    case "InlineCode":
      return { kind: "code", text: text.replace(/^(`+) ?|[ ]?(`+)$/g, "").replace(/\n/g, " ") };
    case "Link":
    case "Image":
      return link(node, source, depth);
    case "Autolink":
    case "URL": {
      const address = text.replace(/^<|>$/g, "");
      return { kind: "link", inlines: [{ kind: "text", text: address }], address };
    }
    case "HardBreak":
      return { kind: "break" };
    case "Escape":
      return { kind: "text", text: text.slice(1) };
    case "Entity":
      return { kind: "text", text: ENTITIES[text] ?? text };
    default:
      return { kind: "text", text };
  }
}

const ENTITIES: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": " ",
};

function link(node: SyntaxNode, source: string, depth: number): Inline {
  const url = node.getChild("URL");
  const [first, second] = node.getChildren("LinkMark");
  const kind = node.name === "Image" ? "picture" : "link";
  // What stands between the first two marks is what it is called.
  const name: Inline[] = [];
  let at = first?.to ?? node.from;
  for (let child = node.firstChild; child && second && child.from < second.from; child = child.nextSibling) {
    if (child.from < at) continue;
    if (child.from > at) name.push({ kind: "text", text: source.slice(at, child.from) });
    const one = inline(child, source, depth + 1);
    if (one) name.push(one);
    at = child.to;
  }
  if (second && at < second.from) name.push({ kind: "text", text: source.slice(at, second.from) });
  const address = url ? source.slice(url.from, url.to) : "";
  if (!address && kind === "link") return { kind: "text", text: source.slice(node.from, node.to) };
  return { kind, inlines: name, address };
}

/** Without blanks at both ends. */
function trimmed(found: Inline[]): Inline[] {
  const [first] = found;
  if (first?.kind === "text") first.text = first.text.trimStart();
  const last = found.at(-1);
  if (last?.kind === "text") last.text = last.text.trimEnd();
  return found.filter(one => one.kind !== "text" || one.text);
}
