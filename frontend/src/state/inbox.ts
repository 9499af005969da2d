/** What waits on this machine, in this project and in others. */

import { computed, signal } from "@preact/signals";
import type { WaitingProject } from "../wire/contract";
import { project } from "./project";

/** Null until somebody has looked. */
export const inbox = signal<WaitingProject[] | null>(null);

/** Those that are not on the page now, what waits longest first. */
export const elsewhere = computed(() =>
  (inbox.value ?? []).filter(one => one.id !== project.value?.id && !one.error),
);
