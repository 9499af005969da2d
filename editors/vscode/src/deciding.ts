// Decisions, with what is typed and not saved: the server writes the files, and open texts follow.
import { commands, ProgressLocation, type TextDocument, Uri, window, workspace, WorkspaceEdit } from "vscode";
import type {
  BufferAnswer,
  EditorDecisionDocument,
  HunkEntry,
  NeedDocument,
  Verdict,
} from "../../../frontend/src/wire/contract";
import { isReview, isReviewOfMany } from "./agreed";
import { heard } from "./heard";
import { rangeOf } from "./placed";
import { fileOf, type Projects } from "./projects";
import type { Server } from "./server";
import { count, deed, placeIn, printable, who } from "./words";

export interface Wish {
  verdict: Verdict;
  selectors?: string[];
  everything?: boolean;
  reason?: string;
  /** The digest of each hunk that was seen, by its id. */
  expect?: Record<string, string>;
}

type Dependents = "with" | "keep";

const DONE: Record<string, string> = {
  accept: "accepted",
  reject: "rejected",
  undo: "undone",
  redo: "redone",
};
const SHOWN_MS = 6_000;

export class Deciding {
  constructor(
    private readonly server: Server,
    private readonly projects: Projects,
  ) {}

  decide(root: string, wish: Wish): Promise<EditorDecisionDocument | undefined> {
    return this.carryOut(root, "blueline/decide", wish);
  }

  undo(root: string): Promise<EditorDecisionDocument | undefined> {
    return this.carryOut(root, "blueline/undo", {});
  }

  redo(root: string): Promise<EditorDecisionDocument | undefined> {
    return this.carryOut(root, "blueline/redo", {});
  }

  /**
   * The notebook with typing that is not saved which a step would write; undefined if there is none. Its file
   * is written by the server, and no typing can be merged into it: a notebook's text is not what is shown.
   */
  private async unsavedNotebook(root: string, method: string, params: object): Promise<string | undefined> {
    const unsaved = workspace.notebookDocuments
      .filter(({ isDirty, uri }) => isDirty && uri.scheme === "file" && uri.fsPath.startsWith(`${root}/`))
      .map(({ uri }) => uri.fsPath.slice(root.length + 1));
    if (unsaved.length === 0 || method !== "blueline/decide") return unsaved[0];
    const trial = { root, ...params, dry_run: true };
    const { written } = await this.server.ask<EditorDecisionDocument>(method, trial);
    return unsaved.find(path => written.includes(path));
  }

