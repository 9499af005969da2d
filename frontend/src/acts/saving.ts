/** What the person types is saved by itself, shortly after. */

import { saving, proof, refusal } from "../state/proof";
import { page } from "../state/place";
import { announce } from "../state/messages";
import * as server from "../wire/client";
import { expect, refreshOpenFile } from "./opening";
import { refresh } from "./refreshing";

const PAUSE_MS = 350;
const RETRY_MS = 2000;

let timer: ReturnType<typeof setTimeout> | null = null;

export function typed(): void {
  if (saving.peek() === "saved") saving.value = "typing";
  later(PAUSE_MS);
}

function later(wait: number): void {
  if (timer) clearTimeout(timer);
  timer = setTimeout(() => void save(), wait);
}

/** The person left the text. What was refused is not sent again unless they say so. */
export function left(): void {
  if (saving.peek() !== "refused") void save();
}

/** Sends what was typed; when it is answered, all that was typed until now is saved or refused. */
export async function save(): Promise<void> {
  const editor = proof.peek();
  if (timer) clearTimeout(timer);
  timer = null;
  if (!editor || editor.typing.isSending || !editor.typing.isUnsaved) return;
  const [base, text] = [editor.baseText(), editor.text()];
  editor.typing.send(editor.view.state.doc);
  saving.value = "sending";
  try {
    const saved = await server.save(editor.path, page.peek()?.revision ?? "", base, text);
    expect(saved.version);
    editor.saved(saved.text);
    saving.value = editor.typing.isUnsaved ? "typing" : "saved";
    void refresh();
    void refreshOpenFile([editor.path]);
    if (editor.typing.isUnsaved) later(PAUSE_MS);
  } catch (error) {
    editor.typing.returned();
    failed(error);
  }
}

function failed(error: unknown): void {
  if (!(error instanceof server.Refusal)) throw error;
  if (error.isAway || error.isForeign) {
    saving.value = "away";
    later(RETRY_MS);
    return;
  }
  saving.value = "refused";
  refusal.value = error.message;
  announce(error.message);
}

/** Takes the text on disk, and gives up what was typed and not saved. */
export async function giveUpTyping(): Promise<void> {
  const path = proof.peek()?.path;
  saving.value = "saved";
  proof.peek()?.destroy();
  proof.value = null;
  if (path) await refreshOpenFile([path]);
}

/** Whether something would be lost if the page were closed. */
export function isUnsaved(): boolean {
  return proof.peek()?.typing.isUnsaved ?? false;
}
