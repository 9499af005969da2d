/** What a person does with conversations, and how the page keeps up with them. */

import { batch, effect } from "@preact/signals";
import { expect, refreshOpenFile } from "../acts/opening";
import { fail, refresh } from "../acts/refreshing";
import { save } from "../acts/saving";
import { counted } from "../rules/counting";
import { DOING, announce, say, sayIfSlow, warn } from "../state/messages";
import { news } from "../state/news";
import { currentLine, page, selectedLines, tab } from "../state/place";
import { isHidden } from "../state/hiding";
import { inOrder } from "../state/inOrder";
import { hunks, overview, version } from "../state/project";
import { unseenFiles } from "../state/seen";
import { Refusal } from "../wire/client";
import type {
  ComposerDocument,
  ConversationDocument,
  EntryDocument,
  PlaceDocument,
  TurnDecision,
  TurnNeed,
  Verdict,
} from "../wire/contract";
import { chatNews } from "./news";
import { askAboutFiles } from "./MovedOn";
import { askAboutUnseen } from "./UnseenTurn";
import {
  agents,
  conversations,
  isKnown,
  lastAgent,
  openId,
  openThreads,
  shownConversations,
  thread,
  turnInHand,
} from "./state";
import * as server from "./wire";

const SAVE_AFTER_MS = 400;

let isStarted = false;

/** Begins to follow conversations, once there is somebody to see them. */
export function follow(): void {
  if (isStarted) return;
  isStarted = true;
  effect(() => {
    const found = chatNews.value;
    if (!found) return;
    void refreshList();
    for (const [id, known] of openThreads()) {
      const seq = found.conversations[id];
      if (known.document.peek() && seq !== undefined && seq !== known.document.peek()?.seq) void load(id);
    }
  });
  effect(() => {
    // Something was decided: turns may have been taken back, or given back.
    const turns = new Set(news.value?.turns ?? []);
    for (const [id, known] of openThreads()) {
      if (known.document.peek()?.turns.some(turn => turns.has(turn))) void load(id);
    }
  });
  addEventListener("pagehide", () => {
    for (const [id, known] of openThreads()) {
      const document = known.document.peek();
      if (document && !isSame(known.draft.peek(), document.composer)) {
        server.composeAtLast(id, known.draft.peek());
      }
    }
  });
  void refreshList();
}

const underWay = new Map<string, boolean>();

/** Does something again when it was asked for while it was being done, and never twice at once. */
async function coalesced(name: string, act: () => Promise<void>): Promise<void> {
  if (underWay.has(name)) {
    underWay.set(name, true);
    return;
  }
  try {
    do {
      underWay.set(name, false);
      await act();
    } while (underWay.get(name));
  } catch (error) {
    fail(error);
  } finally {
    underWay.delete(name);
  }
}

/** How many conversations began here: a list that was asked for before the last of them does not know it. */
let begun = 0;

export function refreshList(): Promise<void> {
  return coalesced("", async () => {
    const known = begun;
    const found = await server.list();
    if (known !== begun) return void refreshList();
    const asked = found.conversations.reduce((sum, one) => sum + one.waiting, 0);
    const before = conversations.peek().reduce((sum, one) => sum + one.waiting, 0);
    if (asked > before) announce("An agent asks for permission. See the chat.");
    batch(() => {
      agents.value = found.agents;
      conversations.value = found.conversations;
      isKnown.value = true;
      const shown = shownConversations.peek();
      if (!shown.some(one => one.id === openId.peek())) openId.value = shown[0]?.id ?? null;
    });
  });
}

/** Asks for what is new in a conversation. */
export function load(id: string): Promise<void> {
  return coalesced(id, async () => {
    const known = thread(id);
    const seq = known.document.peek()?.seq;
    const found = await server.conversation(id, seq === undefined ? {} : { after: String(seq) });
    const hiddenBefore = known.document.peek()?.hidden.join() ?? "";
    take(found);
    // A turn that came back may never have been on this page.
    if (seq !== undefined && found.hidden.join() !== hiddenBefore) take(await server.conversation(id));
  });
}

