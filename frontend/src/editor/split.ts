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
import {
  BlockType,
  Decoration,
  type DecorationSet,
  EditorView,
  GutterMarker,
  WidgetType,
  gutter,
} from "@codemirror/view";
import { lineRanges } from "../rules/segments";
import { Fold } from "./Fold";
import { folds } from "./folding";
import { startOf } from "./lines";
import { wordsOf } from "./marks";
import { Part } from "./part";
import { type PlacedBlock, sheetField } from "./sheet";

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

/** As high as what stands between the lines on the other side. */
class Space extends WidgetType {
  constructor(private readonly height: number) {
    super();
  }

  override eq(other: Space): boolean {
    return this.height === other.height;
  }

  override get estimatedHeight(): number {
    return this.height;
  }

  override toDOM(): HTMLElement {
    const space = document.createElement("div");
    space.style.height = `${this.height}px`;
    return space;
  }
}

class Minus extends GutterMarker {
  override elementClass = "sign-removed";

  override toDOM() {
    return document.createTextNode("−");
  }
}

const MINUS = new Minus();

/** A minus beside each line that went, as there is a plus beside each that came. */
const minusSigns = gutter({
  class: "signs",
  lineMarker: (view, line) => {
    let isGone = false;
    view.state.field(drawnField).between(line.from, line.from, (_from, _to, value) => {
      isGone ||= value === REMOVED_LINE;
    });
    return isGone ? MINUS : null;
  },
  lineMarkerChange: update => update.transactions.some(one => one.effects.some(e => e.is(setDrawn))),
});

export class Split {
  readonly merge: MergeView;
  private drawnSpaces = "";
  /** What was said of the two whole texts; pieces of them are compared by what they hold. */
  private known: { a: number; b: number; changes: Change[] } = { a: -1, b: -1, changes: [] };

  constructor(parent: HTMLElement, baseline: string, left: Extension, right: EditorStateConfig) {
    this.merge = new MergeView({
      parent,
      a: {
        doc: Text.of(baseline.split("\n")),
        extensions: [left, drawnField, minusSigns, EditorView.editable.of(false)],
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

  /** Draws on the left what the right side has: folds, room for what stands between the lines, and what went. */
  draw(): void {
    const { a, b } = this.merge;
    const spaces = spacesBeside(a.state, b);
    this.drawnSpaces = JSON.stringify(spaces);
    const drawn = RangeSet.of(
      [...spaces.map(spaceAt), ...gone(a.state, b.state), ...foldsBeside(a.state, b.state)],
      true,
    );
    a.dispatch({ effects: setDrawn.of(drawn) });
  }

  /** Something between the lines is higher than it was thought to be. */
  measured(): void {
    const { a, b } = this.merge;
    if (JSON.stringify(spacesBeside(a.state, b)) !== this.drawnSpaces) this.draw();
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
    for (const line of lineRanges(block.gone)) found.push(REMOVED_LINE.range(start + line.from));
    for (const word of wordsOf(block.gone, right.doc.sliceString(block.from, block.to)).old) {
      found.push(REMOVED_WORD.range(start + word.from, start + word.to));
    }
  }
  return found;
}

interface Room {
  place: number;
  side: -1 | 1;
  height: number;
}

function spaceAt({ place, side, height }: Room): Range<Decoration> {
  return Decoration.widget({ widget: new Space(height), block: true, side }).range(place);
}

/** Room on the left for the bars, rows, proposals and notes of the right side. */
function spacesBeside(left: EditorState, right: EditorView): Room[] {
  const { doc } = right.state;
  const sheet = right.state.field(sheetField);
  const placed = [...sheet.hunks, ...sheet.proposals, ...sheet.decided, ...sheet.notes];
  const ends = [...sheet.proposals, ...sheet.notes].map(({ to }) => doc.lineAt(to).from);
  const lines = new Set([...placed.map(({ from }) => doc.lineAt(from).from), ...ends]);
  return [...lines].sort((a, b) => a - b).flatMap(line => roomsFor(left, right, line));
}

function roomsFor(left: EditorState, right: EditorView, line: number): Room[] {
  const { above, below } = partHeights(right, line);
  const { blocks } = right.state.field(sheetField);
  const around = blocks.find(block => block.from <= line && line <= block.to && block.from < block.to);
  const found: Room[] = [];
  if (around) {
    // Where nothing went, what follows is moved down by itself.
    if (around.from !== line || !around.gone || !above) return [];
    return [{ place: startOf(left.doc, around.goneLine - 1), side: -1, height: above }];
  }
  const number = right.state.doc.lineAt(line).number - shiftAt(right.state, line) - goneAt(blocks, line);
  const beside = number >= 1 && number <= left.doc.lines ? left.doc.line(number) : null;
  if (!beside) return [];
  if (above) found.push({ place: beside.from, side: -1, height: above });
  if (below) found.push({ place: beside.to, side: 1, height: below });
  return found;
}

/** How many lines went just before a position, and nothing came in their place: negative, as they are above it. */
function goneAt(blocks: readonly PlacedBlock[], position: number): number {
  const here = blocks.filter(block => block.from === position && block.to === position);
  return -here.reduce((sum, { gone: text }) => sum + lineRanges(text).length, 0);
}

/** How high the parts of the page are that stand before and after a line. */
function partHeights(view: EditorView, line: number): { above: number; below: number } {
  const info = view.lineBlockAt(line);
  const found = { above: 0, below: 0 };
  for (const part of Array.isArray(info.type) ? info.type : []) {
    if (!(part.widget instanceof Part)) continue;
    if (part.type === BlockType.WidgetBefore) found.above += part.height;
    else if (part.type === BlockType.WidgetAfter) found.below += part.height;
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
