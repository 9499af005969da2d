/** Where to go once the editor shows the file that was opened. */

import { signal } from "@preact/signals";

export interface Goal {
  path: string;
  /** A hunk, or else a line, or else wherever the cursor is. */
  hunk: string | null;
  line: number | null;
}

/** What to bring onto the screen; taken by the editor of that file as soon as it is there. */
export const wanted = signal<Goal | null>(null);
