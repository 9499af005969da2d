/** Added lines and changed words, drawn for what is on the screen only. */

import { RangeSetBuilder } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { colourClass } from "../rules/colours";
import { NO_WORDS, type Words, changedWords } from "../rules/words";
import type { FileHunkDocument } from "../wire/contract";
import { isIn } from "../rules/groups";
import { type Look, isHidden, isQuiet, lookField, setLook } from "./looking";
import { type PlacedBlock, type Sheet, hunkAt, setSheet, sheetField } from "./sheet";

const ADDED_WORD = Decoration.mark({ class: "added-word" });

export const marks = ViewPlugin.fromClass(
  class {
    drawn: DecorationSet;

    constructor(view: EditorView) {
      this.drawn = draw(view);
    }

    update(update: ViewUpdate) {
      const told = update.transactions.some(one => one.effects.some(e => e.is(setSheet) || e.is(setLook)));
      if (told || update.docChanged || update.viewportChanged) this.drawn = draw(update.view);
    }
  },
  { decorations: plugin => plugin.drawn },
);

interface Mark {
  from: number;
  to: number;
  value: Decoration;
}

function draw(view: EditorView): DecorationSet {
  const sheet = view.state.field(sheetField);
  const look = view.state.field(lookField);
  const found: Mark[] = [];
  for (const { from, to } of view.visibleRanges) {
    for (const block of sheet.blocks) {
      if (block.from > to || block.to < from || block.from === block.to) continue;
      found.push(...blockMarks(view, sheet, look, block, Math.max(from, block.from), Math.min(to, block.to)));
    }
    for (const placed of sheet.proposals) {
      if (placed.from > to || placed.to < from || placed.from === placed.to) continue;
      if (!isHidden(look, placed.hunk))
        found.push(...lineMarks(view, placed.from, placed.to, () => "held-line"));
    }
  }
  found.sort((a, b) => a.from - b.from || a.value.startSide - b.value.startSide);
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to, value } of found) builder.add(from, to, value);
  return builder.finish();
}

/** The marks of one block between two positions. */
function blockMarks(
  view: EditorView,
  sheet: Sheet,
  look: Look,
  block: PlacedBlock,
  from: number,
  to: number,
): Mark[] {
  const now = view.state.doc.sliceString(block.from, block.to);
  if (isQuiet(look, block.gone, now)) return [];
  const isFramed = framedBy(look, block) !== null;
  const end = view.state.doc.lineAt(block.to).from;
  const lines = lineMarks(view, from, to, line => {
    const hunk = hunkAt(sheet, line) ?? block.hunks[0];
    if (!hunk || isHidden(look, hunk)) return "";
    const frame = isFramed ? `framed ${line === end ? "frame-end" : ""}` : "";
    return `added-line ${classesOf(look, hunk)} ${frame}`;
  });
  const words = look.words ? wordsOf(block.gone, now) : NO_WORDS;
  const wordMarks = words.new
    .map(range => ({ from: block.from + range.from, to: block.from + range.to, value: ADDED_WORD }))
    .filter(mark => mark.from < to && mark.to > from && mark.to <= view.state.doc.length);
  return [...lines, ...(lines.length ? wordMarks : [])];
}

function classesOf(look: Look, hunk: FileHunkDocument): string {
  return `${colourClass(hunk.turn)} ${isIn(look.lit, hunk) ? "lit" : ""}`;
}

/** Of a group that is pointed at, the hunk that has to do with a block. */
export function framedBy(look: Look, block: PlacedBlock): FileHunkDocument | null {
  return block.hunks.find(hunk => isIn(look.hovered, hunk)) ?? null;
}

function lineMarks(view: EditorView, from: number, to: number, classesAt: (line: number) => string): Mark[] {
  const found: Mark[] = [];
  const { doc } = view.state;
  for (let line = doc.lineAt(from); ; line = doc.line(line.number + 1)) {
    const classes = classesAt(line.from);
    if (classes) found.push({ from: line.from, to: line.from, value: Decoration.line({ class: classes }) });
    if (line.to >= to || line.number === doc.lines) return found;
  }
}

let known = new Map<string, Words>();
const MOST_KNOWN = 400;

/** Which words differ between lines that went (with their last line end) and lines that stand there now. */
export function wordsOf(gone: string, now: string): Words {
  const name = `${gone.length} ${gone}${now}`;
  let found = known.get(name);
  if (!found) {
    found = changedWords(gone.replace(/\n$/, ""), now);
    // The same blocks are asked for with every scroll, but not for ever.
    if (known.size >= MOST_KNOWN) known = new Map();
    known.set(name, found);
  }
  return found;
}
