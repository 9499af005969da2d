/** At a hub: whose browser it is, what they may do here, and what waits for the project's machine. */

import { computed, signal } from "@preact/signals";
import type { AskedDocument } from "../wire/contract";

/** Null where there is no hub. */
export const person = signal<string | null>(null);
/** In the project that is open. */
export const role = signal<string | null>(null);
export const asked = signal<AskedDocument | null>(null);

export const isOwner = computed(() => role.value === "owner");

/** What people asked for of each change that waits. */
export const wishes = computed(() => {
  const found = new Map<string, string>();
  for (const { verb, by, hunks } of asked.value?.waiting ?? [])
    for (const hunk of hunks) found.set(hunk, `${by}: ${verb}; waits for ${asked.value?.machine}`);
  return found;
});
