/** At a hub: whose browser it is, what they may do here, and what waits for the project's machine. */

import { computed, signal } from "@preact/signals";
import { isStarting } from "../state/place";
import { project } from "../state/project";
import type { AskedDocument } from "../wire/contract";

/** Null where there is no hub. */
export const person = signal<string | null>(null);
/** In the project that is open. */
export const role = signal<string | null>(null);
export const asked = signal<AskedDocument | null>(null);

/** Whoever comes to a hub begins with the inbox, and has no project before them. */
export const isNowhere = computed(() => person.value !== null && project.value === null && !isStarting.value);

export const isOwner = computed(() => role.value === "owner");

/** What people asked for of each change that waits. */
export const wishes = computed(() => {
  const said = new Map<string, string[]>();
  for (const { verb, by, hunks } of asked.value?.waiting ?? [])
    for (const hunk of hunks) said.set(hunk, [...(said.get(hunk) ?? []), `${by}: ${verb}`]);
  const waits = `; waits for ${asked.value?.machine}`;
  return new Map([...said].map(([hunk, words]) => [hunk, words.join(", ") + waits]));
});
