/** The open file in the editor: its text to type in, and all that is to be decided about it. */

import { defaultKeymap, history, historyField, historyKeymap } from "@codemirror/commands";
import { searchKeymap } from "@codemirror/search";
import { Compartment, EditorSelection, type Extension, Text, type TransactionSpec } from "@codemirror/state";
import { EditorView, type ViewUpdate, keymap } from "@codemirror/view";
import type { FilePage } from "../wire/client";
import { newLines, oldLines } from "../rules/regions";
import type { FileHunkDocument, NoteDocument, SpanDocument } from "../wire/contract";
import { authors, spansAt } from "./authors";
import { type BlockParts, blocks } from "./blocks";
import { foldedAtFirst, folds } from "./folding";
import { extentOf, lineSeparator, withLineEnds } from "./lines";
import { type Look, isSameLook, lookField, setLook } from "./looking";
import { marks } from "./marks";
import { expandedField, oldNumbers } from "./removed";
import { colour, common, setWrapping } from "./setup";
import { hunkAt, moved, notesOn, placeOf, setNotes, setSheet, sheetField, sheetOf } from "./sheet";
import { isBeside } from "./side";
import { signs } from "./signs";
import { Split } from "./split";
import { Typing } from "./typing";
import { REVIEWING } from "./reviewing";
import { refold, unfoldAll } from "./unfolding";
import { widths } from "./widths";

/** How far below the upper edge a bar is shown. */
const BAR_MARGIN = 60;
/** How often it is looked whether a bar is on the screen. */
const LOOKS = 3;

export interface Cursor {
  line: number;
  /** The lines of a selection that is not empty. */
  lines: { start: number; end: number } | null;
  hunk: string | null;
}

export interface ProofOptions {
  split: boolean;
  wrap: boolean;
  look: Look;
  parts: BlockParts;
  onTyped: () => void;
  /** The person wants to type here. */
  onWish: () => void;
  onMoved: (cursor: Cursor) => void;
  onBlurred: () => void;
}

/** Puts the cursor at the beginning of a line, and the line on the screen. */
function toLine(from: number): TransactionSpec {
  return {
    selection: EditorSelection.cursor(from),
    effects: EditorView.scrollIntoView(from, { y: "center" }),
  };
}

export class Proof {
  readonly path: string;
  /** Names the text that the server has. */
  revision: string | null;
  /** Where the person types. */
  view: EditorView;
  private split: Split | null = null;
  private readonly reviewing = new Compartment();
  private isTyping = false;
  /** The hunk that was gone to last. */
  private sought = "";
  /** The hunk that it was made at, until somebody goes anywhere. */
  private begunAt: string | null = null;
  readonly typing: Typing;
  private readonly separator: "\n" | "\r\n";
  private baseline: string;
  private notes: readonly NoteDocument[];
  private look: Look;
  /** All of it: it may be made before there is a place for it on the page. */
  readonly dom = document.createElement("div");

  constructor(
    /** The page that it shows. */
    private page: FilePage,
    notes: readonly NoteDocument[],
    private readonly options: ProofOptions,
    at: string | null = null,
  ) {
    this.dom.className = "proof";
    this.path = page.path;
    this.revision = page.revision;
    this.separator = lineSeparator(page.live ?? "");
    const flat = withLineEnds(page, this.separator);
    this.baseline = flat.baseline ?? "";
    this.notes = notes;
    this.look = options.look;
    // With all that is known of it from the beginning: a text that is told afterwards is drawn twice.
    const known = [
      sheetField.init(({ doc }) => sheetOf(flat, notes, doc)),
      folds.init(state => foldedAtFirst(state)),
    ];
    this.view = this.build(flat.live ?? "", EditorSelection.single(0), known, options.split);
    this.typing = new Typing(this.view.state);
    this.split?.pair(this.baseline);
    this.begin(at);
  }

  private begin(hunk: string | null): void {
    const place = hunk === null ? null : placeOf(this.view.state.field(sheetField), hunk);
    if (!place) return;
    this.view.dispatch(toLine(this.view.state.doc.lineAt(place.from).from));
    this.begunAt = hunk;
  }

