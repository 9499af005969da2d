/** The hunks that the page knows. */

import type { HunkEntry } from "../wire/contract";
import { page } from "./place";
import { hunksById } from "./project";

/** A hunk of the open file or, while it is undecided, of any. */
export function hunkNamed(id: string | null): HunkEntry | null {
  if (id === null) return null;
  return page.peek()?.hunks.find(hunk => hunk.id === id) ?? hunksById.peek().get(id) ?? null;
}
