/** Lines of the baseline that are not in the text any more, drawn where they stood. */

import { type Language, highlightingFor } from "@codemirror/language";
import { type EditorState, StateEffect, StateField } from "@codemirror/state";
import { type EditorView, GutterMarker, WidgetType, lineNumberWidgetMarker } from "@codemirror/view";
import type { Tree } from "@lezer/common";
import { highlightTree } from "@lezer/highlight";
import { counted } from "../rules/counting";
import { type Paint, type Segment, lineRanges, segments } from "../rules/segments";
import { visible } from "../rules/visible";
import { wordsOf } from "./marks";

const SHOWN_AT_FIRST = 24;
const SHOWN_AT_MOST = 3000;
const LONGEST_WITH_SYNTAX = 10_000;
/** Of a longer text, only what went is read. */
const LONGEST_READ_WHOLE = 60_000;
const LONGEST_LABEL = 200;

/** Shows all of a block that was too long, by its name. */
export const expandRemoved = StateEffect.define<string>();

export const expandedField = StateField.define<ReadonlySet<string>>({
  create: () => new Set(),
  update(known, transaction) {
    const more = transaction.effects.filter(effect => effect.is(expandRemoved)).map(effect => effect.value);
    return more.length ? new Set([...known, ...more]) : known;
  },
});

interface Block {
  name: string;
  gone: string;
  /** What stands there now, to mark the words that differ. */
  now: string;
  goneLine: number;
  expanded: boolean;
  words: boolean;
  /** It belongs to a group besides which all is dimmed. */
  lit: boolean;
  /** Classes of the frame around what is pointed at; empty without one. */
  frame: string;
  /** What colours it; it arrives after the text. */
  grammar: Language | null;
  /** The text that it stood in. */
  baseline: string;
}

export class RemovedBlock extends WidgetType {
  private readonly ranges: { from: number; to: number }[];

  constructor(private readonly block: Block) {
    super();
    this.ranges = lineRanges(block.gone);
  }

  /** How many removed lines are drawn; one more row may follow, to show the rest. */
  get shownLines(): number {
    return Math.min(this.ranges.length, this.block.expanded ? SHOWN_AT_MOST : SHOWN_AT_FIRST);
  }

  get firstLine(): number {
    return this.block.goneLine;
  }

  override eq(other: RemovedBlock): boolean {
    const [a, b] = [this.block, other.block];
    return (
      a.gone === b.gone &&
      a.now === b.now &&
      a.goneLine === b.goneLine &&
      a.expanded === b.expanded &&
      a.words === b.words &&
      a.lit === b.lit &&
      a.frame === b.frame &&
      a.grammar === b.grammar
    );
  }

  override get estimatedHeight(): number {
    return this.shownLines * 20;
  }

  override toDOM(view: EditorView): HTMLElement {
    const box = document.createElement("div");
    box.className = `removed-block ${this.block.lit ? "lit" : ""} ${this.block.frame}`;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", this.label());
    const paints = this.paints(view.state);
    for (const { from, to } of this.ranges.slice(0, this.shownLines)) {
      const line = box.appendChild(document.createElement("del"));
      line.className = "removed-line";
      line.append(...segments(this.block.gone, from, to, paints).map(drawn));
    }
    const rest = this.ranges.length - this.shownLines;
    if (rest > 0) box.append(this.expander(view, rest));
    return box;
  }

  override ignoreEvent(): boolean {
    return true;
  }

  private label(): string {
    const text = visible(this.block.gone.trim().replace(/\s+/g, " "));
    const short = text.length > LONGEST_LABEL ? `${text.slice(0, LONGEST_LABEL)} …` : text;
    return `Removed, ${counted(this.ranges.length, "line")}: ${short}`;
  }

  private expander(view: EditorView, rest: number): HTMLElement {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "expander";
    button.textContent = `Show ${counted(rest, "more removed line")}`;
    button.onclick = () => view.dispatch({ effects: expandRemoved.of(this.block.name) });
    return button;
  }

  private paints(state: EditorState): Paint[] {
    const { gone, now, words } = this.block;
    const paints = syntaxPaints(state, this.block);
    if (words) for (const word of wordsOf(gone, now).old) paints.push({ ...word, class: "removed-word" });
    return paints;
  }
}

/** As it was coloured where it stood: by itself, the end of a long string would be taken for code. */
function syntaxPaints(state: EditorState, { grammar, gone, goneLine, baseline }: Block): Paint[] {
  const paints: Paint[] = [];
  if (!grammar || gone.length > LONGEST_WITH_SYNTAX) return paints;
  const start = baseline.length > LONGEST_READ_WHOLE ? -1 : lineStart(baseline, goneLine);
  const isThere = start >= 0 && baseline.startsWith(gone, start);
  const highlighter = {
    style: (tags: Parameters<typeof highlightingFor>[1]) => highlightingFor(state, tags),
  };
  const from = isThere ? start : 0;
  const tree = isThere ? treeOf(grammar, baseline) : grammar.parser.parse(gone);
  const paint = (begin: number, end: number, classes: string) =>
    paints.push({
      from: Math.max(begin - from, 0),
      to: Math.min(end - from, gone.length),
      class: classes,
    });
  highlightTree(tree, highlighter, paint, from, from + gone.length);
  return paints;
}

/** Where a line begins, counted from one; -1 if there is none. */
function lineStart(text: string, line: number): number {
  let start = 0;
  for (let number = 1; number < line; number++) {
    start = text.indexOf("\n", start) + 1;
    if (!start) return -1;
  }
  return start;
}

/** The last text that was read with a grammar: all that went of a file stood in the same. */
const lastRead = new WeakMap<Language, { text: string; tree: Tree }>();

function treeOf(grammar: Language, text: string): Tree {
  const known = lastRead.get(grammar);
  if (known?.text === text) return known.tree;
  const tree = grammar.parser.parse(text);
  lastRead.set(grammar, { text, tree });
  return tree;
}

function drawn({ text, classes }: Segment): HTMLElement {
  const span = document.createElement("span");
  span.className = classes;
  span.textContent = text;
  return span;
}

class OldNumbers extends GutterMarker {
  override elementClass = "old-numbers";

  constructor(
    readonly first: number,
    readonly count: number,
  ) {
    super();
  }

  override toDOM() {
    const column = document.createElement("div");
    column.textContent = Array.from({ length: this.count }, (_, line) => this.first + line).join("\n");
    return column;
  }

  override eq(other: OldNumbers) {
    return this.first === other.first && this.count === other.count;
  }
}

/** Their numbers in the baseline, beside them. */
export const oldNumbers = lineNumberWidgetMarker.of((view, widget) =>
  widget instanceof RemovedBlock && !view.lineWrapping
    ? new OldNumbers(widget.firstLine, widget.shownLines)
    : null,
);
