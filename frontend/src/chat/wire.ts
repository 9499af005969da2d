/** What the server says of conversations, and what is asked of it. See docs/chat.md. */

import { address, get, key, post } from "../wire/client";
import type { Verdict } from "../wire/documents";

export interface Place {
  path: string;
  line?: number;
  end_line?: number;
  quote?: string;
}

export interface Listed {
  id: string;
  seq: number;
  title: string;
  agent: string;
  label: string;
  running: boolean;
  /** Questions that nobody has answered. */
  waiting: number;
  /** Its turns, as the ledger calls them. */
  turns: string[];
  at: string;
  task: Place | null;
  closed: boolean;
}

export interface Agent {
  name: string;
  label: string;
  /** Why it cannot be started; empty if it can. */
  missing: string;
}

export interface Diff {
  path: string;
  long: boolean;
  old: string | null;
  new: string | null;
}

export interface Option {
  id: string;
  name: string;
  kind: string;
}

export interface About {
  title?: string;
  tool?: string;
  status?: string;
  command?: string;
  output?: string;
  paths?: { path: string; line: number | null }[];
  /** The call, as the ledger calls it. */
  ledger?: string | null;
  state?: string;
  answer?: string | null;
  diffs?: Diff[];
  options?: Option[];
  steps?: { text: string; status: string }[];
  context?: Place[];
  tone?: string;
}

export interface Entry {
  number: number;
  turn: number;
  kind: "user" | "agent" | "thought" | "tool" | "plan" | "permission" | "note";
  at: string;
  text: string;
  about: About;
}

/** A turn of the conversation, by its number in it. */
export interface Round {
  number: number;
  /** What the ledger calls it. */
  turn: string | null;
  ended: string | null;
  stop: string;
  error: string;
  hidden: boolean;
}

export interface Composer {
  text: string;
  context: Place[];
}

export interface Conversation extends Listed {
  entries: Entry[];
  first: number;
  count: number;
  hidden: number[];
  composer: Composer;
  rounds: Round[];
  commands: { name: string; description: string }[];
  waits_for: number[];
  round: number | null;
}

export interface Need {
  path: string;
  why: string;
  choices: string[];
}

export interface TurnDecided {
  turn: string;
  verdict: Verdict;
  decisions: string[];
  edits: number;
  files: string[];
  skipped: { path: string; reason: string }[];
  written: string[];
  kept: unknown[];
  needs: Need[];
  conversation?: string | null;
  rewind?: { text: string; resume: string } | null;
}

export const list = () => get<{ conversations: Listed[]; agents: Agent[] }>("/api/chat");

export const conversation = (id: string, part: Record<string, string> = {}) =>
  get<Conversation>("/api/chat/conversation", { id, ...part });

/** How much of what an agent did with a tool was kept, and how much was taken back. */
export interface Tallied {
  agent: string;
  tool: string;
  edits: number;
  accepted: number;
  rejected: number;
  pending: number;
}

export const tally = () => get<{ tally: Tallied[] }>("/api/chat/tally");

export const begin = (agent: string, task?: Place) =>
  post<Conversation>("/api/chat/new", { agent, key: key(), ...(task && { task }) });

export const prompt = (id: string, text: string, context: Place[]) =>
  post<{ round: number; seq: number }>("/api/chat/prompt", { id, text, context, key: key() });

export const stop = (id: string) => post<object>("/api/chat/stop", { id });

export const answer = (id: string, entry: number, option: string) =>
  post<object>("/api/chat/answer", { id, entry, option });

export const compose = (id: string, text: string, context: Place[]) =>
  post<{ seq: number }>("/api/chat/composer", { id, text, context });

/** The same, for a page that is about to go: nobody waits for the answer. */
export function composeAtLast(id: string, { text, context }: Composer): void {
  void fetch(address("/api/chat/composer"), {
    method: "POST",
    keepalive: true,
    headers: { "Content-Type": "application/json", "X-Blueline": "1" },
    body: JSON.stringify({ id, text, context }),
  }).catch(() => undefined);
}

export const close = (id: string) => post<object>("/api/chat/close", { id, closed: true });

export const decideTurn = (
  verdict: Verdict,
  turn: string,
  choices: Record<string, string> = {},
  reason = "",
) => post<TurnDecided>("/api/chat/decide", { verdict, turn, choices, reason, key: key() });

export const undoTurn = (decisions: string[]) => post<object>("/api/chat/undo", { decisions, key: key() });
