/**
 * A small part of Markdown, as a tree. It never becomes HTML: the page draws each node with an element of its
 * own, so nothing in a file is a tag, a style or an address that is followed.
 */

export type Inline =
  | { kind: "text" | "code" | "strong" | "emphasis"; text: string }
  | { kind: "link"; text: string; address: string };

export type Block =
  | { kind: "heading"; level: number; inlines: Inline[] }
  | { kind: "paragraph" | "quote"; inlines: Inline[] }
  | { kind: "list"; ordered: boolean; items: Inline[][] }
  | { kind: "code"; text: string }
  | { kind: "rule" };

/** Longer lines are taken as they are: to look for signs in them may take for ever. */
const LONGEST_LINE = 2_000;

const HEADING = /^(#{1,6})\s+(.*)$/;
const ITEM = /^\s{0,3}(?:[-*+]|\d{1,9}[.)])\s+(.*)$/;
const ORDERED = /^\s{0,3}\d/;
const FENCE = /^\s{0,3}(```+|~~~+)/;
const RULE = /^\s{0,3}([-*_])(\s*\1){2,}\s*$/;
const INLINE =
  /(`+)([^`]+?)\1|\*\*([^*]+?)\*\*|__([^_]+?)__|\*([^*\s][^*]*?)\*|!?\[([^\][]*)\]\(([^()\s]*)[^()]*\)/;

export function parsed(source: string): Block[] {
  const lines = source.split(/\r?\n/);
  const matches = (pattern: RegExp, line: string) => (line.length > LONGEST_LINE ? null : pattern.exec(line));
  const found: Block[] = [];
  let at = 0;
  const take = (belongs: (line: string) => boolean): string[] => {
    const start = at;
    while (at < lines.length && belongs(lines[at] ?? "")) at += 1;
    return lines.slice(start, at);
  };
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const heading = matches(HEADING, line);
    const fence = matches(FENCE, line);
    if (!line.trim()) {
      at += 1;
    } else if (fence) {
      at += 1;
      const sign = fence[1] ?? "```";
      const body = take(one => !one.trim().startsWith(sign));
      at += 1;
      found.push({ kind: "code", text: body.join("\n") });
    } else if (heading) {
      at += 1;
      found.push({ kind: "heading", level: (heading[1] ?? "#").length, inlines: inlines(heading[2] ?? "") });
    } else if (matches(RULE, line)) {
      at += 1;
      found.push({ kind: "rule" });
    } else if (matches(ITEM, line)) {
      const items = take(one => !!matches(ITEM, one) && !matches(RULE, one));
      const ordered = ORDERED.test(line);
      found.push({ kind: "list", ordered, items: items.map(one => inlines(ITEM.exec(one)?.[1] ?? one)) });
    } else if (line.startsWith(">")) {
      const quoted = take(one => one.startsWith(">")).map(one => one.replace(/^>\s?/, ""));
      found.push({ kind: "quote", inlines: inlines(quoted.join(" ")) });
    } else {
      const text = take(
        one => !!one.trim() && !matches(HEADING, one) && !matches(FENCE, one) && !matches(ITEM, one),
      );
      found.push({ kind: "paragraph", inlines: inlines(text.join(" ")) });
    }
  }
  return found;
}

export function inlines(text: string): Inline[] {
  const found: Inline[] = [];
  if (text.length > LONGEST_LINE) return [{ kind: "text", text }];
  let rest = text;
  for (let match = INLINE.exec(rest); match; match = INLINE.exec(rest)) {
    if (match.index) found.push({ kind: "text", text: rest.slice(0, match.index) });
    const [whole, , code, strong, also, emphasis, name, address] = match;
    if (code !== undefined) found.push({ kind: "code", text: code });
    else if (strong !== undefined || also !== undefined)
      found.push({ kind: "strong", text: strong ?? also ?? "" });
    else if (emphasis !== undefined) found.push({ kind: "emphasis", text: emphasis });
    else found.push({ kind: "link", text: name ?? "", address: address ?? "" });
    rest = rest.slice(match.index + whole.length);
  }
  if (rest) found.push({ kind: "text", text: rest });
  return found;
}
