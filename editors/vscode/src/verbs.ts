// What people do: the commands, and what each is about where the cursor is.
import { commands, Disposable, type TextEditor, Uri, window } from "vscode";
import type { HunkEntry, Mode, PlacedHunkDocument, Verdict } from "../../../frontend/src/wire/contract";
import type { Cells } from "./cells";
import type { Deciding, Wish } from "./deciding";
import type { Going } from "./going";
import { inTurn, isUnderWay } from "./in-turn";
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
type Seen = Pick<HunkEntry, "id" | "digest" | "turn">;
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
            // A letter decides what was seen when it was pressed, and never what comes next.
            about?.goOn && isUnderWay()
              ? window.setStatusBarMessage("Blueline: the one before is not done yet", 2000)
              : inTurn(() => this.decide(verdict, scope, about)),
          ),
        ),
      ),
      commands.registerCommand("blueline.rejectBecause", (about?: About) => this.rejectBecause(about)),
      commands.registerCommand("blueline.undo", (about?: About) =>
        inTurn(() => this.turnBack("undo", about)),
      ),
      commands.registerCommand("blueline.redo", (about?: About) =>
        inTurn(() => this.turnBack("redo", about)),
      ),
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
    return { root: found, ...seen(hunks ?? {}) };
  }

  /** What a command without a button is about. */
  private async aimed(scope: Scope): Promise<Aim | undefined> {
    const editor = window.activeTextEditor;
    if (scope === "all") {
      const root = await this.projects.current();
      return root === undefined ? nothingHere() : { root, everything: true };
    }
    const file = shownFile();
    const root = file && this.projects.rootOf(file);
    if (!file || root === undefined) return nothingHere();
    if (scope === "hunk" && editor && !editor.selection.isEmpty && isFile(editor.document)) {
      return this.selected(editor, root);
    }
    const hunks = await this.meant(scope, file, editor);
    const turn = hunks.at(-1)?.turn;
    if (hunks.length === 0) return nothingHere();
    return scope === "turn" && turn ? { root, selectors: [turn] } : { root, ...seen(digests(hunks)) };
  }

  /** The change or the cell at the cursor; or all of the file, which may be shown and be no text. */
  private async meant(scope: Scope, file: Uri, editor?: TextEditor): Promise<Seen[]> {
    const notebook = window.activeNotebookEditor;
    if (notebook && scope !== "file") {
      const { isEmpty, start } = notebook.selection;
      return isEmpty ? [] : this.cells.of(notebook.notebook.cellAt(start));
    }
    if (notebook || !editor || editor.document.uri.scheme === "vscode-notebook-cell") {
      return this.projects.pendingIn(file);
    }
    const hunks = await this.placed.of(editor.document);
    return scope === "file" ? hunks : at(hunks, editor.selection.active.line).slice(-1);
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
    if (reason !== undefined) await inTurn(() => this.decide("reject", "hunk", about, reason));
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

/** The digest of each hunk, by its id. */
export function digests(hunks: { id: string; digest: string }[]): Record<string, string> {
  return Object.fromEntries(hunks.map(({ id, digest }) => [id, digest]));
}

function seen(expect: Record<string, string>): Pick<Aim, "selectors" | "expect"> {
  return { selectors: Object.keys(expect), expect };
}

export function at(hunks: PlacedHunkDocument[], line: number): PlacedHunkDocument[] {
  return hunks.filter(hunk => {
    const [first, last] = linesOf(hunk);
    return first <= line && line <= last;
  });
}
