/** The baseline beside the text, line by line. The pairs of lines are those of our hunks, not of another diff. */

import { Change, MergeView, diff } from "@codemirror/merge";
import {
  type EditorState,
  type EditorStateConfig,
  type Extension,
  type Range,
  RangeSet,
  StateEffect,
  StateField,
  Text,
} from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import { lineRanges } from "../rules/segments";
import { Fold } from "./Fold";
import { folds } from "./folding";
import { startOf } from "./lines";
import { wordsOf } from "./marks";
import { Part } from "./part";
import { type PlacedBlock, sheetField } from "./sheet";

const BAR_HEIGHT = 28;
const FOLD_HEIGHT = 26;
const SCAN_LIMIT = 500;

const REMOVED_WORD = Decoration.mark({ class: "removed-word" });
const REMOVED_LINE = Decoration.line({ class: "removed-line" });

const setDrawn = StateEffect.define<DecorationSet>();

const drawnField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(drawn, transaction) {
    let found = drawn.map(transaction.changes);
    for (const effect of transaction.effects) if (effect.is(setDrawn)) found = effect.value;
    return found;
  },
  provide: field => EditorView.decorations.from(field),
});

/** As high as the bar of a hunk on the other side. */
class BarSpace extends WidgetType {
  constructor(private readonly bars: number) {
    super();
  }

  override eq(other: BarSpace): boolean {
    return this.bars === other.bars;
  }

  override get estimatedHeight(): number {
    return this.bars * BAR_HEIGHT;
  }

  override toDOM(): HTMLElement {
    const space = document.createElement("div");
    space.style.height = `${this.bars * BAR_HEIGHT}px`;
    return space;
  }
}

export class Split {
  readonly merge: MergeView;
  /** What was said of the two whole texts; pieces of them are compared by what they hold. */
  private known: { a: number; b: number; changes: Change[] } = { a: -1, b: -1, changes: [] };

  constructor(parent: HTMLElement, baseline: string, left: Extension, right: EditorStateConfig) {
    this.merge = new MergeView({
      parent,
      a: {
        doc: Text.of(baseline.split("\n")),
        extensions: [left, drawnField, EditorView.editable.of(false)],
      },
      b: right,
      highlightChanges: false,
      gutter: false,
      diffConfig: { override: (a, b) => this.changes(a, b) },
    });
  }

  private changes(a: string, b: string): readonly Change[] {
    const { known } = this;
    return a.length === known.a && b.length === known.b
      ? known.changes
      : diff(a, b, { scanLimit: SCAN_LIMIT });
  }

  /** Pairs the sides anew, by the blocks that the text knows now. */
  pair(baseline: string): void {
    const { a, b } = this.merge;
    const before = Text.of(baseline.split("\n"));
    const { blocks } = b.state.field(sheetField);
    const changes = blocks.map(block => changeOf(block, before, b.state.doc));
    this.known = { a: before.length, b: b.state.doc.length, changes };
    // The whole text is replaced: only then are all pairs asked for.
    a.dispatch({ changes: { from: 0, to: a.state.doc.length, insert: before } });
    this.draw();
  }

  /** Draws on the left what the right side has: folds, the room for bars, and what went. */
  draw(): void {
    const { a, b } = this.merge;
    const drawn = RangeSet.of([...gone(a.state, b.state), ...foldsBeside(a.state, b.state)], true);
    a.dispatch({ effects: setDrawn.of(drawn) });
  }

  destroy(): void {
    this.merge.destroy();
  }
}

function changeOf(block: PlacedBlock, before: Text, now: Text): Change {
  const fromA = startOf(before, block.goneLine - 1);
  const toA = Math.min(fromA + block.gone.length, before.length);
  return new Change(
    fromA,
    toA,
    block.from,
    Math.min(block.from === block.to ? block.to : block.to + 1, now.length),
  );
}

function gone(left: EditorState, right: EditorState): Range<Decoration>[] {
  const sheet = right.field(sheetField);
  const found: Range<Decoration>[] = [];
  for (const block of sheet.blocks) {
    const start = startOf(left.doc, block.goneLine - 1);
    const bars = sheet.hunks.filter(({ from }) => from === block.from).length;
    // Where nothing went, what follows is moved down by itself; where nothing came, the bar is above what follows.
    if (bars && block.gone) {
      const place = block.from === block.to ? Math.min(start + block.gone.length, left.doc.length) : start;
      found.push(Decoration.widget({ widget: new BarSpace(bars), block: true, side: -1 }).range(place));
    }
    for (const line of lineRanges(block.gone)) found.push(REMOVED_LINE.range(start + line.from));
    for (const word of wordsOf(block.gone, right.doc.sliceString(block.from, block.to)).old) {
      found.push(REMOVED_WORD.range(start + word.from, start + word.to));
    }
  }
  return found;
}

function foldsBeside(left: EditorState, right: EditorState): Range<Decoration>[] {
  const found: Range<Decoration>[] = [];
  for (const { from, lines } of unchangedFolds(right)) {
    const first = right.doc.lineAt(from).number - shiftAt(right, from);
    const last = Math.min(first + lines - 1, left.doc.lines);
    if (first < 1 || last < first) continue;
    const widget = new Part(Fold, { lines, kind: "mirrored" as const }, String(lines), FOLD_HEIGHT);
    const range = { from: left.doc.line(first).from, to: left.doc.line(last).to };
    found.push(Decoration.replace({ widget, block: true }).range(range.from, range.to));
  }
  return found;
}

function unchangedFolds(state: EditorState): { from: number; lines: number }[] {
  const found: { from: number; lines: number }[] = [];
  state.field(folds).between(0, state.doc.length, (from, to, value) => {
    if (value.spec["kind"] !== "unchanged") return;
    found.push({ from, lines: state.doc.lineAt(to).number - state.doc.lineAt(from).number + 1 });
  });
  return found;
}

/** How many lines the text has more, above a position, than the baseline. */
function shiftAt(state: EditorState, position: number): number {
  const above = state.field(sheetField).blocks.filter(block => block.from < position);
  return above.reduce((sum, { from, to, gone: text }) => {
    const added = from === to ? 0 : state.doc.lineAt(to).number - state.doc.lineAt(from).number + 1;
    return sum + added - lineRanges(text).length;
  }, 0);
}
