/** What was typed in cells and is not saved: kept until it is, or until the person gives it up. */

import { expect, refreshOpenFile } from "../acts/opening";
import { refresh } from "../acts/refreshing";
import { announce, say } from "../state/messages";
import { Refusal } from "../wire/client";
import { saveCell } from "./wire";

export interface CellDraft {
  path: string;
  /** As the server names it. */
  cell: string;
  /** What the typing started from. */
  base: string;
  text: string;
}

const STORE = "blueline-cells";

/** Survives a reload of this tab, and nothing else. */
const drafts = new Map<string, CellDraft>(read());
/** Cells that are being typed in now. */
const open = new Map<string, number>();

const keyOf = (path: string, cell: string) => `${path}\n${cell}`;

function read(): [string, CellDraft][] {
  try {
    return JSON.parse(sessionStorage.getItem(STORE) ?? "[]") as [string, CellDraft][];
  } catch {
    // Somebody else's words, or none: then nothing was kept.
    return [];
  }
}

function write(): void {
  try {
    sessionStorage.setItem(STORE, JSON.stringify([...drafts]));
  } catch {
    // There is no room: it is still here as long as the page is.
  }
}

export function draftOf(path: string, cell: string): CellDraft | null {
  return drafts.get(keyOf(path, cell)) ?? null;
}

export function keepDraft(draft: CellDraft): void {
  const key = keyOf(draft.path, draft.cell);
  if (draft.text === draft.base) drafts.delete(key);
  else drafts.set(key, draft);
  write();
}

export function dropDraft(path: string, cell: string): void {
  drafts.delete(keyOf(path, cell));
  write();
}

addEventListener("beforeunload", event => {
  if (drafts.size) event.preventDefault();
});

/** Sends a draft; why it could not be saved, or nothing. */
export async function saveDraft(draft: CellDraft): Promise<string> {
  try {
    const saved = await saveCell(draft.path, draft.cell, draft.base, draft.text);
    dropDraft(draft.path, draft.cell);
    expect(saved.version, [draft.path]);
    announce("Saved.");
    await Promise.all([refresh(), refreshOpenFile(null)]);
    return "";
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

/** A cell is typed in; to be called when that ends: what is left of it then is saved, or kept. */
export function typingIn(path: string, cell: string): () => void {
  const key = keyOf(path, cell);
  open.set(key, (open.get(key) ?? 0) + 1);
  return () => {
    open.set(key, (open.get(key) ?? 1) - 1);
    // It may only have been drawn anew.
    setTimeout(() => void leave(key));
  };
}

async function leave(key: string): Promise<void> {
  const draft = drafts.get(key);
  if (!draft || open.get(key)) return;
  const problem = await saveDraft(draft);
  if (!problem) return;
  say(`What you typed in cell ${draft.cell} of ${draft.path} is kept, and not saved yet`, {
    tone: "warning",
    detail: problem,
    act: { label: "Copy the text", run: () => void navigator.clipboard.writeText(draft.text) },
  });
}
