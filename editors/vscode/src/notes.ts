// Notes to the agent, as threads beside the lines that they are about.
import {
  type Comment,
  CommentMode,
  type CommentReply,
  type CommentThread,
  CommentThreadCollapsibleState,
  CommentThreadState,
  comments,
  commands,
  Disposable,
  MarkdownString,
  Range,
  window,
} from "vscode";
import type { NoteDocument, NoteKind, NotesDocument, NoteState } from "../../../frontend/src/wire/contract";
import type { PlacedHunks } from "./placed";
import { fileOf, type Projects } from "./projects";
import type { Server } from "./server";

const KINDS: Record<NoteKind, string> = {
  question: "Question",
  change: "Please change",
  "must-fix": "Must fix",
  keep: "Keep this",
};
const WRITTEN: Record<string, NoteKind> = {
  "blueline.noteChange": "change",
  "blueline.noteQuestion": "question",
  "blueline.noteMustFix": "must-fix",
  "blueline.noteKeep": "keep",
};

interface NoteComment extends Comment {
  root: string;
  note: NoteDocument;
}

interface Place {
  root: string;
  notes: NoteDocument[];
}

export class Notes {
  private readonly controller = comments.createCommentController("blueline.notes", "Blueline notes");
  private readonly threads = new Map<string, CommentThread>();
  private readonly places = new WeakMap<CommentThread, Place>();
  /** Notes that somebody is writing anew just now: they are left alone. */
  private readonly edited = new Set<string>();
  private offered = new Set<string>();
  private isLooking = false;
  private isStale = false;

  constructor(
    private readonly server: Server,
    private readonly projects: Projects,
    private readonly placed: PlacedHunks,
  ) {
    this.controller.options = { prompt: "Write to the agent", placeHolder: "What should it know?" };
  }

  /** Whether notes can be written is to be seen in the margin: so only in files that are under review. */
  private offer(files: Set<string>): void {
    if (files.size === this.offered.size && [...files].every(one => this.offered.has(one))) return;
    this.offered = files;
    // To be told anew is how VS Code asks anew.
    this.controller.commentingRangeProvider = {
      provideCommentingRanges: ({ uri, lineCount }) =>
        uri.scheme === "file" && files.has(uri.fsPath) ? [new Range(0, 0, lineCount - 1, 0)] : [],
    };
  }

  register(): Disposable {
    return Disposable.from(
      this.controller,
      this.projects.onChange(() => void this.look()),
      this.placed.onChange(({ uri }) => {
        if ([...this.threads.values()].some(one => one.uri.toString() === uri.toString())) void this.look();
      }),
      ...Object.entries(WRITTEN).map(([command, kind]) =>
        commands.registerCommand(command, (reply: CommentReply) => this.write(kind, reply)),
      ),
      commands.registerCommand("blueline.noteSend", (one: NoteComment) =>
        this.change(one, { state: "sent" }),
      ),
      commands.registerCommand("blueline.noteRemove", (one: NoteComment) =>
        this.change(one, { state: "removed" }),
      ),
      commands.registerCommand("blueline.noteEdit", (one: NoteComment) => this.edit(one)),
      commands.registerCommand("blueline.noteEdited", (one: NoteComment) => {
        this.edited.delete(one.note.id);
        return this.change(one, { text: one.body as string, state: "sent" });
      }),
      commands.registerCommand("blueline.noteEditedNot", (one: NoteComment) => {
        this.edited.delete(one.note.id);
        const thread = this.threadOf(one);
        if (thread) this.places.delete(thread);
        return this.look();
      }),
      commands.registerCommand("blueline.noteResolve", (one: CommentThread) => this.settle(one, "resolved")),
      commands.registerCommand("blueline.noteReopen", (one: CommentThread) => this.settle(one, "sent")),
    );
  }

  /** Asks for all notes, and again if something has happened meanwhile. */
  private async look(): Promise<void> {
    this.isStale = true;
    if (this.isLooking) return;
    this.isLooking = true;
    try {
      while (this.isStale) {
        this.isStale = false;
        const roots = this.projects.all.map(({ root }) => root);
        const asked = roots.map(root => this.server.ask<NotesDocument>("blueline/notes", { root }));
        const found = await Promise.all(asked);
        const pending = await Promise.all(roots.map(root => this.projects.pending(root)));
        const shown = found.map(({ notes }, at) => [...notes, ...(pending[at] ?? [])].map(one => one.path));
        this.offer(new Set(shown.flatMap((paths, at) => paths.map(path => `${roots[at]}/${path}`))));
        if (!this.isStale) this.show(found.flatMap(({ notes }, at) => places(roots[at] ?? "", notes)));
      }
    } catch {
      // The server has ended; the next one tells of its projects.
    } finally {
      this.isLooking = false;
    }
  }

