/** What stands between the lines: a bar for each hunk, lines that went, proposals, decided hunks, notes. */

import { language } from "@codemirror/language";
import { type EditorState, type Extension, type Range, RangeSet, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, type WidgetType } from "@codemirror/view";
import type { ComponentType } from "preact";
import type { FileHunkDocument, NoteDocument } from "../wire/contract";
import { colourClass } from "../rules/colours";
import { isIn } from "../rules/groups";
import { concernsWholeFile } from "../rules/regions";
import { type Look, isHidden, isQuiet, lookField, setLook } from "./looking";
import { framedBy } from "./marks";
import { Part } from "./part";
import { RemovedBlock, expandRemoved, expandedField } from "./removed";
import {
  type PlacedBlock,
  type PlacedTogether,
  type Sheet,
  isOneDecision,
  setNotes,
  setSheet,
  sheetField,
} from "./sheet";
import { isBeside } from "./side";

const BAR_HEIGHT = 28;
const ROW_HEIGHT = 24;
const LINE_HEIGHT = 20;
const STEP_HEIGHT = 68;

/** In this order at one place. */
const SIDES = {
  aboveAll: -40,
  decided: -30,
  together: -25,
  bar: -20,
  removed: -10,
  afterRemoved: -5,
  proposed: 10,
  note: 20,
};

/** The parts of the page that are drawn between the lines: whoever opens the editor brings them along. */
export interface BlockParts {
  bar: ComponentType<{ hunk: FileHunkDocument }>;
  together: ComponentType<{ hunks: FileHunkDocument[]; added: number; removed: number }>;
  steps: ComponentType<{ hunks: FileHunkDocument[] }>;
  proposed: ComponentType<{ hunk: FileHunkDocument }>;
  decided: ComponentType<{ hunks: FileHunkDocument[] }>;
  note: ComponentType<{ note: NoteDocument; inText: boolean }>;
}

export function blocks(parts: BlockParts): Extension {
  return StateField.define<DecorationSet>({
    create: state => build(state, parts),
    update(drawn, transaction) {
      const told = transaction.effects.some(
        effect =>
          effect.is(setSheet) || effect.is(setNotes) || effect.is(setLook) || effect.is(expandRemoved),
      );
      if (told || transaction.reconfigured) return build(transaction.state, parts);
      return transaction.docChanged ? drawn.map(transaction.changes) : drawn;
    },
    provide: field => EditorView.decorations.from(field),
  });
}

function build(state: EditorState, parts: BlockParts): DecorationSet {
  const sheet = state.field(sheetField);
  const look = state.field(lookField);
  return RangeSet.of(
    [
      ...together(state, look, parts),
      ...bars(sheet, look, parts),
      ...sheet.blocks.flatMap(block => removed(state, look, block)),
      ...proposed(sheet, look, parts),
      ...decided(sheet, look, parts),
      ...noteCards(state, sheet, parts),
    ],
    true,
  );
}

function block(position: number, side: number, widget: WidgetType): Range<Decoration> {
  return Decoration.widget({ widget, side, block: true }).range(position);
}

function bars(sheet: Sheet, look: Look, parts: BlockParts): Range<Decoration>[] {
  const inPlaces = new Set(sheet.together.flatMap(one => shownOf(one, look)).map(hunk => hunk.id));
  return [...sheet.hunks, ...sheet.proposals]
    .filter(({ hunk }) => !isHidden(look, hunk) && !inPlaces.has(hunk.id))
    .map(({ hunk, from }) =>
      block(from, SIDES.bar, new Part(parts.bar, { hunk }, `${hunk.id} ${hunk.digest}`, BAR_HEIGHT)),
    );
}

/** The hunks of a place that are not hidden, if they are still several. */
function shownOf({ hunks }: PlacedTogether, look: Look): FileHunkDocument[] {
  const shown = hunks.filter(hunk => !isHidden(look, hunk));
  return shown.length > 1 ? shown : [];
}

