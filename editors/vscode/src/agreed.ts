// Files as agreed on, without what is undecided: the left side of every diff.
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
  Uri,
  window,
} from "vscode";
import type { AgreedDocument } from "../../../frontend/src/wire/contract";
import { fileOf, type Projects } from "./projects";
import type { Server } from "./server";

export const AGREED = "blueline-agreed";

export function agreedOf(file: Uri): Uri {
  return file.with({ scheme: AGREED });
}

export class AgreedFiles implements FileSystemProvider {
  private readonly changes = new EventEmitter<FileChangeEvent[]>();
  private readonly watched = new Set<string>();
  private times = 1;
  readonly onDidChangeFile = this.changes.event;

  constructor(private readonly server: Server) {
    server.onNews(({ root, files, everything }) => {
      const named = new Set(files.map(path => `${root}/${path}`));
      const concerned = [...this.watched]
        .map(one => Uri.parse(one))
        .filter(uri => everything || named.has(uri.fsPath));
      if (concerned.length === 0) return;
      this.times += 1;
      this.changes.fire(concerned.map(uri => ({ type: FileChangeType.Changed, uri })));
    });
  }

  watch(uri: Uri): Disposable {
    this.watched.add(uri.toString());
    return new Disposable(() => this.watched.delete(uri.toString()));
  }

  async stat(uri: Uri): Promise<FileStat> {
    const size = (await this.readFile(uri)).length;
    return { type: FileType.File, ctime: 0, mtime: this.times, size };
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    const file = uri.with({ scheme: "file" }).toString();
    const found = await this.server.ask<AgreedDocument>("blueline/agreed", { uri: file });
    return Buffer.from(found.bytes ?? "", "base64");
  }

  readDirectory(): never {
    throw FileSystemError.NoPermissions();
  }
  createDirectory(): never {
    throw FileSystemError.NoPermissions();
  }
  writeFile(): never {
    throw FileSystemError.NoPermissions();
  }
  delete(): never {
    throw FileSystemError.NoPermissions();
  }
  rename(): never {
    throw FileSystemError.NoPermissions();
  }
}

export function registerDiffs(projects: Projects): Disposable {
  const diffFile = async (given?: Uri, line?: number) => {
    const uri = given ?? window.activeNotebookEditor?.notebook.uri ?? window.activeTextEditor?.document.uri;
    if (!uri) return;
    const name = uri.path.slice(uri.path.lastIndexOf("/") + 1);
    const at =
      line === undefined ? {} : { selection: { start: { line, character: 0 }, end: { line, character: 0 } } };
    await commands.executeCommand("vscode.diff", agreedOf(uri), uri, `${name} (agreed ↔ now)`, at);
  };
  const diffAll = async (given?: { root: string; paths: string[]; title: string }) => {
    const root = given?.root ?? (await projects.current());
    if (root === undefined) return;
    const paths = given?.paths ?? [...new Set((await projects.pending(root)).map(hunk => hunk.path))];
    const rows = paths.map(path => fileOf(root, path)).map(file => [file, agreedOf(file), file]);
    await commands.executeCommand("vscode.changes", given?.title ?? "Undecided changes", rows);
  };
  return Disposable.from(
    commands.registerCommand("blueline.diffFile", diffFile),
    commands.registerCommand("blueline.diffAll", diffAll),
  );
}
