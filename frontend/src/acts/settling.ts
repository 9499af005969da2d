/** Takes in what a decision changed: its answer has all that the page shows. */

import { batch } from "@preact/signals";
import { decidedHere } from "../state/place";
import type { DecidedScreen } from "../wire/contract";
import { expect, fileChanged, refreshOpenFile, showDecided } from "./opening";
import { refresh, takeOverview } from "./refreshing";

export const DONE: Record<string, string> = {
  accept: "Accepted",
  reject: "Rejected",
  undo: "Taken back",
  redo: "Done again",
};

export async function settle(answer: DecidedScreen): Promise<void> {
  expect(answer.version);
  const about = answer.results.filter(result => result.outcome === "applied");
  const { overview, notes, file = null } = answer;
  for (const { path } of answer.results) fileChanged(path);
  batch(() => {
    decidedHere.value = new Set([...decidedHere.peek(), ...about.map(result => result.hunk)]);
    if (overview) takeOverview(overview, notes ?? []);
  });
  if (overview) await showDecided(file);
  else await Promise.all([refresh(), refreshOpenFile(null)]);
}