  /** Shows it in a box, as if it had been made there. */
  appear(box: HTMLElement): void {
    box.append(this.dom);
    this.view.requestMeasure();
    this.split?.merge.a.requestMeasure();
    this.options.onMoved(this.cursor());
  }

  /** Whether a text can be shown here at all, with the line ends it has. */
  fits(page: FilePage): boolean {
    return page.path === this.path && page.live !== null && lineSeparator(page.live) === this.separator;
  }

  /** Whether the text of a page is what is here, but for what was typed since. */
  hasTextOf(page: FilePage): boolean {
    return this.typing.base.eq(this.view.state.toText(page.live ?? ""));
  }

  /** Takes a newer text in, around what was typed, and what is known of it. */
  show(page: FilePage, notes: readonly NoteDocument[]): void {
    if (page === this.page) return;
    this.page = page;
    this.revision = page.revision;
    const text = this.typing.receive(this.view.state.toText(page.live ?? ""));
    this.tell(withLineEnds(page, this.separator), notes, text);
  }

  showNotes(notes: readonly NoteDocument[]): void {
    if (notes === this.notes) return;
    this.notes = notes;
    const placed = notesOn(this.path, notes, this.view.state.doc);
    this.view.dispatch({ effects: setNotes.of(placed) });
  }

  /** Takes in what the server made of what was typed; what is known of it follows. */
  saved(text: string, revision: string): void {
    this.revision = revision;
    this.typing.arrived();
    this.view.dispatch(this.typing.receive(this.view.state.toText(text)));
  }

  /** In one step, so that what is on the screen stays where it is. */
  private tell(flat: FilePage, notes: readonly NoteDocument[], text: TransactionSpec): void {
    this.baseline = flat.baseline ?? "";
    this.notes = notes;
    // What is known is about the text that the server has; here, it may have been typed into.
    const sheet = moved(sheetOf(flat, notes, this.typing.base), this.typing.pending);
    this.view.dispatch({ ...text, effects: [setSheet.of(sheet), setLook.of(this.look)] });
    this.split?.pair(this.baseline);
  }

