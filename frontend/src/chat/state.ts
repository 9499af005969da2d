/** What the page knows of conversations. */

import { type Signal, computed, effect, signal } from "@preact/signals";
import { hunkNamed } from "../state/hunks";
import { awaitedPaths, currentHunk, litGroup } from "../state/place";
import { hunks, overview, turns } from "../state/project";
import { stored } from "../state/stored";
import type {
  ChatAgentDocument,
  ComposerDocument,
  ConversationDocument,
  ConversationListed,
  EntryDocument,
  TurnEntry,
} from "../wire/contract";

export const conversations = signal<ConversationListed[]>([]);
export const agents = signal<ChatAgentDocument[]>([]);
/** Whether the lists above have been asked for. */
export const isKnown = signal(false);
/** The one that is shown. */
export const openId = stored<string | null>("chat", null);
/** The agent that was talked to last. */
export const lastAgent = stored("chat-agent", "");

/** One conversation on the page. */
export interface Thread {
  document: Signal<ConversationDocument | null>;
  entries: Signal<ReadonlyMap<number, EntryDocument>>;
  /** What the person is typing; the server has it a moment later. */
  draft: Signal<ComposerDocument>;
  /** The last change of the composer that was sent from here: what is older says nothing of it. */
  sent: number;
}

const threads = new Map<string, Thread>();

export function thread(id: string): Thread {
  const known = threads.get(id);
  if (known) return known;
  const fresh: Thread = {
    document: signal(null),
    entries: signal(new Map()),
    draft: signal({ text: "", context: [] }),
    sent: 0,
  };
  threads.set(id, fresh);
  return fresh;
}

export const openThreads = (): [string, Thread][] => [...threads];

export const shownConversations = computed(() => conversations.value.filter(one => !one.closed));

effect(() => {
  awaitedPaths.value = new Set(shownConversations.value.flatMap(one => one.task?.path ?? []));
});

/** Questions of agents that nobody has answered. */
export const waiting = () => conversations.value.reduce((sum, one) => sum + one.waiting, 0);

/** The entries that are shown: not those of turns that were taken back. */
export function shownEntries({ document, entries }: Thread): EntryDocument[] {
  const hidden = new Set(document.value?.hidden ?? []);
  const all = [...entries.value.values()].filter(entry => !hidden.has(entry.turn));
  return all.sort((a, b) => a.number - b.number);
}

/** Turns that have ended, and in which something is undecided: the newest first. */
export const undecidedTurns = computed<TurnEntry[]>(() => {
  const open = new Set(hunks.value.filter(hunk => !hunk.held).map(hunk => hunk.turn));
  return turns.value.filter(turn => turn.ended !== null && open.has(turn.id));
});

const chosen = signal<string | null>(null);

/** The turn that the control is about: it stays the one that is being read, whatever else arrives. */
export const turnInHand = computed<TurnEntry | null>(() => {
  const all = undecidedTurns.value;
  const named = (id: string | null) => all.find(turn => turn.id === id);
  return named(litGroup.value) ?? named(chosen.value) ?? all[0] ?? null;
});

effect(() => {
  const read = hunkNamed(currentHunk.value)?.turn;
  if (read) chosen.value = read;
});
effect(() => {
  const shown = turnInHand.value;
  if (shown && chosen.peek() === null) chosen.value = shown.id;
});

/** Turns that had ended when the page was opened, or that were in hand since: they are no news. */
const knownTurns = signal<ReadonlySet<string> | null>(null);

effect(() => {
  if (!overview.value || knownTurns.peek()) return;
  knownTurns.value = new Set(turns.peek().flatMap(turn => (turn.ended === null ? [] : turn.id)));
});
effect(() => {
  const shown = turnInHand.value?.id;
  const known = knownTurns.value;
  if (shown && known && !known.has(shown)) knownTurns.value = new Set([...known, shown]);
});

/** The newest turn that ended while another one was in hand. */
export const newsOfTurns = computed<TurnEntry | null>(() => {
  const all = undecidedTurns.value;
  const newer = all.slice(
    0,
    Math.max(
      0,
      all.findIndex(turn => turn.id === turnInHand.value?.id),
    ),
  );
  return newer.find(turn => !knownTurns.value?.has(turn.id)) ?? null;
});

/** Takes a turn in hand. */
export function takeInHand(id: string): void {
  if (undecidedTurns.peek().some(turn => turn.id === litGroup.peek())) litGroup.value = null;
  chosen.value = id;
}

/** Takes the next older turn in hand, or the next newer one. */
export function stepTurn(step: number): void {
  const all = undecidedTurns.peek();
  const at = all.findIndex(turn => turn.id === turnInHand.peek()?.id);
  const next = all[Math.min(Math.max(at + step, 0), all.length - 1)];
  if (next) takeInHand(next.id);
}

/** The files of a turn in which something is undecided, with how many changes each has. */
export function filesOf(turn: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const hunk of hunks.value) {
    if (hunk.turn === turn) found.set(hunk.path, (found.get(hunk.path) ?? 0) + 1);
  }
  return found;
}
