/** Where to go once the editor shows the file that was opened. */

import { signal } from "@preact/signals";
import { currentHunk } from "../state/place";

/** The hunk to bring onto the screen; taken by the editor as soon as it has it. */
export const wanted = signal<{ hunk: string | null } | null>(null);

export function goneTo(hunk: string | null): void {
  currentHunk.value = hunk;
  wanted.value = { hunk };
}