  private build(text: string, selection: EditorSelection, more: Extension[], split: boolean): EditorView {
    const doc = Text.of(text.split("\n"));
    const { path, separator } = this;
    const shown = { path, wrap: this.options.wrap, separator, lines: doc.lines };
    const extensions: Extension = [
      ...more,
      history(),
      keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap]),
      sheetField,
      lookField.init(() => this.options.look),
      expandedField,
      isBeside.of(split),
      authors,
      common({ ...shown, label: "Text of" }),
      oldNumbers,
      signs,
      marks,
      blocks(this.options.parts),
      folds,
      widths,
      EditorView.updateListener.of(update => this.updated(update)),
      this.reviewing.of(this.isTyping ? [] : REVIEWING),
      EditorView.contentAttributes.of({ "data-text": "open" }),
      EditorView.domEventHandlers({
        blur: () => this.options.onBlurred(),
        dblclick: () => this.options.onWish(),
      }),
    ];
    let view: EditorView;
    if (split) {
      const left = common({ ...shown, label: "Baseline of" });
      this.split = new Split(this.dom, this.baseline, left, { doc, selection, extensions });
      view = this.split.merge.b;
      void colour(this.split.merge.a, this.path);
    } else {
      view = new EditorView({ parent: this.dom, doc, selection, extensions });
    }
    void colour(view, this.path);
    return view;
  }

  /** One text below the other, or side by side; what was typed can still be undone. */
  arrange(split: boolean): void {
    if (split === (this.split !== null)) return;
    const { state } = this.view;
    const sheet = state.field(sheetField);
    const line = this.firstLineInSight();
    const kept = [historyField.init(() => state.field(historyField)), folds.init(() => state.field(folds))];
    this.clear();
    this.view = this.build(state.doc.toString(), state.selection, kept, split);
    this.view.dispatch({ effects: [setSheet.of(sheet), setLook.of(this.look)] });
    this.split?.pair(this.baseline);
    const { from } = state.doc.line(line);
    this.view.dispatch({ effects: EditorView.scrollIntoView(from, { y: "start" }) });
  }

  private updated(update: ViewUpdate): void {
    if (this.typing.observe(update.transactions)) this.options.onTyped();
    const told = update.transactions.some(one => one.effects.some(effect => effect.is(setSheet)));
    if (update.selectionSet || update.docChanged || told) this.options.onMoved(this.cursor());
    if (this.split && update.startState.field(folds) !== update.state.field(folds)) this.split.draw();
    else if (update.geometryChanged) this.split?.measured();
  }

  cursor(): Cursor {
    const { doc, selection } = this.view.state;
    const { from, to, head, empty } = selection.main;
    const start = doc.lineAt(from).number;
    // A selection that ends at the beginning of a line does not mean that line.
    const end = doc.lineAt(to > from && doc.lineAt(to).from === to ? to - 1 : to).number;
    const hunk = hunkAt(this.view.state.field(sheetField), doc.lineAt(head).from);
    return { line: doc.lineAt(head).number, lines: empty ? null : { start, end }, hunk: hunk?.id ?? null };
  }

  /** The whole text, with its own line ends. */
  text(): string {
    return this.view.state.sliceDoc();
  }

  /** The text that what was typed starts from. */
  baseText(): string {
    return this.typing.base.sliceString(0, undefined, this.separator);
  }

  setLook(look: Look): void {
    this.look = look;
    const { state } = this.view;
    const drawn = state.field(lookField);
    const { decided } = state.field(sheetField);
    // What was decided elsewhere changes nothing here, and is told with the next page.
    const isOfHere = decided.some(
      ({ hunk }) => look.decidedHere.has(hunk.id) !== drawn.decidedHere.has(hunk.id),
    );
    if (!isOfHere && isSameLook({ ...look, decidedHere: drawn.decidedHere }, drawn)) return;
    this.view.dispatch({ effects: setLook.of(look) });
    this.view.dom.classList.toggle("dimmed", look.lit !== null);
  }

  setWrap(wrap: boolean): void {
    if (wrap === this.view.lineWrapping) return;
    setWrapping(this.view, wrap);
    if (this.split) setWrapping(this.split.merge.a, wrap);
  }

  /** Folds what is far from any change, or opens all folds. */
  fold(folded: boolean): void {
    this.view.dispatch({ effects: folded ? refold.of(null) : unfoldAll.of(null) });
  }

  /** Goes to a hunk; whether it is in the text. */
  goTo(hunk: string): boolean {
    const place = placeOf(this.view.state.field(sheetField), hunk);
    if (!place) return false;
    this.sought = hunk;
    if (this.begunAt !== hunk) this.reveal(this.view.state.doc.lineAt(place.from).number);
    this.begunAt = null;
    this.bringDown(hunk);
    return true;
  }

  /** A part of the page inside the text has become larger or smaller. */
  measure(): void {
    this.view.requestMeasure();
  }

  /**
   * Above a line there may be more than fits on the screen: then the bar of the hunk is what is shown. The editor
   * scrolls when it has measured, in the next frame; what is drawn there may be taller than was thought.
   */
  private bringDown(hunk: string, again = LOOKS): void {
    const { view } = this;
    requestAnimationFrame(() => {
      if (this.sought !== hunk || this.view !== view) return;
      const scroller = this.scroller();
      const bar = view.contentDOM.querySelector(`[data-hunk="${CSS.escape(hunk)}"]`);
      const hidden = bar
        ? scroller.getBoundingClientRect().top + BAR_MARGIN - bar.getBoundingClientRect().top
        : 0;
      if (hidden > 0) scroller.scrollTop -= hidden;
      if (again && (hidden > 0 || !bar)) this.bringDown(hunk, again - 1);
    });
  }

  private scroller(): HTMLElement {
    return this.split?.merge.dom ?? this.view.scrollDOM;
  }

  /** Puts the cursor on a line and the line on the screen. */
  reveal(line: number): void {
    const { doc } = this.view.state;
    const { from } = doc.line(Math.min(Math.max(line, 1), doc.lines));
    this.select(toLine(from));
  }

  /** Moves the cursor by lines, past what is folded; `extend` selects. */
  moveBy(step: 1 | -1, extend: boolean): void {
    const { anchor } = this.view.state.selection.main;
    const head = this.lineBeside(step, extend);
    const range = extend ? EditorSelection.range(anchor, head) : EditorSelection.cursor(head);
    this.select({ selection: range, scrollIntoView: true });
  }

  /** Where the next line begins that is not folded. By lines, not by pixels: the next key may come before those. */
  private lineBeside(step: 1 | -1, extend: boolean): number {
    const { doc, selection } = this.view.state;
    const here = doc.lineAt(selection.main.head);
    let number = here.number + step;
    if (number >= 1 && number <= doc.lines) {
      const { from } = doc.line(number);
      this.view.state.field(folds).between(from, from, (start, end) => {
        number = doc.lineAt(step > 0 ? end : start).number + step;
      });
    }
    if (number >= 1 && number <= doc.lines) return doc.line(number).from;
    return step > 0 && extend ? here.to : here.from;
  }

  /** Selects the line with the cursor, to be decided by itself. */
  selectLine(): void {
    const { doc, selection } = this.view.state;
    const { from, to } = doc.lineAt(selection.main.head);
    this.select({ selection: EditorSelection.range(from, Math.min(to + 1, doc.length)) });
  }

  unselect(): void {
    this.select({ selection: EditorSelection.cursor(this.view.state.selection.main.head) });
  }

  /** Without the focus the editor leaves the browser's own selection as it is, and would take it up again. */
  private select(change: TransactionSpec): void {
    const native = document.getSelection();
    if (!this.view.hasFocus && native?.anchorNode && this.view.contentDOM.contains(native.anchorNode)) {
      native.removeAllRanges();
    }
    this.begunAt = null;
    this.view.dispatch({ ...change, userEvent: "select" });
  }

  setTyping(isTyping: boolean): void {
    if (isTyping === this.isTyping) return;
    this.isTyping = isTyping;
    this.view.dispatch({ effects: this.reviewing.reconfigure(isTyping ? [] : REVIEWING) });
  }

  focus(): void {
    this.view.focus();
  }

  authorsAt(line: number): SpanDocument[] {
    const { doc } = this.view.state;
    return spansAt(this.view, doc.line(Math.min(line, doc.lines)));
  }

  /** Where a hunk stands in this text, or would if it were a proposal. */
  placeOf(hunk: FileHunkDocument): { from: number; to: number } {
    const known = placeOf(this.view.state.field(sheetField), hunk.id);
    return known ?? extentOf(this.view.state.doc, hunk.held ? oldLines(hunk) : newLines(hunk));
  }

  /** Whether any of these places is on the screen. */
  isInSight(places: readonly { from: number; to: number }[]): boolean {
    const { from, to } = this.sight();
    return places.some(place => place.from <= to && place.to >= from);
  }

  /** Whether all of these places come after the line with the cursor. */
  isBelowCursor(places: readonly { from: number; to: number }[]): boolean {
    const { doc, selection } = this.view.state;
    const { to } = doc.lineAt(selection.main.head);
    return places.every(place => place.from >= to);
  }

  private sight(): { from: number; to: number } {
    const { top, bottom } = this.scroller().getBoundingClientRect();
    const first = this.view.lineBlockAtHeight(top - this.view.documentTop);
    const last = this.view.lineBlockAtHeight(bottom - this.view.documentTop);
    return { from: first.from, to: last.to };
  }

  private firstLineInSight(): number {
    return this.view.state.doc.lineAt(this.sight().from).number;
  }

  private clear(): void {
    if (this.split) this.split.destroy();
    else this.view.destroy();
    this.split = null;
  }

  destroy(): void {
    this.clear();
    this.dom.remove();
  }
}
