/** What is asked of the server about conversations. See docs/chat.md. */

import { address, get, key, post } from "../wire/client";
import type {
  ComposedDocument,
  ComposerDocument,
  ConversationDocument,
  ConversationNamed,
  ConversationsDocument,
  PlaceDocument,
  PromptedDocument,
  TalliesDocument,
  TurnDecision,
  UndoneDocument,
  Verdict,
} from "../wire/contract";

export const list = () => get<ConversationsDocument>("/api/chat");

export const conversation = (id: string, part: Record<string, string> = {}) =>
  get<ConversationDocument>("/api/chat/conversation", { id, ...part });

export const tally = () => get<TalliesDocument>("/api/chat/tally");

export const begin = (agent: string, task?: PlaceDocument) =>
  post<ConversationDocument>("/api/chat/new", { agent, key: key(), ...(task && { task }) });

export const prompt = (id: string, text: string, context: PlaceDocument[]) =>
  post<PromptedDocument>("/api/chat/prompt", { id, text, context, key: key() });

export const stop = (id: string) => post<ConversationNamed>("/api/chat/stop", { id });

export const answer = (id: string, entry: number, option: string) =>
  post<ConversationNamed>("/api/chat/answer", { id, entry, option });

export const compose = (id: string, text: string, context: PlaceDocument[]) =>
  post<ComposedDocument>("/api/chat/composer", { id, text, context });

/** The same, for a page that is about to go: nobody waits for the answer. */
export function composeAtLast(id: string, { text, context }: ComposerDocument): void {
  void fetch(address("/api/chat/composer"), {
    method: "POST",
    keepalive: true,
    headers: { "Content-Type": "application/json", "X-Blueline": "1" },
    body: JSON.stringify({ id, text, context }),
  }).catch(() => undefined);
}

export const close = (id: string) => post<ConversationNamed>("/api/chat/close", { id, closed: true });

export const decideTurn = (
  verdict: Verdict,
  turn: string,
  choices: Record<string, string> = {},
  reason = "",
) => post<TurnDecision>("/api/chat/decide", { verdict, turn, choices, reason, key: key() });

export const undoTurn = (decisions: string[]) =>
  post<UndoneDocument>("/api/chat/undo", { decisions, key: key() });
