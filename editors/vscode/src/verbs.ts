// What people do: the commands, and what each is about where the cursor is.
import {
  commands,
  Disposable,
  type NotebookEditor,
  Range,
  Selection,
  type TextEditor,
  TextEditorRevealType,
  Uri,
  window,
  workspace,
} from "vscode";
import type { HunkEntry, Mode, PlacedHunkDocument, Verdict } from "../../../frontend/src/wire/contract";
import type { Cells } from "./cells";
import type { Deciding, Wish } from "./deciding";
import { isReview } from "./agreed";
import { isFile } from "./open-texts";
import { linesOf, type PlacedHunks } from "./placed";
import { fileOf, type Projects } from "./projects";
import type { Server } from "./server";

/** What a button is about: hunks as they were seen, or what a selector means. */
export interface About {
  uri?: string;
  root?: string;
  /** The digest of each hunk, by its id. */
  hunks?: Record<string, string>;
  selector?: string;
}

type Scope = "hunk" | "file" | "turn" | "all";
type Aim = { root: string } & Omit<Wish, "verdict" | "reason">;

export class Verbs {
  constructor(
    private readonly server: Server,
    private readonly projects: Projects,
    private readonly placed: PlacedHunks,
    private readonly cells: Cells,
    private readonly deciding: Deciding,
  ) {}

  register(): Disposable {
    const scopes: Scope[] = ["hunk", "file", "turn", "all"];
    const verdicts: Verdict[] = ["accept", "reject"];
    const name = (verdict: Verdict, scope: Scope) =>
      `blueline.${verdict}${scope === "hunk" ? "" : scope[0]?.toUpperCase() + scope.slice(1)}`;
    return Disposable.from(
      ...verdicts.flatMap(verdict =>
        scopes.map(scope =>
          commands.registerCommand(name(verdict, scope), (about?: About) =>
            this.decide(verdict, scope, about),
          ),
        ),
      ),
      commands.registerCommand("blueline.rejectBecause", (about?: About) => this.rejectBecause(about)),
      commands.registerCommand("blueline.undo", () => this.turnBack("undo")),
      commands.registerCommand("blueline.redo", () => this.turnBack("redo")),
      commands.registerCommand("blueline.next", () => this.step(1)),
      commands.registerCommand("blueline.previous", () => this.step(-1)),
      commands.registerCommand("blueline.goTo", (root: string, hunk: HunkEntry) => this.goTo(root, hunk)),
      commands.registerCommand("blueline.mode", () => this.chooseMode()),
      commands.registerCommand("blueline.openWorkbench", () => this.openWorkbench()),
      commands.registerCommand("blueline.restart", () => this.server.restart()),
    );
  }

  private async decide(verdict: Verdict, scope: Scope, about?: About, reason = ""): Promise<void> {
    const aim = about?.hunks || about?.selector ? this.named(about) : await this.aimed(scope);
    if (!aim) return;
    const { root, ...wish } = aim;
    await this.deciding.decide(root, { verdict, ...wish, ...(reason ? { reason } : {}) });
  }

  private named({ uri, root, hunks, selector }: About): Aim | undefined {
    const found = root ?? (uri === undefined ? undefined : this.projects.rootOf(Uri.parse(uri)));
    if (found === undefined) return nothingHere();
    if (selector !== undefined) return { root: found, selectors: [selector] };
    return { root: found, ...asSeen(Object.entries(hunks ?? {})) };
  }

  /** What a command without a button is about. */
  private async aimed(scope: Scope): Promise<Aim | undefined> {
    const editor = window.activeTextEditor;
    if (scope === "all") {
      const root = await this.projects.current();
      return root === undefined ? nothingHere() : { root, everything: true };
    }
    const notebook = window.activeNotebookEditor;
    if (notebook) return this.aimedInNotebook(notebook, scope);
    const root = editor && this.projects.rootOf(editor.document.uri);
    if (!editor || root === undefined) return nothingHere();
    const hunks = await this.placed.of(editor.document);
    if (scope === "file") return hunks.length > 0 ? { root, ...seen(hunks) } : nothingHere();
    const { selection } = editor;
    if (scope === "hunk" && !selection.isEmpty && isFile(editor.document)) return this.selected(editor, root);
    const here = at(hunks, selection.active.line);
    if (here.length === 0) return nothingHere();
    const turn = here.at(-1)?.turn;
    return scope === "turn" && turn ? { root, selectors: [turn] } : { root, ...seen(here.slice(-1)) };
  }

  private async aimedInNotebook(editor: NotebookEditor, scope: Scope): Promise<Aim | undefined> {
    const { notebook, selection } = editor;
    const root = this.projects.rootOf(notebook.uri);
    const cell = selection.isEmpty ? undefined : notebook.cellAt(selection.start);
    const hunks = scope === "file" ? await this.cells.in(notebook) : cell ? await this.cells.of(cell) : [];
    if (root === undefined || hunks.length === 0) return nothingHere();
    const turn = hunks.at(-1)?.turn;
    return scope === "turn" && turn ? { root, selectors: [turn] } : { root, ...seen(hunks) };
  }

  /** Lines are those of the file: of a text that is not saved, nobody could say which they are. */
  private selected({ document, selection }: TextEditor, root: string): Aim | undefined {
    if (document.isDirty) {
      void window.showWarningMessage("Blueline: lines are decided in a saved text; save it first");
      return undefined;
    }
    const { start, end } = selection;
    const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
    const path = document.uri.fsPath.slice(root.length + 1);
    return { root, selectors: [`${path}:${start.line + 1}-${last}`] };
  }

