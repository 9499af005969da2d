/** What the page tells the person: short messages that can be undone, and where they are, for a screen reader. */

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
const SLOW_MS = 1000;
const MOST = 3;

export const messages = signal<Message[]>([]);
/** Where the person is now, for a screen reader; messages are read out where they stand. */
export const announcement = signal("");

let count = 0;

export function say(text: string, more: Partial<Omit<Message, "number" | "text">> = {}): void {
  const message: Message = { tone: "plain", ...more, number: (count += 1), text };
  // What just happened takes the place of what happened before, and of why the last decision could not be made.
  const isOver = (one: Message) =>
    (message.tone === "plain" && one.tone === "plain") ||
    (message.topic !== undefined && one.topic === message.topic);
  const others = messages.value.filter(one => !isOver(one));
  messages.value = [...others, message].slice(-MOST);
  // A warning stays until it is read.
  if (message.tone === "plain") setTimeout(() => dismiss(message.number), LASTS_MS);
}

export const DOING = { accept: "Accepting", reject: "Rejecting" };

/** What takes a while is named meanwhile. */
export async function sayIfSlow<T>(text: string, work: Promise<T>): Promise<T> {
  let number = 0;
  const timer = setTimeout(() => {
    say(text);
    number = count;
  }, SLOW_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    if (number) dismiss(number);
  }
}

export function warn(text: string, detail = "", topic?: string): void {
  const known = messages.peek().find(message => message.text === text && message.detail === detail);
  if (!known) say(text, { tone: "warning", detail, topic });
}

let standing: readonly string[] = [];

/** What is wrong with the project: said once, and no longer than it is so. */
export function warnOfProject(warnings: readonly string[]): void {
  const isOver = ({ text }: Message) => standing.includes(text) && !warnings.includes(text);
  if (messages.peek().some(isOver)) messages.value = messages.peek().filter(one => !isOver(one));
  for (const warning of warnings) if (!standing.includes(warning)) warn(warning);
  standing = warnings;
}

export function dismiss(number: number): void {
  messages.value = messages.value.filter(message => message.number !== number);
}

export function announce(text: string): void {
  // The same words twice would not be read out twice.
  announcement.value = announcement.peek() === text ? `${text}\u00a0` : text;
}
