// In the ordinary editor: what came is tinted, words that went are struck through before those that came.
import {
  type DecorationOptions,
  Disposable,
  OverviewRulerLane,
  Range,
  TabInputTextDiff,
  type TextDocument,
  type TextEditor,
  ThemeColor,
  window,
} from "vscode";
import type { EditorRange, PlacedHunkDocument } from "../../../frontend/src/wire/contract";
import { linesOf, type PlacedHunks, rangeOf } from "./placed";
import { count, lines, printable } from "./words";

const MOST_STRUCK = 500;
const LONGEST_STRUCK = 60;

const came = window.createTextEditorDecorationType({
  isWholeLine: true,
  backgroundColor: new ThemeColor("diffEditor.insertedLineBackground"),
  overviewRulerColor: new ThemeColor("editorOverviewRuler.modifiedForeground"),
  overviewRulerLane: OverviewRulerLane.Left,
});
const words = window.createTextEditorDecorationType({
  backgroundColor: new ThemeColor("diffEditor.insertedTextBackground"),
});
const went = window.createTextEditorDecorationType({
  overviewRulerColor: new ThemeColor("editorOverviewRuler.deletedForeground"),
  overviewRulerLane: OverviewRulerLane.Left,
});
const struck = window.createTextEditorDecorationType({});

export function tintEditors(placed: PlacedHunks): Disposable {
  const draw = (editor: TextEditor) => {
    if (editor.document.uri.scheme === "file") {
      tint(editor, isDiff(editor) ? [] : placed.drawn(editor.document));
    }
  };
  const drawAll = (document: TextDocument) =>
    window.visibleTextEditors.filter(editor => editor.document === document).forEach(draw);
  return Disposable.from(
    placed.onChange(drawAll),
    window.onDidChangeVisibleTextEditors(editors => editors.forEach(draw)),
    window.tabGroups.onDidChangeTabs(() => window.visibleTextEditors.forEach(draw)),
    ...[came, words, went, struck],
  );
}

/** A side of a diff shows what came and went by itself. Those of a diff of many files are in no column. */
function isDiff({ viewColumn }: TextEditor): boolean {
  const group = window.tabGroups.all.find(one => one.viewColumn === viewColumn);
  return !group || group.activeTab?.input instanceof TabInputTextDiff;
}

function tint(editor: TextEditor, hunks: PlacedHunkDocument[]): void {
  const inText = hunks.filter(hunk => hunk.range && !hunk.held && !hunk.ahead);
  const standing = inText.filter(hunk => hunk.new_lines > 0);
  editor.setDecorations(
    came,
    standing.map(hunk => {
      const [first, last] = linesOf(hunk);
      return new Range(first, 0, last, 0);
    }),
  );
  editor.setDecorations(
    words,
    standing.flatMap(hunk => hunk.new_words.map(rangeOf)),
  );
  editor.setDecorations(
    went,
    inText.filter(hunk => hunk.new_lines === 0).map(hunk => rangeOf(hunk.range as EditorRange)),
  );
  editor.setDecorations(
    struck,
    hunks.flatMap(hunk => attachments(editor.document, hunk)).slice(0, MOST_STRUCK),
  );
}

/** What is not in the text, as far as it fits into lines that are. */
function attachments(document: TextDocument, hunk: PlacedHunkDocument): DecorationOptions[] {
  if (!hunk.range) return [];
  const comes = hunk.held || hunk.ahead;
  if (comes || hunk.new_lines === 0) {
    const [first, ...more] = lines(comes ? hunk.new : hunk.old);
    if (first === undefined) return [];
    const rest = more.length > 0 ? `  … ${count(more.length, "line")} more` : "";
    const at = document.lineAt(Math.min(hunk.range.start.line, document.lineCount - 1)).range.end;
    return [
      attachment(new Range(at, at), `${printable(first.trim(), LONGEST_STRUCK)}${rest}`, "after", comes),
    ];
  }
  return hunk.gone_words.map(({ at, text }) => {
    const place = rangeOf({ start: at, end: at });
    return attachment(place, printable(text, LONGEST_STRUCK), "before", false);
  });
}

function attachment(
  range: Range,
  contentText: string,
  side: "before" | "after",
  isProposed: boolean,
): DecorationOptions {
  const kind = isProposed ? "inserted" : "removed";
  return {
    range,
    renderOptions: {
      [side]: {
        contentText,
        textDecoration: isProposed ? "none" : "line-through",
        backgroundColor: new ThemeColor(`diffEditor.${kind}TextBackground`),
        color: new ThemeColor("editorGhostText.foreground"),
        margin: side === "after" ? "0 0 0 2em" : "0",
      },
    },
  };
}
