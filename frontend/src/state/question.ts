/** What a decision about one change waits for, asked where the change stands. */

import { signal } from "@preact/signals";
import type { NeedDocument } from "../wire/contract";
import type { Wish } from "./dialogs";

export interface Question {
  wish: Wish;
  hunk: string;
  needs: readonly NeedDocument[];
  /** What each choice would make of the files, as a patch, when that is known. */
  results: { keep?: string; with?: string };
}

export const question = signal<Question | null>(null);

export function dropQuestion(): void {
  question.value = null;
}
