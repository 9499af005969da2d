/** What the page tells the person: short messages that can be undone, and words for a screen reader. */

import { signal } from "@preact/signals";

export interface Message {
  number: number;
  text: string;
  tone: "plain" | "warning";
  detail?: string | undefined;
  act?: { label: string; run: () => void } | undefined;
  /** A newer message about the same takes its place. */
  topic?: string | undefined;
}

const LASTS_MS = 8000;
const MOST = 3;

export const messages = signal<Message[]>([]);
/** Read out by a screen reader. */
export const announcement = signal("");

let count = 0;

export function say(text: string, more: Partial<Omit<Message, "number" | "text">> = {}): void {
  const message: Message = { tone: "plain", ...more, number: (count += 1), text };
  const others = messages.value.filter(one => !message.topic || one.topic !== message.topic);
  messages.value = [...others, message].slice(-MOST);
  announce(more.detail ? `${text}. ${more.detail}` : text);
  // A warning stays until it is read.
  if (message.tone === "plain") setTimeout(() => dismiss(message.number), LASTS_MS);
}

export function warn(text: string, detail = ""): void {
  const known = messages.peek().find(message => message.text === text && message.detail === detail);
  if (!known) say(text, { tone: "warning", detail });
}

export function dismiss(number: number): void {
  messages.value = messages.value.filter(message => message.number !== number);
}

export function announce(text: string): void {
  // The same words twice would not be read out twice.
  announcement.value = announcement.peek() === text ? `${text}\u00a0` : text;
}
