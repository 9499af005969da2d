/** What is known of the open file, at its places in the text; it moves along while somebody types. */

import { type ChangeDesc, StateEffect, StateField, type Text } from "@codemirror/state";
import { places } from "../rules/places";
import { type Region, concernsWholeFile, newLines, proposals, regions } from "../rules/regions";
import type { FilePage } from "../wire/client";
import type { FileHunkDocument, NoteDocument, SpanDocument } from "../wire/contract";
import { extentOf, startOf } from "./lines";

export interface Placed {
  from: number;
  to: number;
}

/** Lines that differ, and the hunks that made them so. */
export interface PlacedBlock extends Placed {
  hunks: FileHunkDocument[];
  /** Lines of the baseline that are not in the text. */
  gone: string;
  /** From one: the line of the baseline on which they begin. */
  goneLine: number;
}

/** Several undecided hunks that have to do with the same lines. */
export interface PlacedTogether extends Placed {
  hunks: FileHunkDocument[];
  /** Lines that come and go with all of them. */
  added: number;
  removed: number;
}

export interface PlacedHunk extends Placed {
  hunk: FileHunkDocument;
}

export interface PlacedNote extends Placed {
  note: NoteDocument;
}

export interface PlacedSpan extends Placed {
  span: SpanDocument;
}

export interface Sheet {
  /** The text that was agreed to, with which the text is compared. */
  baseline: string;
  /** The whole file is new: every line is an addition. */
  created: FileHunkDocument | null;
  /** It got another name or mode: the text is not what there is to read. */
  moved: boolean;
  blocks: PlacedBlock[];
  hunks: PlacedHunk[];
  together: PlacedTogether[];
  /** Held hunks, at the lines that they would replace. */
  proposals: PlacedHunk[];
  decided: PlacedHunk[];
  notes: PlacedNote[];
  spans: PlacedSpan[];
}

export const EMPTY: Sheet = {
  baseline: "",
  created: null,
  moved: false,
  blocks: [],
  hunks: [],
  together: [],
  proposals: [],
  decided: [],
  notes: [],
  spans: [],
};

/** `page` must have the line ends of the document: see `withLineEnds`. */
export function sheetOf(page: FilePage, notes: readonly NoteDocument[], doc: Text): Sheet {
  const placed = regions(page.hunks, page.baseline ?? "", page.live ?? "");
  const pending = page.hunks.filter(hunk => hunk.status === "pending");
  const whole = page.hunks.filter(hunk => hunk.status !== "pending" && concernsWholeFile(hunk));
  return {
    baseline: page.baseline ?? "",
    created: pending.find(hunk => hunk.kind === "create") ?? null,
    moved: pending.some(hunk => hunk.kind === "rename" || hunk.kind === "mode"),
    blocks: placed.flatMap(({ hunks, blocks }) =>
      blocks.map(({ old, new: now, gone }) => ({
        ...extentOf(doc, now),
        hunks,
        gone,
        goneLine: old.from + 1,
      })),
    ),
    hunks: placed
      .flatMap(region => region.hunks)
      .filter(hunk => !concernsWholeFile(hunk))
      .map(hunk => ({ hunk, ...extentOf(doc, newLines(hunk)) })),
    together: places(pending)
      .filter(place => place.length > 1)
      .map(hunks => placedTogether(hunks, placed, doc)),
    proposals: proposals(page.hunks, placed).map(({ hunk, replaces }) => ({
      hunk,
      ...extentOf(doc, replaces),
    })),
    decided: page.hunks
      .filter(hunk => isDecidedByHand(hunk) && !concernsWholeFile(hunk))
      // What went with the whole file is said there.
      .filter(hunk => !whole.some(other => isOneDecision(other, hunk)))
      .map(hunk => ({ hunk, from: startOf(doc, newLines(hunk).from), to: startOf(doc, newLines(hunk).from) }))
      .sort((a, b) => a.from - b.from),
    notes: notesOn(page.path, notes, doc),
    spans: page.spans.map(span => ({
      span,
      ...extentOf(doc, { from: span.start_line - 1, to: span.end_line }),
    })),
  };
}

function placedTogether(hunks: FileHunkDocument[], placed: readonly Region[], doc: Text): PlacedTogether {
  const extents = hunks.map(hunk => extentOf(doc, newLines(hunk)));
  const blocks = placed
    .filter(region => region.hunks.some(hunk => hunks.includes(hunk)))
    .flatMap(region => region.blocks);
  const sum = (of: "old" | "new") => blocks.reduce((all, block) => all + block[of].to - block[of].from, 0);
  return {
    from: Math.min(...extents.map(({ from }) => from)),
    to: Math.max(...extents.map(({ to }) => to)),
    hunks,
    added: sum("new"),
    removed: sum("old"),
  };
}

/** The notes on the lines of a file. */
export function notesOn(path: string, notes: readonly NoteDocument[], doc: Text): PlacedNote[] {
  return notes
    .filter(note => note.path === path && note.line !== null)
    .map(note => {
      const line = doc.line(Math.min(Math.max(note.line ?? 1, 1), doc.lines));
      return { note, from: line.from, to: line.to };
    });
}

/** What people do to their own files is accepted as it arrives, and no news to them. */
function isDecidedByHand(hunk: FileHunkDocument): boolean {
  return hunk.status !== "pending" && hunk.actor.kind !== "person" && hunk.actor.kind !== "external";
}

/** Whether the same decision was the last about both. */
export function isOneDecision(a: FileHunkDocument, b: FileHunkDocument): boolean {
  return a.status === b.status && a.decisions.length > 0 && a.decisions.at(-1) === b.decisions.at(-1);
}

export const setSheet = StateEffect.define<Sheet>();
export const setNotes = StateEffect.define<PlacedNote[]>();

export const sheetField = StateField.define<Sheet>({
  create: () => EMPTY,
  update(sheet, transaction) {
    let found = transaction.docChanged ? moved(sheet, transaction.changes) : sheet;
    for (const effect of transaction.effects) {
      if (effect.is(setSheet)) found = effect.value;
      else if (effect.is(setNotes)) found = { ...found, notes: effect.value };
    }
    return found;
  },
});

export function moved(sheet: Sheet, changes: ChangeDesc): Sheet {
  const move = <T extends Placed>(placed: T[]): T[] =>
    placed.map(one => ({ ...one, from: changes.mapPos(one.from, -1), to: changes.mapPos(one.to, 1) }));
  return {
    baseline: sheet.baseline,
    created: sheet.created,
    moved: sheet.moved,
    blocks: move(sheet.blocks),
    hunks: move(sheet.hunks),
    together: move(sheet.together),
    proposals: move(sheet.proposals),
    decided: move(sheet.decided),
    notes: move(sheet.notes),
    spans: move(sheet.spans),
  };
}

/** The smallest hunk around a position. */
export function hunkAt(sheet: Sheet, position: number): FileHunkDocument | null {
  const around = [...sheet.hunks, ...sheet.proposals].filter(
    placed => placed.from <= position && position <= placed.to,
  );
  around.sort((a, b) => a.to - a.from - (b.to - b.from));
  return around[0]?.hunk ?? sheet.created;
}

/** Where a hunk stands, if it stands in the text. */
export function placeOf(sheet: Sheet, id: string): Placed | null {
  const all = [...sheet.hunks, ...sheet.proposals, ...sheet.decided];
  return all.find(placed => placed.hunk.id === id) ?? null;
}
