/** Notes: words of the person about a line, a hunk, a file, a call or a turn, for the agent to answer. */

import { counted } from "../rules/counting";
import { openDialog } from "../state/dialogs";
import { say } from "../state/messages";
import { currentLine, page, selectedLines } from "../state/place";
import { notes } from "../state/project";
import * as server from "../wire/client";
import type { HunkEntry, NoteDocument, NoteKind, NoteState, NoteTargetDocument } from "../wire/contract";
import { fail, refresh } from "./refreshing";
import { save } from "./saving";

export function noteOnHunk(hunk: HunkEntry): void {
  const target: NoteTargetDocument = { kind: "hunk", id: hunk.id, path: hunk.path };
  openDialog({ kind: "note", target, about: `the change in ${hunk.path}, line ${hunk.new_start}` });
}

export function noteOnGroup(id: string): void {
  const kind = id.startsWith("t") ? "turn" : "call";
  openDialog({ kind: "note", target: { kind, id }, about: `${kind} ${id.slice(1)}` });
}

/** On the selected lines, or the line with the cursor. */
export function noteHere(): void {
  const path = page.peek()?.path;
  if (!path) return;
  const lines = selectedLines.peek() ?? { start: currentLine.peek(), end: currentLine.peek() };
  const target: NoteTargetDocument = { kind: "line", path, line: lines.start, end_line: lines.end };
  const where = lines.start === lines.end ? `line ${lines.start}` : `lines ${lines.start} to ${lines.end}`;
  openDialog({ kind: "note", target, about: `${where} of ${path}` });
}

export function noteOnFile(): void {
  const path = page.peek()?.path;
  if (path) openDialog({ kind: "note", target: { kind: "file", path }, about: path });
}

export function editNote(note: NoteDocument): void {
  openDialog({ kind: "note", target: note.target, about: note.path ?? note.target.id ?? "this", note });
}

/** Keeps a note, and sends it if asked to. */
export async function keepNote(
  target: NoteTargetDocument,
  kind: NoteKind,
  text: string,
  { note, send }: { note?: NoteDocument | undefined; send: boolean },
): Promise<void> {
  await save();
  await attempt(async () => {
    const kept = note ? await server.changeNote(note.id, { text }) : await server.addNote(target, kind, text);
    if (send) await server.changeNote(kept.id, { state: "sent" });
    say(send ? "Note sent: the agent hears of it at its next turn" : "Note saved as a draft");
  });
}

export function setNoteState(note: NoteDocument, state: NoteState): Promise<void> {
  return attempt(async () => {
    await server.changeNote(note.id, { state });
    if (state === "sent") say("Note sent: the agent hears of it at its next turn");
  });
}

export const drafts = (): NoteDocument[] => notes.value.filter(note => note.state === "draft");

export function sendAll(): Promise<void> {
  return attempt(async () => {
    const unsent = drafts();
    for (const note of unsent) await server.changeNote(note.id, { state: "sent" });
    say(`Sent ${counted(unsent.length, "note")}`);
  });
}

async function attempt(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    fail(error);
  }
  await refresh();
}
