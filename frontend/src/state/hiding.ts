/** Groups that the person does not want to see now: what is hidden is neither visited nor decided. */

import { signal } from "@preact/signals";
import { type Grouped, isIn } from "../rules/groups";

/** Turns, sub-agents, calls and hunks by their ids. */
export const hiddenGroups = signal<ReadonlySet<string>>(new Set());

export function isHidden(hunk: Grouped): boolean {
  return [...hiddenGroups.value].some(group => isIn(group, hunk));
}
