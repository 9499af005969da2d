// What people do: the commands, and what each is about where the cursor is.
import { commands, Disposable, type NotebookEditor, type TextEditor, Uri, window } from "vscode";
import type { Mode, PlacedHunkDocument, Verdict } from "../../../frontend/src/wire/contract";
import type { Cells } from "./cells";
import type { Deciding, Wish } from "./deciding";
import type { Going } from "./going";
import { isFile, shownFile } from "./open-texts";
import { linesOf, type PlacedHunks } from "./placed";
import type { Projects } from "./projects";
import type { Server } from "./server";

/** What a button is about: hunks as they were seen, or what a selector means. */
export interface About {
  uri?: string;
  root?: string;
  /** The digest of each hunk, by its id. */
  hunks?: Record<string, string>;
  selector?: string;
  /** Whoever reviews by single keys goes on to the next change, and back to what is undone. */
  goOn?: boolean;
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
    private readonly going: Going,
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
      commands.registerCommand("blueline.undo", (about?: About) => this.turnBack("undo", about)),
      commands.registerCommand("blueline.redo", (about?: About) => this.turnBack("redo", about)),
      commands.registerCommand("blueline.mode", () => this.chooseMode()),
      commands.registerCommand("blueline.openWorkbench", () => this.openWorkbench()),
      commands.registerCommand("blueline.restart", () => this.server.restart()),
    );
  }

  private async decide(verdict: Verdict, scope: Scope, about?: About, reason = ""): Promise<void> {
    const aim = about?.hunks || about?.selector ? this.named(about) : await this.aimed(scope);
    if (!aim) return;
    const { root, ...wish } = aim;
    const done = await this.deciding.decide(root, { verdict, ...wish, ...(reason ? { reason } : {}) });
    if (!about?.goOn || !done?.decision) return;
    await this.going.on(root);
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
    if (!editor) return this.aimedAtFile(scope);
    const root = this.projects.rootOf(editor.document.uri);
    if (root === undefined) return nothingHere();
    const hunks = await this.placed.of(editor.document);
    if (scope === "file") return hunks.length > 0 ? { root, ...seen(hunks) } : nothingHere();
    const { selection } = editor;
    if (scope === "hunk" && !selection.isEmpty && isFile(editor.document)) return this.selected(editor, root);
    const here = at(hunks, selection.active.line);
    if (here.length === 0) return nothingHere();
    const turn = here.at(-1)?.turn;
    return scope === "turn" && turn ? { root, selectors: [turn] } : { root, ...seen(here.slice(-1)) };
  }

  /** All that is undecided in a file that is shown and is no text. */
  private async aimedAtFile(scope: Scope): Promise<Aim | undefined> {
    const file = shownFile();
    const root = file && this.projects.rootOf(file);
    if (root === undefined) return nothingHere();
    const hunks = (await this.projects.pending(root)).filter(one => `${root}/${one.path}` === file?.fsPath);
    const turn = hunks.at(-1)?.turn;
    if (hunks.length === 0) return nothingHere();
    return scope === "turn" && turn ? { root, selectors: [turn] } : { root, ...seen(hunks) };
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

  private async turnBack(verb: "undo" | "redo", about?: About): Promise<void> {
    const root = await this.projects.current();
    const done = root === undefined ? undefined : await this.deciding[verb](root);
    const first = done?.results[0];
    if (root !== undefined && about?.goOn && first) await this.going.back(root, first.hunk);
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

export function nothingHere(): undefined {
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