/** Asks for the messages before those that are there. */
export async function loadOlder(id: string): Promise<void> {
  const known = thread(id);
  const first = Math.min(...known.entries.peek().keys());
  try {
    const found = await server.conversation(id, { before: String(first) });
    known.entries.value = merged(known.entries.peek(), found);
  } catch (error) {
    fail(error);
  }
}

function merged(known: ReadonlyMap<number, EntryDocument>, found: ConversationDocument) {
  return new Map([...known, ...found.entries.map(entry => [entry.number, entry] as const)]);
}

function take(found: ConversationDocument): void {
  const known = thread(found.id);
  const before = known.document.peek();
  const draft = known.draft.peek();
  // What the server has is what the person sees, unless they are typing just now.
  const isTyped = before !== null && !isSame(draft, before.composer);
  if (before !== null && found.seq < known.sent) found.composer = before.composer;
  batch(() => {
    known.entries.value = merged(known.entries.peek(), found);
    known.document.value = found;
    if (!isTyped && !isSame(draft, found.composer)) known.draft.value = found.composer;
  });
  const ran = before?.round ?? null;
  if (ran !== null && found.hidden.includes(ran) && !before?.hidden.includes(ran)) {
    say(`${found.label} was stopped: its turn was rejected`, { detail: "Your message is in the box again." });
  }
}

function isSame(one: ComposerDocument, other: ComposerDocument): boolean {
  return one.text === other.text && JSON.stringify(one.context) === JSON.stringify(other.context);
}

// Talking

export async function begin(agent: string, task?: PlaceDocument): Promise<string | null> {
  try {
    const made = await server.begin(agent, task);
    begun += 1;
    batch(() => {
      lastAgent.value = agent;
      take(made);
      conversations.value = [made, ...conversations.peek()];
      openId.value = made.id;
    });
    return made.id;
  } catch (error) {
    refused(error);
    return null;
  }
}

const timers = new Map<string, ReturnType<typeof setTimeout>>();

/** The person types; the server keeps it, so that it survives anything. */
export function typed(id: string, draft: ComposerDocument): void {
  thread(id).draft.value = draft;
  clearTimeout(timers.get(id));
  timers.set(
    id,
    setTimeout(() => void keep(id), SAVE_AFTER_MS),
  );
}

async function keep(id: string): Promise<void> {
  const known = thread(id);
  const draft = known.draft.peek();
  const document = known.document.peek();
  if (!document || isSame(draft, document.composer)) return;
  try {
    known.sent = (await server.compose(id, draft.text, draft.context)).seq;
    const now = known.document.peek();
    if (now) known.document.value = { ...now, composer: draft };
  } catch (error) {
    fail(error);
  }
}

export async function send(id: string): Promise<void> {
  const known = thread(id);
  const draft = known.draft.peek();
  if (!draft.text.trim() || known.document.peek()?.running) return;
  clearTimeout(timers.get(id));
  await save();
  const empty: ComposerDocument = { text: "", context: [] };
  const document = known.document.peek();
  batch(() => {
    known.draft.value = empty;
    if (document) known.document.value = { ...document, composer: empty, running: true };
  });
  try {
    known.sent = (await server.prompt(id, draft.text, draft.context)).seq;
    await load(id);
  } catch (error) {
    known.draft.value = draft;
    refused(error);
    await load(id);
  }
}

export async function stop(id: string): Promise<void> {
  try {
    await server.stop(id);
  } catch (error) {
    refused(error);
  }
}

export async function answer(id: string, entry: number, option: string): Promise<void> {
  try {
    await server.answer(id, entry, option);
  } catch (error) {
    refused(error);
  }
  await load(id);
}

export async function putAway(id: string): Promise<void> {
  try {
    await server.close(id);
    await refreshList();
  } catch (error) {
    refused(error);
  }
}

/** The selected lines, or the one with the cursor. */
export function placeHere(): PlaceDocument | null {
  const shown = page.peek();
  if (!shown) return null;
  const lines = selectedLines.peek() ?? { start: currentLine.peek(), end: currentLine.peek() };
  const text = (shown.live ?? "").split("\n").slice(lines.start - 1, lines.end);
  return { path: shown.path, line: lines.start, end_line: lines.end, quote: text.join("\n") };
}

export function addContext(id: string): void {
  const place = placeHere();
  const { draft } = thread(id);
  if (place) typed(id, { ...draft.peek(), context: [...draft.peek().context, place] });
  else say("No file is open.");
}

