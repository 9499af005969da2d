/** What a decision about one change waits for, asked where the change stands. */

import { signal } from "@preact/signals";
import type { CorrectedLineDocument } from "../wire/contract";
import type { Wish } from "./dialogs";

export interface Question {
  wish: Wish;
  hunk: string;
  /** The lines that the person has corrected. */
  lines: readonly CorrectedLineDocument[];
}

export const question = signal<Question | null>(null);

export function dropQuestion(): void {
  question.value = null;
}
