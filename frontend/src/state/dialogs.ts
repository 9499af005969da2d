/** What stands before everything else until it is answered. */

import { signal } from "@preact/signals";
import type { ComponentChild } from "preact";
import type { HunkEntry, NeedDocument, NoteDocument, NoteTargetDocument, Verdict } from "../wire/contract";

/** A decision that is about to be made. */
export interface Wish {
  verdict: Verdict;
  selectors: string[];
  everything?: boolean;
  /** In words: "the change on line 3", "turn 2". */
  about: string;
  /** What the person sees of it: decided only as long as it is like that. */
  hunks: readonly HunkEntry[];
  reason?: string;
  /** Some lines are meant: there may be more of the same change. */
  isPart?: boolean;
  /** What builds on it goes along, unasked: it is part of what was said. */
  isWhole?: boolean;
  /** All hunks that the person was told it would decide, also those that come along. */
  told?: readonly string[];
}

export type Dialog =
  | { kind: "confirm"; wish: Wish }
  | { kind: "dependents"; wish: Wish; needs: NeedDocument[] }
  | { kind: "why"; hunk: string }
  | { kind: "authors"; path: string; line: number }
  | { kind: "note"; target: NoteTargetDocument; about: string; note?: NoteDocument }
  | { kind: "gate" }
  | { kind: "inbox" }
  /** The rails, where there is no room beside the editor. */
  | { kind: "drawer" }
  | { kind: "help" }
  | { kind: "settings" }
  | { kind: "palette" }
  /** Anything else: a part that draws a <Dialog>. */
  | { kind: "sheet"; draw: () => ComponentChild };

export const dialog = signal<Dialog | null>(null);

export function openDialog(next: Dialog): void {
  dialog.value = next;
}

export function closeDialog(): void {
  dialog.value = null;
}

/** Somebody goes elsewhere on the page: what they chose it from is not needed any more. */
export function closeDrawer(): void {
  if (dialog.peek()?.kind === "drawer") closeDialog();
}
