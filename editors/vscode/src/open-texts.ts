// Tells the server which texts are open and what is typed in them, before anything is asked about them.
import {
  Disposable,
  type Tab,
  TabInputNotebookDiff,
  TabInputTextDiff,
  type TextDocument,
  type Uri,
  window,
  workspace,
} from "vscode";
import type { Server } from "./server";

export function isFile(document: TextDocument): boolean {
  return document.uri.scheme === "file";
}

/** The sides of a diff that a tab shows. */
export function inDiff(tab: Tab | undefined): TabInputTextDiff | TabInputNotebookDiff | undefined {
  const input = tab?.input;
  return input instanceof TabInputTextDiff || input instanceof TabInputNotebookDiff ? input : undefined;
}

/** The file that is shown, also where that is no text: then only its tab says which it is. */
export function shownFile(): Uri | undefined {
  const { activeNotebookEditor, activeTextEditor, tabGroups } = window;
  const inTab = inDiff(tabGroups.activeTabGroup.activeTab)?.modified.with({ scheme: "file" });
  const shown = activeNotebookEditor?.notebook.uri ?? activeTextEditor?.document.uri;
  // A cell has an address of its own.
  return shown?.scheme === "vscode-notebook-cell" ? inTab : (shown ?? inTab);
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
