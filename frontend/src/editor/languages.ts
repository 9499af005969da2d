/**
 * Which grammar a file is read with. A script of its own: a page that shows no such file does not load it. For
 * colours the bare grammars are enough; the packages around them bring completion that is of no use here.
 */

import { Language, StreamLanguage, type StreamParser, defineLanguageFacet } from "@codemirror/language";
import { c, cpp, csharp, dart, java, kotlin, scala } from "@codemirror/legacy-modes/mode/clike";
import { dockerFile } from "@codemirror/legacy-modes/mode/dockerfile";
import { go } from "@codemirror/legacy-modes/mode/go";
import { lua } from "@codemirror/legacy-modes/mode/lua";
import { python } from "@codemirror/legacy-modes/mode/python";
import { ruby } from "@codemirror/legacy-modes/mode/ruby";
import { rust } from "@codemirror/legacy-modes/mode/rust";
import { shell } from "@codemirror/legacy-modes/mode/shell";
import { swift } from "@codemirror/legacy-modes/mode/swift";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { html, xml } from "@codemirror/legacy-modes/mode/xml";
import { yaml } from "@codemirror/legacy-modes/mode/yaml";
import type { Extension } from "@codemirror/state";
import type { Parser } from "@lezer/common";
import { GFM, parser as markdown } from "@lezer/markdown";
import { json, script } from "./scripts";
import { stylesheet } from "./stylesheets";

type Grammar = () => Extension;

/** Made when it is first asked for, and once: files of one language have the same. */
function byLine<State>(parser: StreamParser<State>): Grammar {
  let made: Extension | null = null;
  return () => (made ??= StreamLanguage.define(parser));
}

const asMarkdown = new Language(defineLanguageFacet(), markdown.configure(GFM), [], "markdown");

const BY_ENDING: [string, Grammar][] = [
  ["py pyi", byLine(python)],
  ["js mjs cjs jsx", byLine(script({ jsx: true, types: false }))],
  ["ts mts cts", byLine(script({ jsx: false, types: true }))],
  ["tsx", byLine(script({ jsx: true, types: true }))],
  ["json jsonc ipynb webmanifest", byLine(json)],
  ["css scss less", byLine(stylesheet)],
  ["md markdown", () => asMarkdown],
  ["html htm vue svelte", byLine(html)],
  ["xml svg plist", byLine(xml)],
  ["rs", byLine(rust)],
  ["go", byLine(go)],
  ["java", byLine(java)],
  ["c h", byLine(c)],
  ["cc cpp cxx hpp hh", byLine(cpp)],
  ["cs", byLine(csharp)],
  ["kt kts", byLine(kotlin)],
  ["scala", byLine(scala)],
  ["dart", byLine(dart)],
  ["swift", byLine(swift)],
  ["rb", byLine(ruby)],
  ["lua", byLine(lua)],
  ["sh bash zsh", byLine(shell)],
  ["yaml yml", byLine(yaml)],
  ["toml cfg ini lock", byLine(toml)],
];

const BY_NAME: [string, Grammar][] = [
  ["dockerfile containerfile", byLine(dockerFile)],
  ["makefile gnumakefile justfile", byLine(shell)],
];

const byEnding = new Map(BY_ENDING.flatMap(([endings, make]) => endings.split(" ").map(end => [end, make])));
const byName = new Map(BY_NAME.flatMap(([names, make]) => names.split(" ").map(name => [name, make])));

/** What reads Markdown, with tables and boxes. */
export const markdownParser = asMarkdown.parser;

/** How languages are called where code is quoted, if not as their files end. */
const CALLED: Record<string, string> = {
  ...{ python: "py", javascript: "js", typescript: "ts", shell: "sh", console: "sh", markdown: "md" },
  ...{ rust: "rs", golang: "go", "c++": "cpp", "c#": "cs", csharp: "cs", kotlin: "kt", ruby: "rb" },
};

/** The parser for a language by the name that people call it. */
export function parserNamed(name: string): Parser | null {
  const found = byName.get(name)?.() ?? byEnding.get(CALLED[name] ?? name)?.();
  return found instanceof Language ? found.parser : null;
}

/** The parser for a path, by its name or its ending. */
export function parserOf(path: string): Parser | null {
  const found = languageOf(path);
  return found instanceof Language ? found.parser : null;
}

/** The grammar for a path, by its name or its ending. */
export function languageOf(path: string): Extension {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return (byName.get(name) ?? byEnding.get(name.slice(name.lastIndexOf(".") + 1)))?.() ?? [];
}
