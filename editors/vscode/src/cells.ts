// Notebooks, cell by cell: buttons below the cells of code, at the top of all, and above changed lines.
import {
  CodeLens,
  type CodeLensProvider,
  commands,
  Disposable,
  EventEmitter,
  languages,
  type NotebookCell,
  NotebookCellStatusBarAlignment,
  NotebookCellStatusBarItem,
  type NotebookCellStatusBarItemProvider,
  type NotebookEditor,
  NotebookRange,
  notebooks,
  Range,
  type TextDocument,
  window,
  workspace,
} from "vscode";
import type { HunkEntry } from "../../../frontend/src/wire/contract";
import type { Projects } from "./projects";
import { type About, digests, nothingHere } from "./verbs";
import { deed, who } from "./words";

const TYPE = "jupyter-notebook";

export class Cells implements NotebookCellStatusBarItemProvider, CodeLensProvider {
  private readonly changed = new EventEmitter<void>();
  readonly onDidChangeCellStatusBarItems = this.changed.event;
  readonly onDidChangeCodeLenses = this.changed.event;

  constructor(private readonly projects: Projects) {}

  register(): Disposable {
    const look = () => void this.tellWhetherUndecided();
    return Disposable.from(
      this.changed,
      notebooks.registerNotebookCellStatusBarItemProvider(TYPE, this),
      languages.registerCodeLensProvider({ notebookType: TYPE }, this),
      window.onDidChangeActiveNotebookEditor(look),
      this.projects.onChange(() => {
        this.changed.fire();
        look();
      }),
      ...(["accept", "reject"] as const).map(verdict =>
        commands.registerCommand(`blueline.${verdict}Cell`, async (cell: NotebookCell) => {
          const hunks = await this.of(cell);
          if (hunks.length === 0) return nothingHere();
          await commands.executeCommand(`blueline.${verdict}`, about(cell.notebook.uri.toString(), hunks));
        }),
      ),
    );
  }

  private async tellWhetherUndecided(): Promise<void> {
    const notebook = window.activeNotebookEditor?.notebook;
    const value = notebook ? (await this.projects.pendingIn(notebook.uri)).length : 0;
    await commands.executeCommand("setContext", "blueline.undecidedCells", value);
  }

  /** What is undecided in a cell. */
  async of(cell: NotebookCell): Promise<HunkEntry[]> {
    const { uri } = cell.notebook;
    // The other side of a diff has the same path.
    if (uri.scheme !== "file") return [];
    return (await this.projects.pendingIn(uri)).filter(hunk => isIn(hunk, cell));
  }

  async provideCellStatusBarItems(cell: NotebookCell): Promise<NotebookCellStatusBarItem[]> {
    const hunks = await this.of(cell);
    const [first] = hunks;
    if (!first) return [];
    const given = about(cell.notebook.uri.toString(), hunks);
    const item = (text: string, command: string, words: unknown[]) => {
      const found = new NotebookCellStatusBarItem(text, NotebookCellStatusBarAlignment.Right);
      found.command = { title: text, command, arguments: words };
      return found;
    };
    return [
      item("$(check) Accept", "blueline.accept", [given]),
      item("$(discard) Reject", "blueline.reject", [given]),
      item(`$(diff) ${who(first)} ${deed(first)}`, "blueline.diffFile", [cell.notebook.uri]),
    ];
  }

  /** Above each change in a source, if the lines of the cell are those of the file. */
  async provideCodeLenses(document: TextDocument): Promise<CodeLens[]> {
    const cells = workspace.notebookDocuments.flatMap(notebook => notebook.getCells());
    const cell = cells.find(one => one.document === document);
    if (!cell || cell.notebook.isDirty) return [];
    const uri = cell.notebook.uri.toString();
    return (await this.of(cell))
      .filter(hunk => hunk.cell?.change === "edited")
      .flatMap(hunk => {
        const line = Math.min(Math.max(0, hunk.new_start - 1), document.lineCount - 1);
        const at = new Range(line, 0, line, 0);
        const words = [about(uri, [hunk])];
        return [
          new CodeLens(at, { title: "$(check) Accept", command: "blueline.accept", arguments: words }),
          new CodeLens(at, { title: "$(discard) Reject", command: "blueline.reject", arguments: words }),
        ];
      });
  }

  /** Shows a change in its cell; one without a cell of its own, in the diff. */
  async show(editor: NotebookEditor, hunk: HunkEntry): Promise<void> {
    const cell = editor.notebook.getCells().find(one => isIn(hunk, one));
    if (!cell) return void commands.executeCommand("blueline.diffFile", editor.notebook.uri);
    const range = new NotebookRange(cell.index, cell.index + 1);
    editor.selection = range;
    editor.revealRange(range);
  }
}

function about(uri: string, hunks: HunkEntry[]): About {
  return { uri, hunks: digests(hunks) };
}

/** By the notebook's own id of the cell; where there are none, by the number. */
function isIn({ cell }: HunkEntry, { index, metadata }: NotebookCell): boolean {
  if (!cell || cell.change === "deleted") return false;
  if (cell.id === "") return cell.index === index + 1;
  const { id, custom } = metadata as { id?: string; custom?: { id?: string } };
  return cell.id === (id ?? custom?.id);
}
