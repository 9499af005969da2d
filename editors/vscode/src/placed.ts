// The undecided hunks of the texts that are shown, where they stand in them, saved or not.
import { Disposable, EventEmitter, Range, type TextDocument, window, workspace } from "vscode";
import type {
  EditorHunksDocument,
  EditorNews,
  EditorRange,
  PlacedHunkDocument,
  ProposedDocument,
} from "../../../frontend/src/wire/contract";
import { PROPOSED } from "./agreed";
import { isFile } from "./open-texts";
import type { Server } from "./server";

const REST_MS = 80;

interface Known {
  version: number;
  hunks: PlacedHunkDocument[];
}

export function rangeOf({ start, end }: EditorRange): Range {
  return new Range(start.line, start.character, end.line, end.character);
}

/** Where buttons stand: what has no place in the text is at its top. */
export function placeOf(hunk: PlacedHunkDocument): Range {
  return hunk.range ? rangeOf(hunk.range) : new Range(0, 0, 0, 0);
}

/** The lines of a hunk, both ends included. */
export function linesOf(hunk: PlacedHunkDocument): [number, number] {
  const { start, end } = placeOf(hunk);
  return [start.line, end.line];
}

/** Texts that have hunks: of files, and as they would be with what is proposed. */
function isShown(document: TextDocument): boolean {
  return isFile(document) || document.uri.scheme === PROPOSED;
}

export class PlacedHunks {
  private readonly known = new WeakMap<TextDocument, Known>();
  private readonly asked = new WeakMap<TextDocument, Promise<PlacedHunkDocument[]>>();
  private readonly resting = new Map<TextDocument, NodeJS.Timeout>();
  private readonly changed = new EventEmitter<TextDocument>();
  private readonly subscriptions: Disposable;
  /** What is known of a text is another now. */
  readonly onChange = this.changed.event;

  constructor(private readonly server: Server) {
    this.subscriptions = Disposable.from(
      server.onStart(() => this.lookAtAll()),
      server.onNews(news => this.learn(news)),
      window.onDidChangeVisibleTextEditors(() => this.lookAtAll(true)),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (isShown(document) && contentChanges.length > 0) this.lookSoon(document);
      }),
      workspace.onDidCloseTextDocument(document => this.known.delete(document)),
    );
  }

  /** What was drawn last, if it still is where it was drawn. */
  drawn(document: TextDocument): PlacedHunkDocument[] {
    const found = this.known.get(document);
    return found?.version === document.version ? found.hunks : [];
  }

  /** The hunks as they stand in the text now. */
  async of(document: TextDocument): Promise<PlacedHunkDocument[]> {
    const found = this.known.get(document);
    if (found?.version === document.version) return found.hunks;
    return this.look(document);
  }

  /** Asks anew. Who comes meanwhile gets the same answer. */
  look(document: TextDocument): Promise<PlacedHunkDocument[]> {
    const running = this.asked.get(document);
    if (running) return running;
    const asked = this.answer(document).finally(() => this.asked.delete(document));
    this.asked.set(document, asked);
    return asked;
  }

  private async answer(document: TextDocument): Promise<PlacedHunkDocument[]> {
    if (!isShown(document)) return [];
    const uri = document.uri.with({ scheme: "file" }).toString();
    const method = isFile(document) ? "blueline/hunks" : "blueline/proposed";
    for (;;) {
      const { version } = document;
      const hunks = await this.server.ask<EditorHunksDocument | ProposedDocument>(method, { uri }).then(
        found => found.hunks,
        () => [], // in no project, or nothing to show of it
      );
      // If somebody has typed meanwhile, these places are not those any more.
      if (document.isClosed || version === document.version) {
        this.known.set(document, { version, hunks });
        this.changed.fire(document);
        return hunks;
      }
    }
  }

  private learn(news: EditorNews): void {
    const concerned = new Set(news.files.map(path => `${news.root}/${path}`));
    for (const document of workspace.textDocuments) {
      if (!isShown(document) || !(news.everything || concerned.has(document.uri.fsPath))) continue;
      this.known.delete(document);
      void this.look(document);
    }
  }

  private lookAtAll(onlyNew = false): void {
    for (const { document } of window.visibleTextEditors) {
      if (isShown(document) && !(onlyNew && this.known.has(document))) void this.look(document);
    }
  }

  private lookSoon(document: TextDocument): void {
    clearTimeout(this.resting.get(document));
    const rested = () => {
      this.resting.delete(document);
      void this.of(document);
    };
    this.resting.set(document, setTimeout(rested, REST_MS));
  }

  dispose(): void {
    for (const one of this.resting.values()) clearTimeout(one);
    this.subscriptions.dispose();
    this.changed.dispose();
  }
}