function together(state: EditorState, look: Look, parts: BlockParts): Range<Decoration>[] {
  return state.field(sheetField).together.flatMap(place => {
    const hunks = shownOf(place, look);
    const { added, removed: went, from, to } = place;
    if (!hunks.length) return [];
    const created = hunks.some(concernsWholeFile);
    const name = hunks.map(hunk => `${hunk.id} ${hunk.digest}`).join();
    const bar = new Part(
      parts.together,
      { hunks, added, removed: went },
      `${name} ${added} ${went}`,
      BAR_HEIGHT,
    );
    const found = created ? [] : [block(from, SIDES.together, bar)];
    if (look.openSteps.has(hunks[0]?.id ?? "")) {
      const steps = new Part(parts.steps, { hunks }, name, hunks.length * STEP_HEIGHT);
      // Below the last line, or below what went if no line is left. Of a new file, above all.
      const isBelow = to > from || state.doc.lineAt(to).from !== to;
      const side = isBelow ? SIDES.proposed : SIDES.afterRemoved;
      found.push(created ? block(0, SIDES.aboveAll, steps) : block(to, side, steps));
    }
    return found;
  });
}

function removed(state: EditorState, look: Look, placed: PlacedBlock): Range<Decoration>[] {
  const { from, to, hunks, gone, goneLine } = placed;
  if (!gone || state.facet(isBeside) || hunks.every(hunk => isHidden(look, hunk))) return [];
  const now = state.doc.sliceString(from, to);
  if (isQuiet(look, gone, now)) return [];
  // Not by its line, which moves when something above it is decided.
  const name = `${hunks[0]?.id} ${gone}`;
  const expanded = state.field(expandedField).has(name);
  // After the last line, when that has no line end, there is no line to stand before.
  const isAfter = from === state.doc.length && state.doc.lineAt(from).from !== from;
  const grammar = state.facet(language);
  const lit = hunks.some(hunk => isIn(look.lit, hunk));
  const { words } = look;
  const { baseline } = state.field(sheetField);
  const by = framedBy(look, placed);
  const frame = by ? `framed ${from === to ? "frame-end" : ""} ${colourClass(by.turn)}` : "";
  const widget = new RemovedBlock({
    name,
    gone,
    now,
    goneLine,
    expanded,
    words,
    lit,
    frame,
    grammar,
    baseline,
  });
  return [block(from, isAfter ? SIDES.proposed : SIDES.removed, widget)];
}

function proposed(sheet: Sheet, look: Look, parts: BlockParts): Range<Decoration>[] {
  return sheet.proposals
    .filter(({ hunk }) => hunk.new && !isHidden(look, hunk))
    .map(({ hunk, from, to }) => {
      const height = hunk.new_lines * LINE_HEIGHT;
      const widget = new Part(parts.proposed, { hunk }, `${hunk.id} ${hunk.digest}`, height);
      return from === to ? block(from, SIDES.removed, widget) : block(to, SIDES.proposed, widget);
    });
}

function decided(sheet: Sheet, look: Look, parts: BlockParts): Range<Decoration>[] {
  const isShown = (hunk: FileHunkDocument) => look.allDecided || look.decidedHere.has(hunk.id);
  const shown = sheet.decided.filter(({ hunk }) => isShown(hunk) && !isHidden(look, hunk));
  const rows: { from: number; hunks: FileHunkDocument[] }[] = [];
  for (const { hunk, from } of shown) {
    const row = rows.find(one => one.from === from && one.hunks.some(other => isOneDecision(other, hunk)));
    if (row) row.hunks.push(hunk);
    else rows.push({ from, hunks: [hunk] });
  }
  return rows.map(({ hunks, from }) => {
    const name = hunks.map(hunk => `${hunk.id} ${hunk.status} ${hunk.decisions.join()}`).join(";");
    return block(from, SIDES.decided, new Part(parts.decided, { hunks }, name, ROW_HEIGHT));
  });
}

function noteCards(state: EditorState, sheet: Sheet, parts: BlockParts): Range<Decoration>[] {
  return sheet.notes
    .filter(({ note }) => note.state !== "resolved" && note.state !== "removed")
    .map(({ note, from }) => {
      const name = `${note.id} ${note.state} ${note.kind} ${note.text}`;
      const end = state.doc.lineAt(from).to;
      return block(end, SIDES.note, new Part(parts.note, { note, inText: true }, name, 2 * LINE_HEIGHT));
    });
}
