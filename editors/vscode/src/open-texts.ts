// Tells the server which texts are open and what is typed in them, before anything is asked about them.
import { Disposable, type TextDocument, workspace } from "vscode";
import type { Server } from "./server";

export function isFile(document: TextDocument): boolean {
  return document.uri.scheme === "file";
}

export function followTexts(server: Server): Disposable {
  const opened = (document: TextDocument) => {
    if (!isFile(document)) return;
    server.tell("textDocument/didOpen", {
      textDocument: {
        uri: document.uri.toString(),
        languageId: document.languageId,
        version: document.version,
        text: document.getText(),
      },
    });
  };
  const named = (document: TextDocument) => ({ uri: document.uri.toString(), version: document.version });
  return Disposable.from(
    server.onStart(() => workspace.textDocuments.forEach(opened)),
    workspace.onDidOpenTextDocument(opened),
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (!isFile(document) || contentChanges.length === 0) return;
      server.tell("textDocument/didChange", {
        textDocument: named(document),
        // What VS Code would make of a range by itself is a list.
        contentChanges: contentChanges.map(({ range: { start, end }, text }) => ({
          range: { start, end },
          text,
        })),
      });
    }),
    workspace.onDidSaveTextDocument(document => {
      if (isFile(document)) server.tell("textDocument/didSave", { textDocument: named(document) });
    }),
    workspace.onDidCloseTextDocument(document => {
      if (isFile(document)) server.tell("textDocument/didClose", { textDocument: named(document) });
    }),
    workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
      const named = (all: readonly { uri: { toString(): string }; name: string }[]) =>
        all.map(({ uri, name }) => ({ uri: uri.toString(), name }));
      server.tell("workspace/didChangeWorkspaceFolders", {
        event: { added: named(added), removed: named(removed) },
      });
    }),
  );
}
