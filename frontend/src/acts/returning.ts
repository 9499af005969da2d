/** Comes back to where the address of the page says, and keeps it up to date. */

import { effect } from "@preact/signals";
import { type Place, placeAt, returning, stay } from "../state/address";
import { currentHunk, currentLine, isStarting, isStream, openPath, page, setStream } from "../state/place";
import { hunksById } from "../state/project";
import { goTo } from "./moving";
import { open } from "./opening";
import { wanted } from "./revealing";

/** Goes where the address says, if that is still there. */
export async function returnToAddress(): Promise<void> {
  const place = placeAt(location.hash);
  if (place) await returning(() => go(place));
}

async function go({ path, hunk, line }: Place): Promise<void> {
  // A change that was decided meanwhile is not one that keys should be about.
  const found = hunksById.peek().get(hunk ?? "");
  setStream(path === null);
  if (path !== null) await open(path, { hunk: found?.path === path ? found.id : undefined, line });
  else if (found) await goTo(found);
}

export function keepAddress(): void {
  addEventListener("popstate", () => void returnToAddress());
  effect(() => {
    const path = isStream.value ? null : openPath.value;
    const isThere = isStream.value || (path !== null && page.value?.path === path && !wanted.value);
    const place = { path, hunk: currentHunk.value, line: isStream.value ? null : currentLine.value };
    if (isThere && !isStarting.value) stay(place);
  });
}
