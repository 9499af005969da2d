/** The hunks that the page knows. */

import type { HunkEntry } from "../wire/contract";
import { places } from "../rules/places";
import { isHidden } from "./hiding";
import { page } from "./place";
import { hunksById, placeOf } from "./project";

/** A hunk of the open file or, while it is undecided, of any. */
export function hunkNamed(id: string | null): HunkEntry | null {
  if (id === null) return null;
  return page.peek()?.hunks.find(hunk => hunk.id === id) ?? hunksById.peek().get(id) ?? null;
}

/** What is decided together with an undecided hunk, as it is shown: in the open file, or else anywhere. */
export function decidedWith(id: string): readonly HunkEntry[] {
  const pending = page.value?.hunks.filter(hunk => hunk.status === "pending" && !isHidden(hunk)) ?? [];
  if (!pending.some(hunk => hunk.id === id)) return placeOf(id);
  return places(pending).find(place => place.some(hunk => hunk.id === id)) ?? [];
}
