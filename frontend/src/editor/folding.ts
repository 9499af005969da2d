/** Unchanged lines far from anything to look at are folded away, and so is the middle of large additions. */

import { type EditorState, type Range, RangeSet, StateField, type Transaction } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import { Fold, type FoldKind } from "./Fold";
import { Part } from "./part";
import { type Placed, setNotes, setSheet, sheetField } from "./sheet";
import { refold, unfold, unfoldAll } from "./unfolding";

const MARGIN = 3;
const FEWEST = 6;
const LARGE_ADDITION = 80;
/** As many as of a large removal. */
const SHOWN_OF_ADDITION = 24;
const STEP = 20;
const HEIGHT = 26;

interface Interval {
  /** Lines, from one, inclusive. */
  first: number;
  last: number;
  kind: FoldKind;
}

export const folds = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(known, transaction) {
    let found = transaction.docChanged ? known.map(transaction.changes) : known;
    const { state } = transaction;
    for (const effect of transaction.effects) {
      if (effect.is(refold)) found = foldedAtFirst(state);
      else if (effect.is(unfoldAll)) found = Decoration.none;
      else if (effect.is(setSheet) || effect.is(setNotes)) found = withoutNews(state, found);
      else if (effect.is(unfold)) found = opened(state, found, effect.value);
    }
    return transaction.selection ? aroundCursor(transaction, found) : found;
  },
  provide: field => [
    EditorView.decorations.from(field),
    EditorView.atomicRanges.of(view => view.state.field(field)),
  ],
});

/** What is folded in a text that nobody has read yet. */
export function foldedAtFirst(state: EditorState): DecorationSet {
  return drawn(state, wanted(state));
}

/** Which lines are best folded. */
function wanted(state: EditorState): Interval[] {
  const sheet = state.field(sheetField);
  const large = sheet.blocks.flatMap(block => middleOf(state, block));
  if (sheet.created) return large;
  const kept = [...sheet.hunks, ...sheet.proposals, ...sheet.notes];
  if (!kept.length) {
    const whole = { first: 1, last: state.doc.lines, kind: "unchanged" as const };
    return sheet.moved && state.doc.lines >= FEWEST ? [whole] : [];
  }
  const lines = kept.map(placed => linesOf(state, placed)).sort((a, b) => a.first - b.first);
  const found: Interval[] = [];
  let next = 1;
  for (const { first, last } of lines) {
    found.push({ first: next, last: first - MARGIN - 1, kind: "unchanged" });
    next = Math.max(next, last + MARGIN + 1);
  }
  found.push({ first: next, last: state.doc.lines, kind: "unchanged" });
  return [...found.filter(one => one.last - one.first + 1 >= FEWEST), ...large];
}

function middleOf(state: EditorState, block: Placed): Interval[] {
  const { first, last } = linesOf(state, block);
  if (last - first + 1 < LARGE_ADDITION) return [];
  return [{ first: first + SHOWN_OF_ADDITION, last: last - MARGIN, kind: "added" }];
}

function linesOf(state: EditorState, { from, to }: Placed): { first: number; last: number } {
  return { first: state.doc.lineAt(from).number, last: state.doc.lineAt(to).number };
}

function drawn(state: EditorState, intervals: Interval[]): DecorationSet {
  return RangeSet.of(
    intervals.map(({ first, last, kind }) => folded(state, first, last, kind)),
    true,
  );
}

function folded(state: EditorState, first: number, last: number, kind: FoldKind): Range<Decoration> {
  const from = state.doc.line(first).from;
  const lines = last - first + 1;
  const widget = new Part(Fold, { lines, kind, step: STEP }, `${kind} ${lines}`, HEIGHT);
  return Decoration.replace({ widget, block: true, kind }).range(from, state.doc.line(last).to);
}

/** What came to stand in a fold must be seen. Nothing is folded that is read now. */
function withoutNews(state: EditorState, known: DecorationSet): DecorationSet {
  const sheet = state.field(sheetField);
  const news = [...sheet.blocks, ...sheet.hunks, ...sheet.proposals, ...sheet.notes];
  const isAddition = (from: number, to: number) =>
    sheet.blocks.some(block => block.from <= from && to <= block.to);
  const isNews = (from: number, to: number) => news.some(placed => placed.from <= to && placed.to >= from);
  // What was added and is accepted by now stays folded, as lines like all others.
  const accepted: Range<Decoration>[] = [];
  known.between(0, state.doc.length, (from, to, value) => {
    if (value.spec["kind"] !== "added" || isNews(from, to)) return;
    const { first, last } = linesOf(state, { from, to });
    if (last > first) accepted.push(folded(state, first, last, "unchanged"));
  });
  return known.update({
    filter: (from, to, value) => (value.spec["kind"] === "added" ? isAddition(from, to) : !isNews(from, to)),
    add: accepted,
  });
}

function opened(
  state: EditorState,
  known: DecorationSet,
  { position, part }: { position: number; part: "above" | "below" | "all" },
): DecorationSet {
  const left: Range<Decoration>[] = [];
  known.between(position, position, (from, to, value) => {
    const { first, last } = linesOf(state, { from, to });
    const start = part === "above" ? first + STEP : first;
    const end = part === "below" ? last - STEP : last;
    const kind = value.spec["kind"] as FoldKind;
    if (part !== "all" && end - start + 1 >= FEWEST) left.push(folded(state, start, end, kind));
  });
  return known.update({ filterFrom: position, filterTo: position, filter: () => false, add: left });
}

function aroundCursor(transaction: Transaction, known: DecorationSet): DecorationSet {
  const { main } = transaction.newSelection;
  const hides = (from: number, to: number) =>
    (main.head > from && main.head < to) || (main.anchor > from && main.anchor < to);
  return known.update({ filter: (from, to) => !hides(from, to) });
}
