// From one undecided change to the next, in any file.
import {
  commands,
  Disposable,
  Selection,
  type Tab,
  type TextEditor,
  TextEditorRevealType,
  type Uri,
  window,
  workspace,
} from "vscode";
import type { HunkEntry } from "../../../frontend/src/wire/contract";
import { isReview, isReviewOfMany } from "./agreed";
import type { Cells } from "./cells";
import { heard } from "./heard";
import { inTurn } from "./in-turn";
import { inDiff, shownFile } from "./open-texts";
import { linesOf, type PlacedHunks } from "./placed";
import { fileOf, type Projects } from "./projects";
import { nothingHere } from "./verbs";

type Way = 1 | -1;

export class Going {
  constructor(
    private readonly projects: Projects,
    private readonly placed: PlacedHunks,
    private readonly cells: Cells,
  ) {}

  register(): Disposable {
    return Disposable.from(
      commands.registerCommand("blueline.next", () => inTurn(() => this.step(1))),
      commands.registerCommand("blueline.previous", () => inTurn(() => this.step(-1))),
      commands.registerCommand("blueline.goTo", (root: string, hunk: HunkEntry) => this.to(root, hunk)),
    );
  }

  /** From a change that was just decided to what is behind it. */
  async on(root: string): Promise<void> {
    this.projects.forget(root);
    const before = window.tabGroups.activeTabGroup.activeTab;
    const shown = window.activeTextEditor?.document;
    if (shown) await this.placed.look(shown);
    await this.step(1, true);
    if (before) await this.leave(before);
  }

  /** A diff in which nothing is left is not in the way of the others: a text that was written keeps its tab. */
  private async leave(tab: Tab): Promise<void> {
    const { activeTab, tabs } = window.tabGroups.activeTabGroup;
    if (tab === activeTab || tab.isDirty || !tabs.includes(tab)) return;
    const file = inDiff(tab)?.modified.with({ scheme: "file" });
    if (!file || !isReview(tab) || (await this.projects.pendingIn(file)).length > 0) return;
    await window.tabGroups.close(tab, true);
  }

  /** To a change that is undecided again. */
  async back(root: string, id: string): Promise<void> {
    this.projects.forget(root);
    const hunk = (await this.projects.pending(root)).find(one => one.id === id);
    if (hunk) await this.to(root, hunk);
  }

  /** To the next undecided change in this file, which may be at the cursor, or else in the next that has some. */
  private async step(by: Way, orHere = false): Promise<void> {
    const root = await this.projects.current();
    if (root === undefined) return void nothingHere();
    if ((await this.stepInNotebook(root, by)) || (await this.stepInText(root, by, orHere))) return;
    const pending = await this.projects.pending(root);
    if (pending.length === 0) {
      window.setStatusBarMessage("$(check) Blueline: everything is decided", 4000);
    } else if (!(await this.stepInMany(by))) {
      const wanted = beyond(pending, root, shownFile(), by);
      if (wanted) await this.to(root, wanted);
    }
  }

  private async stepInNotebook(root: string, by: Way): Promise<boolean> {
    const editor = window.activeNotebookEditor;
    if (!editor || this.projects.rootOf(editor.notebook.uri) !== root) return false;
    const at = editor.selection.start + 1;
    const own = (await this.projects.pendingIn(editor.notebook.uri)).filter(
      ({ cell }) => cell && (by > 0 ? cell.index > at : cell.index < at),
    );
    const next = by > 0 ? own[0] : own.at(-1);
    if (next) await this.cells.show(editor, next);
    return next !== undefined;
  }

  private async stepInText(root: string, by: Way, orHere: boolean): Promise<boolean> {
    const editor = window.activeTextEditor;
    if (!editor || this.projects.rootOf(editor.document.uri) !== root) return false;
    const line = editor.selection.active.line;
    const starts = (await this.placed.of(editor.document)).map(hunk => linesOf(hunk)[0]);
    const further = starts.filter(
      start => (by > 0 ? start > line : start < line) || (orHere && start === line),
    );
    if (further.length === 0) return false;
    await show(editor, by > 0 ? Math.min(...further) : Math.max(...further));
    return true;
  }