  private async rejectBecause(about?: About): Promise<void> {
    const reason = await window.showInputBox({ prompt: "Why? The agent is told." });
    if (reason !== undefined) await this.decide("reject", "hunk", about, reason);
  }

  private async turnBack(verb: "undo" | "redo"): Promise<void> {
    const root = await this.projects.current();
    if (root !== undefined) await this.deciding[verb](root);
  }

  /** To the next undecided change in this file, or else in the next one that has some. */
  private async step(by: 1 | -1): Promise<void> {
    const editor = window.activeTextEditor;
    const root = await this.projects.current();
    if (root === undefined) return void nothingHere();
    const notebook = window.activeNotebookEditor;
    if (notebook && this.projects.rootOf(notebook.notebook.uri) === root) {
      const at = notebook.selection.start + 1;
      const own = (await this.cells.in(notebook.notebook)).filter(
        ({ cell }) => cell && (by > 0 ? cell.index > at : cell.index < at),
      );
      const next = by > 0 ? own[0] : own.at(-1);
      if (next) return this.cells.show(notebook, next);
    }
    const inside = editor && this.projects.rootOf(editor.document.uri) === root;
    if (inside) {
      const line = editor.selection.active.line;
      const starts = (await this.placed.of(editor.document)).map(hunk => linesOf(hunk)[0]);
      const further = starts.filter(start => (by > 0 ? start > line : start < line));
      const next = by > 0 ? Math.min(...further) : Math.max(...further);
      if (further.length > 0) return show(editor, next);
    }
    const pending = await this.projects.pending(root);
    const paths = [...new Set(pending.map(hunk => hunk.path))];
    if (paths.length === 0)
      return void window.setStatusBarMessage("$(check) Blueline: everything is decided", 4000);
    // From a file in which all is decided by now, on to the one behind it.
    const path = inside ? editor.document.uri.fsPath.slice(root.length + 1) : "";
    const behind = paths.findIndex(one => one > path);
    const gap = (behind < 0 ? paths.length : behind) - (by > 0 ? 1 : 0);
    const here = paths.includes(path) ? paths.indexOf(path) : gap;
    const group = pending.filter(hunk => hunk.path === paths.at((here + by) % paths.length));
    const wanted = by > 0 ? group[0] : group.at(-1);
    if (wanted) await this.goTo(root, wanted);
  }

  private async goTo(root: string, hunk: HunkEntry): Promise<void> {
    const uri = fileOf(root, hunk.path);
    if (hunk.cell !== undefined || (hunk.path.endsWith(".ipynb") && hunk.kind !== "delete")) {
      const notebook = await workspace.openNotebookDocument(uri);
      await this.cells.show(await window.showNotebookDocument(notebook), hunk);
      return;
    }
    const isInReview = isReview(window.tabGroups.activeTabGroup.activeTab);
    if (isInReview || hunk.held || ["delete", "binary", "symlink"].includes(hunk.kind)) {
      await commands.executeCommand("blueline.diffFile", uri, Math.max(0, hunk.new_start - 1));
      return;
    }
    const editor = await window.showTextDocument(uri, { preview: true });
    // Its place in the text, where something may be typed that is not saved.
    const placed = (await this.placed.of(editor.document)).find(one => one.id === hunk.id);
    show(editor, placed ? linesOf(placed)[0] : Math.max(0, hunk.new_start - 1));
  }

  private async chooseMode(): Promise<void> {
    const root = await this.projects.current();
    if (root === undefined) return;
    const modes: { label: Mode; description: string }[] = [
      { label: "review", description: "agents write, you decide afterwards" },
      { label: "hold", description: "agents' edits are kept as proposals until you accept them" },
      { label: "direct", description: "agents write, and what they do is accepted as it arrives" },
    ];
    const picked = await window.showQuickPick(modes, { title: "How agents' edits are taken" });
    if (picked) await this.server.ask("blueline/mode", { root, mode: picked.label });
  }

  /** In a terminal, which shows the address, and where Ctrl+C ends it. */
  private async openWorkbench(): Promise<void> {
    const root = await this.projects.current();
    const { program } = this.server;
    if (root === undefined || program === undefined) return void nothingHere();
    window.createTerminal({ name: "Blueline", shellPath: program, shellArgs: ["ui"], cwd: root }).show();
  }
}

function nothingHere(): undefined {
  window.setStatusBarMessage("Blueline: nothing undecided here", 4000);
  return undefined;
}

function asSeen(entries: [string, string][]): Pick<Aim, "selectors" | "expect"> {
  return { selectors: entries.map(([id]) => id), expect: Object.fromEntries(entries) };
}

function seen(hunks: { id: string; digest: string }[]): Pick<Aim, "selectors" | "expect"> {
  return asSeen(hunks.map(({ id, digest }) => [id, digest]));
}

export function at(hunks: PlacedHunkDocument[], line: number): PlacedHunkDocument[] {
  return hunks.filter(hunk => {
    const [first, last] = linesOf(hunk);
    return first <= line && line <= last;
  });
}

function show(editor: TextEditor, line: number): void {
  editor.selection = new Selection(line, 0, line, 0);
  editor.revealRange(new Range(line, 0, line, 0), TextEditorRevealType.InCenterIfOutsideViewport);
}
