/** Takes in what a decision changed: what is known at once, the rest when it is there. */

import { batch } from "@preact/signals";
import { withDecided } from "../rules/decided";
import { decidedHere } from "../state/place";
import { overview } from "../state/project";
import type { DecisionDocument } from "../wire/documents";
import { expect, refreshOpenFile } from "./opening";
import { refresh } from "./refreshing";

export const DONE: Record<string, string> = {
  accept: "Accepted",
  reject: "Rejected",
  undo: "Taken back",
  redo: "Done again",
};

export function settle(answer: DecisionDocument): Promise<unknown> {
  expect(answer.version);
  const about = answer.results.filter(result => result.outcome === "applied").map(result => result.hunk);
  batch(() => {
    decidedHere.value = new Set([...decidedHere.peek(), ...about]);
    const known = overview.peek();
    if (known && (answer.verdict === "accept" || answer.verdict === "reject")) {
      overview.value = withDecided(known, about, answer.verdict);
    }
  });
  return Promise.all([refresh(), refreshOpenFile(null)]);
}