  /**
   * In a diff of many files, to the next of them with something undecided. Only VS Code can get there, and it goes
   * by its own diff, round and round: from there, to the change that is ours.
   */
  private async stepInMany(by: Way): Promise<boolean> {
    if (!isReviewOfMany(window.tabGroups.activeTabGroup.activeTab)) return false;
    const before = shownFile()?.toString();
    const seen = new Set<string>();
    for (;;) {
      await commands.executeCommand(`multiDiffEditor.goTo${by > 0 ? "Next" : "Previous"}Change`);
      const editor = window.activeTextEditor;
      const place = `${editor?.document.uri.toString()} ${editor?.selection.active.line}`;
      if (!editor || seen.has(place)) return false;
      seen.add(place);
      if (editor.document.uri.toString() === before) continue;
      const starts = (await this.placed.of(editor.document)).map(hunk => linesOf(hunk)[0]);
      if (starts.length === 0) continue;
      await show(editor, by > 0 ? Math.min(...starts) : Math.max(...starts));
      return true;
    }
  }

  private async to(root: string, hunk: HunkEntry): Promise<void> {
    const uri = fileOf(root, hunk.path);
    const tab = window.tabGroups.activeTabGroup.activeTab;
    const isHere = shownFile()?.toString() === uri.toString();
    // Who reviews by letters stays in a diff: elsewhere they are typed, and in a notebook `x` cuts a cell.
    if (!(isHere && isReviewOfMany(tab)) && (isReview(tab) || isNoText(hunk))) {
      await commands.executeCommand("blueline.diffFile", uri, Math.max(0, hunk.new_start - 1));
      return;
    }
    if (hunk.cell !== undefined || hunk.path.endsWith(".ipynb")) {
      const notebook = await workspace.openNotebookDocument(uri);
      await this.cells.show(await window.showNotebookDocument(notebook), hunk);
      return;
    }
    const editor = isHere ? window.activeTextEditor : undefined;
    const shown = editor ?? (await window.showTextDocument(uri, { preview: true }));
    // Its place in the text, where something may be typed that is not saved.
    const placed = (await this.placed.of(shown.document)).find(one => one.id === hunk.id);
    await show(shown, placed ? linesOf(placed)[0] : Math.max(0, hunk.new_start - 1));
  }
}

/** Whether a change can only be seen beside what was agreed on. */
function isNoText({ held, kind }: HunkEntry): boolean {
  return held || ["delete", "binary", "symlink"].includes(kind);
}

/** The first change, or the last, of the file behind one, or before it. */
function beyond(pending: HunkEntry[], root: string, file: Uri | undefined, by: Way): HunkEntry | undefined {
  const paths = [...new Set(pending.map(hunk => hunk.path))];
  const path = file?.fsPath.startsWith(`${root}/`) ? file.fsPath.slice(root.length + 1) : "";
  // From a file in which all is decided by now, on to the one behind it.
  const behind = paths.findIndex(one => one > path);
  const gap = (behind < 0 ? paths.length : behind) - (by > 0 ? 1 : 0);
  const here = paths.includes(path) ? paths.indexOf(path) : gap;
  const group = pending.filter(hunk => hunk.path === paths.at((here + by) % paths.length));
  return by > 0 ? group[0] : group.at(-1);
}

/** When VS Code shows it: a letter that is pressed from then on is about what is there. */
async function show(editor: TextEditor, line: number): Promise<void> {
  const at = Math.min(line, editor.document.lineCount - 1);
  const place = new Selection(at, 0, at, 0);
  const isThere = editor.selection.isEqual(place);
  const shown = heard(
    window.onDidChangeTextEditorSelection,
    ({ textEditor, selections }) => textEditor === editor && selections[0]?.isEqual(place) === true,
  );
  editor.selection = place;
  editor.revealRange(place, TextEditorRevealType.InCenterIfOutsideViewport);
  if (!isThere) await shown;
}
