/** What every text on the page has. */

import { indentOnInput, bracketMatching, indentUnit } from "@codemirror/language";
import { highlightSelectionMatches } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  lineNumbers,
} from "@codemirror/view";
import { visible } from "../rules/visible";
import { finder } from "./finder";
import { specialCharacters } from "./special";
import { looks } from "./theme";

/** Longer texts are shown in one colour: finding out the others would take too long. */
const MOST_LINES_WITH_SYNTAX = 10_000;

const nonce = document.querySelector<HTMLMetaElement>("meta[name=blueline-nonce]")?.content ?? "";

const grammar = new Compartment();
const wrapping = new Compartment();

export interface Shown {
  path: string;
  /** What a screen reader says it is. */
  label: string;
  wrap: boolean;
  separator: "\n" | "\r\n";
  /** How many lines it has. */
  lines: number;
}

export function common({ path, label, wrap, separator, lines }: Shown): Extension {
  return [
    EditorView.cspNonce.of(nonce),
    EditorState.lineSeparator.of(separator),
    EditorState.tabSize.of(4),
    indentUnit.of("    "),
    lineNumbers({ formatNumber: numberOf }),
    highlightActiveLineGutter(),
    highlightActiveLine(),
    drawSelection(),
    specialCharacters,
    bracketMatching(),
    indentOnInput(),
    highlightSelectionMatches({ minSelectionLength: 3, maxMatches: 200 }),
    finder,
    grammar.of(coloured(path, lines)),
    wrapping.of(wrap ? EditorView.lineWrapping : []),
    looks,
    EditorView.contentAttributes.of({ "aria-label": `${label}: ${visible(path)}`, spellcheck: "false" }),
  ];
}

type Languages = typeof import("./languages");

let asked: Promise<Languages | null> | null = null;
let languages: Languages | null = null;

/** The grammars are asked for once the first text is on the screen, which does not wait for them. */
async function afterDrawing(): Promise<Languages | null> {
  await new Promise(drawn => requestAnimationFrame(() => setTimeout(drawn)));
  languages = await import("./languages").catch(() => null);
  if (!languages) asked = null;
  return languages;
}

/** Gives a text its colours from the beginning, if they are known by then. */
function coloured(path: string, lines: number): Extension {
  return languages && lines <= MOST_LINES_WITH_SYNTAX ? languages.languageOf(path) : [];
}

/** Gives a text its colours a moment later, if it has none yet. Without them it can be read all the same. */
export async function colour(view: EditorView, path: string): Promise<void> {
  if (languages || view.state.doc.lines > MOST_LINES_WITH_SYNTAX) return;
  const found = await (asked ??= afterDrawing());
  if (found) view.dispatch({ effects: grammar.reconfigure(found.languageOf(path)) });
}

export function setWrapping(view: EditorView, wrap: boolean): void {
  view.dispatch({ effects: wrapping.reconfigure(wrap ? EditorView.lineWrapping : []) });
}

/** As wide as a digit, so that the gutter does not depend on it. */
const FIGURE_SPACE = "\u2007";

/** What follows the last line end is a line to type on, but none of the file. */
function numberOf(line: number, { doc }: EditorState): string {
  const isNone = line > 1 && line === doc.lines && doc.line(line).length === 0;
  return isNone ? FIGURE_SPACE.repeat(String(line).length) : String(line);
}
