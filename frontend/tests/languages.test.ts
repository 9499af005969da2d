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

test("JavaScript and TypeScript", () => {
  const text =
    "/** Of a\n square. */\n@sealed\nexport class Area extends Shape {\n  side: number = 0x2f;\n" +
    "  get twice(): string { return `${this.side * 2} of ${`{${a / b}`}` }\n" +
    "  of = /[/'\"]+/g.test(x) ? half / 2 / third : type;\n}\nconst from = await read('it\\'s', null);\n";
  for (const path of ["a.ts", "a.tsx"]) {
    has(path, text, " square. */", "comment");
    has(path, text, "@sealed", "meta");
    for (const word of ["export", "class", "extends", "get", "return", "const", "await"])
      has(path, text, word, "keyword");
    for (const word of ["Area", "Shape", "number", "string"]) has(path, text, word, "typeName");
    has(path, text, "0x2f", "number");
    has(path, text, " of ", "string");
    has(path, text, "b", "variableName");
    has(path, text, "/[/'\"]+/g", "string2");
    has(path, text, "third", "variableName");
    has(path, text, "type", "variableName");
    has(path, text, "from", "definition");
    has(path, text, "'it\\'s'", "string");
    has(path, text, "null", "atom");
  }
});

test("what stands in a tag is no code, and what is in braces is", () => {
  const text =
    "const row = <T,>(a: T) => a < b;\nreturn (\n  <Card.Head title='it' open {...rest}>\n    don't /* say */ `it`\n" +
    "    {ready && <b>{count + 1}</b>} <br />\n  </Card.Head>\n);\nconst last = 'end';\n";
  has("a.tsx", text, "Card.Head", "typeName");
  has("a.tsx", text, "title", "propertyName");
  has("a.tsx", text, "'it'", "string");
  has("a.tsx", text, "rest", "variableName");
  has("a.tsx", text, "ready", "variableName");
  has("a.tsx", text, "1", "number");
  has("a.tsx", text, "'end'", "string");
  for (const [word] of coloured("a.tsx", text)) assert.ok(!/don|say|`/.test(word), word);
});

test("JSON, with comments", () => {
  const text = '{\n  // why\n  "a b": ["c: d", -1.5e3, true] /* and\n so on */\n}\n';
  has("a.json", text, '"a b"', "propertyName");
  has("a.json", text, '"c: d"', "string");
  has("a.json", text, "-1.5e3", "number");
  has("a.json", text, "true", "atom");
  has("a.json", text, "// why", "comment");
  has("a.json", text, " so on */", "comment");
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
    "py js jsx ts tsx json css md html xml rs go java c cpp cs kt scala dart swift rb lua sh yaml toml";
  for (const ending of endings.split(" "))
    coloured(`a.${ending}`, 'x = {"a": 1} // \' "\n<b> } ) ]\n'.repeat(50));
  assert.equal(parserOf("a.unknown"), null);
});