  private async carryOut(
    root: string,
    method: string,
    params: object,
  ): Promise<EditorDecisionDocument | undefined> {
    try {
      const unsaved = await this.unsavedNotebook(root, method, params);
      if (unsaved !== undefined) {
        void window.showWarningMessage(
          `Blueline: what you typed into ${printable(unsaved)} is not saved; save it first`,
        );
        return undefined;
      }
      const answer = await this.server.beforeNews(async () => {
        const asked = this.server.ask<EditorDecisionDocument>(method, { root, ...params });
        const slow = { location: ProgressLocation.Window, title: "Blueline" };
        void window.withProgress(slow, () => asked.catch(() => undefined));
        for (const file of (await asked).files) await follow(root, file);
        return asked;
      });
      const need = answer.needs[0];
      if (need && !("dependents" in params)) {
        const pending = await this.projects.pending(root);
        const dependents = await chosen(answer, need, new Map(pending.map(hunk => [hunk.id, hunk])));
        return dependents && this.carryOut(root, method, { ...params, dependents });
      }
      if (need) void window.showWarningMessage(`Blueline: ${sentence(answer)}`);
      else tell(answer);
      return answer;
    } catch (error) {
      void window.showWarningMessage(`Blueline: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }
}

function sentence({ error, hint }: EditorDecisionDocument): string {
  return [error ?? "something has to be chosen first", hint].filter(Boolean).join("; ");
}

function tell({ decision, verdict, results, kept }: EditorDecisionDocument): void {
  if (decision === null) {
    window.setStatusBarMessage("Blueline: nothing was left to decide", SHOWN_MS);
    return;
  }
  const typed = kept.some(one => !one.blank) ? ", what others wrote there stays" : "";
  const done = `Blueline: ${DONE[verdict] ?? verdict} ${count(results.length, "change")}${typed}`;
  window.setStatusBarMessage(`$(check) ${done}`, SHOWN_MS);
}

/** Asks for what builds on a change, or was corrected in it. With nothing chosen, nothing is done. */
async function chosen(
  answer: EditorDecisionDocument,
  need: NeedDocument,
  pending: Map<string, HunkEntry>,
): Promise<Dependents | undefined> {
  const isCorrected = need.why === "corrected";
  if (!isCorrected && !need.built_on_by && !need.shared_with) {
    void window.showWarningMessage(`Blueline: ${sentence(answer)}`);
    return undefined;
  }
  const keep = isCorrected ? "Keep what I wrote" : "Leave it as it is";
  const back = isCorrected ? "Go back to the original" : "Take it back as well";
  const about = answer.needs.flatMap(one => bothResults(one, keep, back, pending)).slice(0, 24);
  const options = { modal: true, detail: about.join("\n") };
  const asked = answer.error ?? "what about what builds on it?";
  const question = `${asked[0]?.toUpperCase()}${asked.slice(1)}`;
  const picked = await window.showWarningMessage(question, options, keep, back);
  return picked === keep ? "keep" : picked === back ? "with" : undefined;
}

/** What either answer leaves in the file. */
function bothResults(
  { path, lines, built_on_by }: NeedDocument,
  keep: string,
  back: string,
  pending: Map<string, HunkEntry>,
): string[] {
  if (lines) {
    return lines.flatMap(({ line, now, before }) => [
      `${printable(path ?? "")}, line ${line}`,
      `  ${keep}: ${printable(now.trim())}`,
      `  ${back}: ${before === null ? "(no such line)" : printable(before.trim())}`,
    ]);
  }
  return (built_on_by ?? []).map(id => {
    const hunk = pending.get(id);
    if (!hunk) return `${printable(path ?? "")}: ${id} would go with it`;
    const turn = hunk.turn === null ? "" : ` in ${hunk.turn}`;
    const place = `${printable(hunk.path)}, ${placeIn(hunk)}`;
    return `${place}: what ${who(hunk)} did${turn} (${deed(hunk)}) would go with it`;
  });
}

/** Makes an open text that of its file, which has the decision and all that was typed when it was made. */
async function follow(root: string, answer: BufferAnswer): Promise<void> {
  const document = workspace.textDocuments.find(
    one => one.uri.toString() === Uri.parse(answer.uri).toString(),
  );
  if (!document || answer.revision === null) return;
  const isActive = window.activeTextEditor?.document === document;
  const { activeTab } = window.tabGroups.activeTabGroup;
  const isAmongMany = isReviewOfMany(activeTab);
  if (answer.moved !== undefined) {
    const uri = fileOf(root, answer.moved);
    if (!isActive || isAmongMany) return;
    // Where letters review, they must not become text all at once.
    if (isReview(activeTab)) await commands.executeCommand("blueline.diffFile", uri);
    else await window.showTextDocument(uri);
    return;
  }
  // A text without typing follows its file by itself; the one that is looked at need not wait for that. But a
  // diff of many files could only save all of them.
  if (!document.isDirty && (!isActive || isAmongMany)) {
    if (isActive && answer.edits.length > 0) await reloaded(document, answer.buffer);
    return;
  }
  if (document.version !== answer.buffer || !(await apply(document, answer))) {
    if (document.isDirty) {
      void window.showWarningMessage(
        `Blueline: ${printable(answer.path)} has changed on disk while you typed; what you typed is still here`,
      );
    }
    return;
  }
  if (document.isDirty) await saveAsItIs(document);
}

/** Whether a text has become what it should: not if it is another version by now. */
async function apply(document: TextDocument, { edits }: BufferAnswer): Promise<boolean> {
  if (edits.length === 0) return true;
  // The edit of a workspace goes the long way: VS Code has a worker look at it first.
  const shown = window.visibleTextEditors.find(editor => editor.document === document);
  if (shown) {
    const done = shown.edit(edit => edits.forEach(one => edit.replace(rangeOf(one.range), one.newText)));
    // It may be closed meanwhile.
    return done.then(undefined, () => false);
  }
  const edit = new WorkspaceEdit();
  for (const { range, newText } of edits) edit.replace(document.uri, rangeOf(range), newText);
  return workspace.applyEdit(edit);
}

/** When VS Code has found that a file has changed; it may have by now. */
async function reloaded(document: TextDocument, version: number): Promise<void> {
  if (document.version !== version) return;
  await heard(workspace.onDidChangeTextDocument, () => document.version !== version);
}

/**
 * Tells VS Code that this text is the one on disk. Nothing may format it on the way: it would not be any more,
 * and a person's change besides. The command is about the active editor alone.
 */
async function saveAsItIs(document: TextDocument): Promise<void> {
  const save = "workbench.action.files.saveWithoutFormatting";
  const { activeTab, tabs } = window.tabGroups.activeTabGroup;
  if (window.activeTextEditor?.document === document && !isReviewOfMany(activeTab)) {
    return void (await commands.executeCommand(save));
  }
  await window.showTextDocument(document, { preview: false });
  await commands.executeCommand(save);
  // Back to what was looked at, which may be a diff.
  const shown = window.tabGroups.activeTabGroup.activeTab;
  if (shown && !tabs.includes(shown)) await window.tabGroups.close(shown);
  const index = activeTab ? window.tabGroups.activeTabGroup.tabs.indexOf(activeTab) : -1;
  if (index >= 0) await commands.executeCommand("workbench.action.openEditorAtIndex", index);
}
