/** The text while it is reviewed: to be read and selected by lines, and the keys are commands. */

import { EditorState, type Extension, type Range } from "@codemirror/state";
import { Decoration, EditorView } from "@codemirror/view";

const SELECTED = Decoration.line({ class: "selected-line" });

/** Whole lines are decided, so whole lines are shown as selected. */
const selectedLines = EditorView.decorations.compute(["selection"], ({ doc, selection }) => {
  const { from, to, empty } = selection.main;
  if (empty) return Decoration.none;
  const found: Range<Decoration>[] = [];
  // A selection that ends at the beginning of a line does not mean that line.
  const last = doc.lineAt(doc.lineAt(to).from === to ? to - 1 : to).number;
  for (let number = doc.lineAt(from).number; number <= last; number += 1) {
    found.push(SELECTED.range(doc.line(number).from));
  }
  return Decoration.set(found);
});

/** It has the focus all the same, for the line with the cursor. */
export const REVIEWING: Extension = [
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  EditorView.contentAttributes.of({ tabindex: "0", "aria-readonly": "true" }),
  selectedLines,
];
