import { classHighlighter, highlightTree } from "@lezer/highlight";
import assert from "node:assert/strict";
import { test } from "node:test";
import { parserOf } from "../src/editor/languages";

/** The words of a text that get a colour, with the kind that decides which. */
function coloured(path: string, text: string): [string, string][] {
  const parser = parserOf(path);
  assert.ok(parser, path);
  const found: [string, string][] = [];
  highlightTree(parser.parse(text), classHighlighter, (from, to, classes) =>
    found.push([text.slice(from, to), classes.replaceAll("tok-", "")]),
  );
  return found;
}

const has = (path: string, text: string, word: string, kind: string) =>
  assert.ok(
    coloured(path, text).some(([one, kinds]) => one === word && kinds.split(" ").includes(kind)),
    `${word} in ${path}: ${JSON.stringify(coloured(path, text))}`,
  );

test("Python", () => {
  const text = '@cached\ndef area(side: int) -> int:\n    """Of a square."""\n    return side * 2  # twice\n';
  has("a.py", text, "def", "keyword");
  has("a.py", text, "area", "definition");
  has("a.py", text, '"""Of a square."""', "string");
  has("a.py", text, "2", "number");
  has("a.py", text, "# twice", "comment");
});

test("style sheets, and their dialects", () => {
  const text =
    '@media (min-width: 30em) {\n  .card > a:hover {\n    color: #fff; // no\n    --gap: calc(1px + $x);\n    background: url(https://x.y/z.png) "a;b";\n    &:not(.b) { margin: 0 auto !important }\n  }\n}\n/* end\nof it */\n';
  for (const path of ["a.css", "a.scss"]) {
    has(path, text, "@media", "keyword");
    has(path, text, ".card", "className");
    has(path, text, "color", "propertyName");
    has(path, text, "#fff", "number");
    has(path, text, "// no", "comment");
    has(path, text, "--gap", "propertyName");
    has(path, text, "url(https://x.y/z.png", "string");
    has(path, text, '"a;b"', "string");
    has(path, text, "margin", "propertyName");
    has(path, text, "!important", "keyword");
    has(path, text, "of it */", "comment");
  }
});

test("every known ending has a grammar that reads anything", () => {
  const endings =
    "py js ts tsx json css md html xml rs go java c cpp cs kt scala dart swift rb lua sh yaml toml";
  for (const ending of endings.split(" "))
    coloured(`a.${ending}`, 'x = {"a": 1} // \' "\n<b> } ) ]\n'.repeat(50));
  assert.equal(parserOf("a.unknown"), null);
});
