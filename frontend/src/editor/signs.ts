/** A column of plus and minus signs, with the old numbers of lines that went: colour alone says nothing. */

import { type BlockInfo, type EditorView, GutterMarker, gutter } from "@codemirror/view";
import { isHidden, isQuiet, lookField, setLook } from "./looking";
import { RemovedBlock } from "./removed";
import { hunkAt, setSheet, sheetField } from "./sheet";

class Plus extends GutterMarker {
  override elementClass = "sign-added";

  override toDOM() {
    return document.createTextNode("+");
  }

  override eq() {
    return true;
  }
}

class Minus extends GutterMarker {
  override elementClass = "sign-removed";

  constructor(readonly count: number) {
    super();
  }

  override toDOM() {
    const column = document.createElement("div");
    column.textContent = Array<string>(this.count).fill("−").join("\n");
    return column;
  }

  override eq(other: Minus) {
    return this.count === other.count;
  }
}

class Proposed extends GutterMarker {
  override elementClass = "sign-proposed";

  /** Whether the line would go. */
  constructor(readonly replaces: boolean) {
    super();
  }

  override toDOM() {
    const sign = document.createElement("span");
    sign.title = "An agent proposes something here: it is not in the file yet";
    sign.textContent = this.replaces ? "−" : "◇";
    return sign;
  }

  override eq(other: Proposed) {
    return this.replaces === other.replaces;
  }
}

const PLUS = new Plus();
const INSERTING = new Proposed(false);
const REPLACING = new Proposed(true);

export const signs = gutter({
  class: "signs",
  lineMarker: (view, line) => (isAdded(view, line) ? PLUS : proposedFor(view, line)),
  lineMarkerChange: update =>
    update.docChanged ||
    update.transactions.some(one => one.effects.some(e => e.is(setSheet) || e.is(setLook))),
  widgetMarker: (_, widget) => (widget instanceof RemovedBlock ? new Minus(widget.shownLines) : null),
});

function proposedFor(view: EditorView, line: BlockInfo): Proposed | null {
  const look = view.state.field(lookField);
  const found = view.state
    .field(sheetField)
    .proposals.find(
      ({ from, to, hunk }) =>
        !isHidden(look, hunk) && (from === line.from || (from < line.from && line.from < to)),
    );
  return found ? (found.hunk.old_lines ? REPLACING : INSERTING) : null;
}

function isAdded(view: EditorView, line: BlockInfo): boolean {
  const sheet = view.state.field(sheetField);
  const look = view.state.field(lookField);
  const block = sheet.blocks.find(({ from, to }) => from < to && from <= line.from && line.from <= to);
  const hunk = block && (hunkAt(sheet, line.from) ?? block.hunks[0]);
  return Boolean(
    block &&
    hunk &&
    !isHidden(look, hunk) &&
    !isQuiet(look, block.gone, view.state.doc.sliceString(block.from, block.to)),
  );
}
