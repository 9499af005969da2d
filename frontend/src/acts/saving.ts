/** What the person types is saved by itself, shortly after. */

import type { Proof } from "../editor/proof";
import { isTyping, proof, refusal, saving } from "../state/proof";
import { announce, say } from "../state/messages";
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
  stopWaiting();
  timer = setTimeout(() => void save(), wait);
}

function stopWaiting(): void {
  if (timer) clearTimeout(timer);
  timer = null;
}

/** The person left the text. What was refused is not sent again unless they say so. */
export function left(): void {
  if (saving.peek() !== "refused") void save();
}

/** Sends what was typed; when this is done, all that was typed until now is saved or refused. */
export async function save(editor = proof.peek()): Promise<void> {
  if (!editor) return;
  if (editor === proof.peek()) stopWaiting();
  while (editor.typing.isUnsaved) {
    const hasArrived = await (underWay.get(editor) ?? send(editor));
    if (!hasArrived) return;
  }
}

/** What is on its way to the server, and whether it arrives there. */
const underWay = new Map<Proof, Promise<boolean>>();

function send(editor: Proof): Promise<boolean> {
  const sending = post(editor).finally(() => underWay.delete(editor));
  underWay.set(editor, sending);
  return sending;
}

async function post(editor: Proof): Promise<boolean> {
  const [base, text] = [editor.baseText(), editor.text()];
  editor.typing.send(editor.view.state.doc);
  tell(editor, "sending");
  try {
    const saved = await server.save(editor.path, editor.revision ?? "", base, text);
    expect(saved.version, [editor.path]);
    editor.saved(saved.text, saved.revision);
    tell(editor, editor.typing.isUnsaved ? "typing" : "saved");
    void refresh();
    void refreshOpenFile([editor.path]);
    if (!editor.typing.isUnsaved) unfinished.delete(editor);
    return true;
  } catch (error) {
    editor.typing.returned();
    failed(error, editor);
    return false;
  }
}

function tell(editor: Proof, state: typeof saving.value): void {
  if (editor === proof.peek()) saving.value = state;
}

function failed(error: unknown, editor: Proof): void {
  if (!(error instanceof server.Refusal)) throw error;
  const isLater = error.isAway || error.isForeign;
  if (editor !== proof.peek()) {
    if (isLater) setTimeout(() => void save(editor), RETRY_MS);
    else giveBack(editor, error);
  } else if (isLater) {
    saving.value = "away";
    later(RETRY_MS);
  } else {
    saving.value = "refused";
    refusal.value = error.message;
    announce(error.message);
  }
}

/** Editors of files that were left before all that was typed in them had arrived. */
const unfinished = new Set<Proof>();

/** The open file is left. What was typed in it is still sent. */
export function leave(): void {
  const editor = proof.peek();
  if (!editor) return;
  stopWaiting();
  editor.destroy();
  proof.value = null;
  isTyping.value = false;
  saving.value = "saved";
  if (!editor.typing.isUnsaved) return;
  unfinished.add(editor);
  void save(editor);
}

/** What was typed in a file that is not open any more has no place there: the person gets it back. */
function giveBack(editor: Proof, error: server.Refusal): void {
  unfinished.delete(editor);
  const text = editor.text();
  say(`What you typed in ${editor.path} is not saved`, {
    tone: "warning",
    detail: error.message,
    act: { label: "Copy the text", run: () => void navigator.clipboard.writeText(text) },
  });
}

/** Takes the text on disk, and gives up what was typed and not saved. */
export async function giveUpTyping(): Promise<void> {
  const path = proof.peek()?.path;
  proof.peek()?.destroy();
  proof.value = null;
  isTyping.value = false;
  saving.value = "saved";
  if (path) await refreshOpenFile([path]);
}

/** Whether something would be lost if the page were closed. */
export function isUnsaved(): boolean {
  return unfinished.size > 0 || (proof.peek()?.typing.isUnsaved ?? false);
}
