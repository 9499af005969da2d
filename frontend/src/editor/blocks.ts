/** What stands between the lines: a bar for each hunk, lines that went, proposals, decided hunks, notes. */

import { language } from "@codemirror/language";
import { type EditorState, type Extension, type Range, RangeSet, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, type WidgetType } from "@codemirror/view";
import type { ComponentType } from "preact";
import type { FileHunkDocument, NoteDocument } from "../wire/contract";
import { colourClass } from "../rules/colours";
import { isIn } from "../rules/groups";
import { type Look, isHidden, isQuiet, lookField, setLook } from "./looking";
import { framedBy } from "./marks";
import { Part } from "./part";
import { RemovedBlock, expandRemoved, expandedField } from "./removed";
import { type PlacedBlock, type Sheet, setNotes, setSheet, sheetField } from "./sheet";
import { isBeside } from "./side";

const BAR_HEIGHT = 28;
const ROW_HEIGHT = 24;
const LINE_HEIGHT = 20;

/** In this order at one place. */
const SIDES = { decided: -30, together: -25, bar: -20, removed: -10, proposed: 10, note: 20 };

/** The parts of the page that are drawn between the lines: whoever opens the editor brings them along. */
export interface BlockParts {
  bar: ComponentType<{ hunk: FileHunkDocument }>;
  together: ComponentType<{ hunks: FileHunkDocument[]; added: number; removed: number }>;
  proposed: ComponentType<{ hunk: FileHunkDocument }>;
  decided: ComponentType<{ hunk: FileHunkDocument }>;
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
      ...together(sheet, look, parts),
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
  return [...sheet.hunks, ...sheet.proposals]
    .filter(({ hunk }) => !isHidden(look, hunk))
    .map(({ hunk, from }) =>
      block(from, SIDES.bar, new Part(parts.bar, { hunk }, `${hunk.id} ${hunk.digest}`, BAR_HEIGHT)),
    );
}

function together(sheet: Sheet, look: Look, parts: BlockParts): Range<Decoration>[] {
  return sheet.together
    .filter(({ hunks }) => !hunks.some(hunk => isHidden(look, hunk)))
    .map(({ hunks, added, removed: went, from }) => {
      // Where its first bar stands.
      const first = Math.min(
        from,
        ...sheet.hunks.filter(one => hunks.includes(one.hunk)).map(one => one.from),
      );
      const name = `${hunks.map(hunk => `${hunk.id} ${hunk.digest}`).join()} ${added} ${went}`;
      return block(
        first,
        SIDES.together,
        new Part(parts.together, { hunks, added, removed: went }, name, BAR_HEIGHT),
      );
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
  const by = framedBy(look, placed);
  const frame = by ? `framed ${from === to ? "frame-end" : ""} ${colourClass(by.turn)}` : "";
  const widget = new RemovedBlock({ name, gone, now, goneLine, expanded, words, lit, frame, grammar });
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
  return sheet.decided
    .filter(({ hunk }) => isShown(hunk) && !isHidden(look, hunk))
    .map(({ hunk, from }) => {
      const name = `${hunk.id} ${hunk.status} ${hunk.decisions.join()}`;
      return block(from, SIDES.decided, new Part(parts.decided, { hunk }, name, ROW_HEIGHT));
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