export function removeContext(id: string, index: number): void {
  const { draft } = thread(id);
  typed(id, { ...draft.peek(), context: draft.peek().context.filter((_, at) => at !== index) });
}

export async function showConversation(id: string): Promise<void> {
  batch(() => {
    tab.value = "chat";
    openId.value = id;
  });
  await load(id);
}

// Whole turns

/** Keeps or takes back the turn that the control is about; whether there is one. */
export function decideTurnInHand(verdict: Verdict): boolean {
  const turn = turnInHand.peek();
  if (turn) wantTurn(verdict, turn.id);
  return turn !== null;
}

/** Decides about a turn, if all of it was seen; otherwise the person is asked. */
export function wantTurn(verdict: Verdict, turn: string): void {
  const inTurn = hunks.peek().filter(hunk => hunk.turn === turn);
  const files = unseenFiles(inTurn);
  if (inTurn.some(isHidden)) warn(`Some of turn ${turn.slice(1)} is hidden`, "Show it first: then decide.");
  else if (files.length)
    askAboutUnseen({ verdict, turn, files, onAgreed: () => void decideTurn(verdict, turn) });
  else void decideTurn(verdict, turn);
}

export function decideTurn(
  verdict: Verdict,
  turn: string,
  choices: Record<string, string> = {},
): Promise<void> {
  return inOrder(() => decideTurnNow(verdict, turn, choices));
}

async function decideTurnNow(verdict: Verdict, turn: string, choices: Record<string, string>): Promise<void> {
  await save();
  for (const [id] of openThreads()) await keep(id);
  let files: readonly string[] | null = null;
  try {
    const asked = server.decideTurn(verdict, turn, choices);
    const done = await sayIfSlow(`${DOING[verdict]} turn ${turn.slice(1)} …`, asked);
    told(done);
    files = done.files;
  } catch (error) {
    const needs = error instanceof Refusal ? (error.answer["needs"] as TurnNeed[] | undefined) : undefined;
    if (!needs?.length) refused(error);
    else askAboutFiles({ turn, needs, onChosen: chosen => void decideTurn("reject", turn, chosen) });
  }
  await showWhole(files);
}

/** Shows what became of whole turns: which turn keys are about first, then files and conversations. What changed in
 * these files is the person's own doing; null is for nothing of it. */
async function showWhole(files: readonly string[] | null): Promise<void> {
  await refresh();
  if (files) expect(version(), files);
  await Promise.all([refreshOpenFile(null), ...openThreads().map(([id]) => load(id))]);
}

function told(done: TurnDecision): void {
  if (!done.decisions.length) {
    say("Nothing changed", { detail: "There was nothing left to decide in this turn." });
    return;
  }
  const what = `turn ${done.turn.slice(1)}: ${counted(done.edits, "edit")} in ${filesIn(done.files)}`;
  const skipped = done.skipped.map(one => `${one.path}: ${one.reason || "left as it is"}.`).join(" ");
  const detail = [skipped, done.rewind ? done.rewind.text : ""].filter(Boolean).join(" ");
  say(`${done.verdict === "accept" ? "Accepted" : "Rejected"} ${what}`, {
    detail,
    act: { label: `Undo turn ${done.turn.slice(1)}`, run: () => void undoTurn(done) },
    topic: "decision",
  });
}

/** "a.py", "a.py and b.py", "a.py and 3 more files". */
function filesIn([first = "", ...others]: readonly string[]): string {
  const [second] = others;
  if (second === undefined) return first;
  return `${first} and ${others.length === 1 ? second : counted(others.length, "more file")}`;
}

async function undoTurn({ decisions, files }: TurnDecision): Promise<void> {
  try {
    await server.undoTurn(decisions);
    say("Undone: files and conversation are as they were");
    await showWhole(files);
  } catch (error) {
    refused(error);
    await showWhole(null);
  }
}

function refused(error: unknown): void {
  if (error instanceof Refusal && !error.isAway && !error.isForeign) warn(error.message, error.hint);
  else fail(error);
}

/** What a call of an agent changed: its hunks that are undecided. */
export function hunksOfCall(call: string) {
  return (overview.value?.hunks ?? []).filter(hunk => hunk.call === call);
}
