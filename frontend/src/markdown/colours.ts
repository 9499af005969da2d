/** What colours code that is no editor's. */

import type { Parser } from "@lezer/common";
import { highlightTree } from "@lezer/highlight";
import { syntax } from "../editor/theme";
import type { Paint } from "../rules/segments";
import { grammars } from "./grammars";

const LONGEST_WITH_SYNTAX = 20_000;

/** By the name that people call a language. */
export function coloursNamed(text: string, language: string): Paint[] {
  return colours(text, language ? (grammars()?.parserNamed(language) ?? null) : null);
}

/** By the path of the file that it is from. */
export function coloursOf(text: string, path: string): Paint[] {
  return colours(text, grammars()?.parserOf(path) ?? null);
}

function colours(text: string, parser: Parser | null): Paint[] {
  const found: Paint[] = [];
  if (!parser || text.length > LONGEST_WITH_SYNTAX) return found;
  highlightTree(parser.parse(text), syntax, (from, to, classes) => found.push({ from, to, class: classes }));
  return found;
}
