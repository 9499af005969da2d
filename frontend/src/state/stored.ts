/** What the browser keeps for the person: never the truth, only how they like to see it. */

import { type Signal, effect, signal } from "@preact/signals";

const PREFIX = "blueline.";

/** A signal that is still there after a reload. */
export function stored<T>(name: string, initial: T): Signal<T> {
  const kept = signal<T>(read(name) ?? initial);
  effect(() => {
    try {
      localStorage.setItem(PREFIX + name, JSON.stringify(kept.value));
    } catch {
      // Storage is full or forbidden: the page works without it.
    }
  });
  return kept;
}

function read<T>(name: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name) ?? "null") as T | null;
  } catch {
    return null;
  }
}