  private show(found: [string, Place][]): void {
    const wanted = new Map(found);
    for (const [key, thread] of this.threads) {
      if (wanted.has(key)) continue;
      thread.dispose();
      this.threads.delete(key);
    }
    for (const [key, place] of wanted) {
      const [first] = place.notes;
      if (!first || place.notes.some(({ id }) => this.edited.has(id))) continue;
      const thread = this.threads.get(key) ?? this.created(key, place, first);
      const before = this.places.get(thread);
      this.places.set(thread, place);
      if (before && JSON.stringify(before) === JSON.stringify(place)) continue;
      thread.range = rangeOf(first);
      thread.comments = place.notes.map(note => commentOf(place.root, note));
      const isSettled = place.notes.every(({ state }) => state === "resolved");
      const state = isSettled ? "settled" : "open";
      if (thread.contextValue === state) continue;
      thread.contextValue = state;
      thread.state = isSettled ? CommentThreadState.Resolved : CommentThreadState.Unresolved;
      thread.collapsibleState = isSettled
        ? CommentThreadCollapsibleState.Collapsed
        : CommentThreadCollapsibleState.Expanded;
    }
  }

  private created(key: string, { root }: Place, note: NoteDocument): CommentThread {
    const thread = this.controller.createCommentThread(fileOf(root, note.path ?? ""), rangeOf(note), []);
    thread.label = "Notes to the agent";
    this.threads.set(key, thread);
    return thread;
  }

  /** A first note, or one more beside others: about the lines of the first. The agent gets it at its next turn. */
  private async write(kind: NoteKind, { thread, text }: CommentReply): Promise<void> {
    const known = this.places.get(thread);
    const root = known?.root ?? this.projects.rootOf(thread.uri);
    if (root === undefined || !text.trim()) return;
    const path = thread.uri.fsPath.slice(root.length + 1);
    const range = thread.range ?? new Range(0, 0, 0, 0);
    const target = known?.notes.some(({ line }) => line === null)
      ? { kind: "file", path }
      : { kind: "line", path, line: range.start.line + 1, end_line: range.end.line + 1 };
    await this.done(async () => {
      const { id } = await this.server.ask<NoteDocument>("blueline/writeNote", { root, target, kind, text });
      await this.server.ask("blueline/changeNote", { root, id, state: "sent" });
      if (!known) thread.dispose();
    });
  }

  private threadOf({ note }: NoteComment): CommentThread | undefined {
    const isIn = (thread: CommentThread) => this.places.get(thread)?.notes.some(({ id }) => id === note.id);
    return [...this.threads.values()].find(isIn);
  }

  private edit(one: NoteComment): void {
    const thread = this.threadOf(one);
    if (!thread) return;
    this.edited.add(one.note.id);
    const edited = { ...one, body: one.note.text, mode: CommentMode.Editing };
    thread.comments = thread.comments.map(each => (each === one ? edited : each));
  }

  private async change({ root, note }: NoteComment, to: { state?: NoteState; text?: string }): Promise<void> {
    await this.done(() => this.server.ask("blueline/changeNote", { root, id: note.id, ...to }));
  }

  private async settle(thread: CommentThread, state: NoteState): Promise<void> {
    const place = this.places.get(thread);
    if (!place) return;
    await this.done(async () => {
      for (const { id } of place.notes) {
        await this.server.ask("blueline/changeNote", { root: place.root, id, state });
      }
    });
  }

  private async done(act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
    } catch (error) {
      void window.showWarningMessage(`Blueline: ${error instanceof Error ? error.message : String(error)}`);
    }
    await this.look();
  }
}

/** Notes on the same lines stand together, by the first of them. Those on turns and calls are in no text. */
function places(root: string, notes: NoteDocument[]): [string, Place][] {
  const found = new Map<string, Place>();
  for (const note of notes.filter(({ path }) => path !== null)) {
    const key = JSON.stringify([note.path, note.line, note.end_line]);
    const place = found.get(key) ?? { root, notes: [] };
    place.notes.push(note);
    found.set(key, place);
  }
  return [...found.values()].map(place => [`${root} ${place.notes[0]?.id}`, place]);
}

function rangeOf({ line, end_line }: NoteDocument): Range {
  const first = Math.max(1, line ?? 1);
  return new Range(first - 1, 0, Math.max(first, end_line ?? first) - 1, 0);
}

/** A text of which nothing is markup, a link or an icon; its lines break where they are too long. */
function unmarked(text: string): string {
  return text
    .split("\n")
    .map(line => line.replace(/^ +/, blanks => "\u00a0".repeat(blanks.length)))
    .map(line => line.replace(/[!-/:-@[-`{-~]/g, "\\$&"))
    .join("  \n");
}

function commentOf(root: string, note: NoteDocument): NoteComment {
  return {
    root,
    note,
    body: new MarkdownString(unmarked(note.text)),
    mode: CommentMode.Preview,
    author: { name: KINDS[note.kind] },
    label: note.state,
    contextValue: note.state,
    timestamp: new Date(note.at),
  };
}
