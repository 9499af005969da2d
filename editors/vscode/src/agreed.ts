// Files as agreed on, without what is undecided, and as they would be with all of it: sides of diffs.
import {
  commands,
  Disposable,
  EventEmitter,
  FileChangeType,
  type FileChangeEvent,
  type FileStat,
  type FileSystemProvider,
  FileSystemError,
  FileType,
  type Tab,
  Uri,
  window,
  workspace,
} from "vscode";
import type { AgreedDocument, HunkEntry, ProposedDocument } from "../../../frontend/src/wire/contract";
import { inDiff } from "./open-texts";
import { fileOf, type Projects } from "./projects";
import type { Server } from "./server";

export const AGREED = "blueline-agreed";
export const PROPOSED = "blueline-proposed";

export function agreedOf(file: Uri): Uri {
  return file.with({ scheme: AGREED });
}

type Reading = (server: Server, uri: string) => Promise<Uint8Array>;

async function agreed(server: Server, uri: string): Promise<Uint8Array> {
  const found = await server.ask<AgreedDocument>("blueline/agreed", { uri });
  return Buffer.from(found.bytes ?? "", "base64");
}

async function proposed(server: Server, uri: string): Promise<Uint8Array> {
  const found = await server.ask<ProposedDocument>("blueline/proposed", { uri });
  return Buffer.from(found.text ?? "");
}

export function registerSides(server: Server): Disposable {
  const readOnly = { isReadonly: true, isCaseSensitive: true };
  return Disposable.from(
    workspace.registerFileSystemProvider(AGREED, new ShownFiles(server, agreed), readOnly),
    workspace.registerFileSystemProvider(PROPOSED, new ShownFiles(server, proposed), readOnly),
  );
}

/** Files that are nowhere on disk. */
class ShownFiles implements FileSystemProvider {
  private readonly changes = new EventEmitter<FileChangeEvent[]>();
  /** What was read. VS Code does not watch all that it shows: what the gutter compares with, for one. */
  private readonly known = new Set<string>();
  private times = 1;
  readonly onDidChangeFile = this.changes.event;

  constructor(
    private readonly server: Server,
    private readonly reading: Reading,
  ) {
    server.onNews(({ root, files, everything }) => {
      const named = new Set(files.map(path => `${root}/${path}`));
      const concerned = [...this.known]
        .map(one => Uri.parse(one))
        .filter(uri => everything || named.has(uri.fsPath));
      if (concerned.length === 0) return;
      this.times += 1;
      this.changes.fire(concerned.map(uri => ({ type: FileChangeType.Changed, uri })));
    });
  }

  watch(): Disposable {
    return new Disposable(() => undefined);
  }

  async stat(uri: Uri): Promise<FileStat> {
    const size = (await this.readFile(uri)).length;
    return { type: FileType.File, ctime: 0, mtime: this.times, size };
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    this.known.add(uri.toString());
    return this.reading(this.server, uri.with({ scheme: "file" }).toString());
  }

  readonly readDirectory = refuse;
  readonly createDirectory = refuse;
  readonly writeFile = refuse;
  readonly delete = refuse;
  readonly rename = refuse;
}

function refuse(): never {
  throw FileSystemError.NoPermissions();
}

/** A notebook is shown cell by cell. */
function isText(path: string): boolean {
  return !path.endsWith(".ipynb");
}

/** Whether a file has to be shown as it would be: what is proposed is not in it, and what is deleted has none. */
function isElsewhere({ path, held, kind }: HunkEntry): boolean {
  return kind === "delete" || (held && isText(path));
}

/** The titles of diffs of many files, of which VS Code does not say what is in them. */
const titles = new Set<string>();

/** Whether a tab is one of our diffs of many files. VS Code adds to its title how many. */
export function isReviewOfMany(tab: Tab | undefined): boolean {
  if (tab === undefined || inDiff(tab)) return false;
  return [...titles].some(title => tab.label === title || tab.label.startsWith(`${title} (`));
}

/** Whether a tab is one of our diffs. */
export function isReview(tab: Tab | undefined): boolean {
  const found = inDiff(tab);
  return found ? found.original.scheme === AGREED : isReviewOfMany(tab);
}

export function registerDiffs(projects: Projects): Disposable {
  const diffFile = async (given?: Uri, place?: number) => {
    const uri = given ?? window.activeNotebookEditor?.notebook.uri ?? window.activeTextEditor?.document.uri;
    if (!uri) return;
    const name = uri.path.slice(uri.path.lastIndexOf("/") + 1);
    const isOther = (await projects.pendingIn(uri)).some(isElsewhere);
    const now = isOther ? uri.with({ scheme: PROPOSED }) : uri;
    // What is still true when it is decided: a tab keeps its title.
    const title = `${name} (agreed ↔ ${isOther ? "if accepted" : "now"})`;
    const active = window.activeTextEditor;
    // Who reads a line goes on there, and not at the first change.
    const line =
      place ??
      (active?.document.uri.toString() === uri.toString() ? active.selection.active.line : undefined);
    const at =
      line === undefined ? {} : { selection: { start: { line, character: 0 }, end: { line, character: 0 } } };
    await commands.executeCommand("vscode.diff", agreedOf(uri), now, title, at);
  };
  const diffAll = async (given?: { root: string; paths: string[]; title: string }) => {
    const root = given?.root ?? (await projects.current());
    if (root === undefined) return;
    const pending = await projects.pending(root);
    // What is no text has no buttons there, and no key gets past it.
    const others = new Set(pending.filter(hunk => hunk.kind === "binary").map(hunk => hunk.path));
    const named = given?.paths ?? [...new Set(pending.map(hunk => hunk.path))];
    const paths = named.filter(path => isText(path) && !others.has(path));
    const elsewhere = new Set(pending.filter(isElsewhere).map(hunk => hunk.path));
    const rows = paths.map(path => {
      const file = fileOf(root, path);
      return [file, agreedOf(file), elsewhere.has(path) ? file.with({ scheme: PROPOSED }) : file];
    });
    const title = given?.title ?? "Undecided changes";
    titles.add(title);
    await commands.executeCommand("vscode.changes", title, rows);
  };
  return Disposable.from(
    commands.registerCommand("blueline.diffFile", diffFile),
    commands.registerCommand("blueline.diffAll", diffAll),
  );
}
