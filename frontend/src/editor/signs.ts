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

  override toDOM() {
    const sign = document.createElement("span");
    sign.title = "An agent proposes something here: it is not in the file yet";
    sign.textContent = "◇";
    return sign;
  }

  override eq() {
    return true;
  }
}

const PLUS = new Plus();
const PROPOSED = new Proposed();

export const signs = gutter({
  class: "signs",
  lineMarker: (view, line) => (isAdded(view, line) ? PLUS : isProposedFor(view, line) ? PROPOSED : null),
  lineMarkerChange: update =>
    update.docChanged ||
    update.transactions.some(one => one.effects.some(e => e.is(setSheet) || e.is(setLook))),
  widgetMarker: (_, widget) => (widget instanceof RemovedBlock ? new Minus(widget.shownLines) : null),
});

function isProposedFor(view: EditorView, line: BlockInfo): boolean {
  const look = view.state.field(lookField);
  return view.state
    .field(sheetField)
    .proposals.some(
      ({ from, to, hunk }) =>
        !isHidden(look, hunk) && (from === line.from || (from < line.from && line.from < to)),
    );
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
