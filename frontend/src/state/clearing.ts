/** What people did that somebody cleared away: the text stays as it is, and what comes later is shown. */

import { computed } from "@preact/signals";
import { project } from "./project";
import { stored } from "./stored";

/** By project, then by group: up to when. */
const kept = stored<Record<string, Record<string, string>>>("cleared", {});

const name = () => project.value?.id ?? "";

export const clearedUntil = computed(() => kept.value[name()] ?? {});

export function clearAway(group: string, until: string): void {
  kept.value = { ...kept.peek(), [name()]: { ...clearedUntil.peek(), [group]: until } };
}

export function showCleared(): void {
  const { [name()]: _, ...others } = kept.peek();
  kept.value = others;
}
