/** Takes in what a decision changed: its answer has all that the page shows. */

import { batch } from "@preact/signals";
import { decidedHere, openPath } from "../state/place";
import { version } from "../state/project";
import type { Shown } from "../wire/client";
import type { DecidedScreen } from "../wire/contract";
import { expect, fileChanged, refreshOpenFile, showDecided } from "./opening";
import { refresh, takeOverview, takePatch } from "./refreshing";

export const DONE: Record<string, string> = {
  accept: "Accepted",
  reject: "Rejected",
  undo: "Undone",
  redo: "Redone",
};

/** What the page shows, which the answer goes on from. */
export const shown = (): Shown => ({ open: openPath.peek() ?? "", known: version() });

export async function settle(answer: DecidedScreen): Promise<void> {
  expect(answer.version, [...answer.written, ...answer.results.map(result => result.path)]);
  const about = answer.results.filter(result => result.outcome === "applied");
  const { overview, patch, notes, file = null } = answer;
  for (const { path } of answer.results) fileChanged(path);
  batch(() => {
    decidedHere.value = new Set([...decidedHere.peek(), ...about.map(result => result.hunk)]);
    if (overview) takeOverview(overview, notes ?? []);
    if (patch) takePatch(patch, notes ?? [], file);
  });
  if (overview || patch) await showDecided(file);
  else await Promise.all([refresh(), refreshOpenFile(null)]);
}
