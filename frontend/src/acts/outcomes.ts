/** What became of a decision: said in words, and taken in. */

import { batch } from "@preact/signals";
import { counted } from "../rules/counting";
import { withDecided } from "../rules/decided";
import type { Wish } from "../state/dialogs";
import { type Message, say } from "../state/messages";
import { decidedHere } from "../state/place";
import { overview } from "../state/project";
import type { DecisionDocument } from "../wire/documents";
import { expect, refreshOpenFile } from "./opening";
import { refresh } from "./refreshing";
import { undoDecision } from "./undoing";

export const DONE: Record<string, string> = {
  accept: "Accepted",
  reject: "Rejected",
  undo: "Taken back",
  redo: "Done again",
};

export function tell(answer: DecisionDocument, wish: Wish): void {
  const applied = answer.results.filter(result => result.outcome === "applied").length;
  const queued = answer.results.filter(result => result.outcome === "queued").length;
  if (queued) {
    say(`Put off: ${counted(queued, "change")}`, {
      detail: "An agent is writing there. It happens when that ends.",
    });
    return;
  }
  if (!applied) {
    say("Nothing changed", { detail: answer.results[0]?.reason || "It was like that already." });
    return;
  }
  const what = applied === 1 && wish.about !== "everything" ? wish.about : counted(applied, "change");
  say(`${DONE[answer.verdict]}: ${what}`, {
    detail: detailOf(answer),
    act: takingBack(answer),
  });
}

/** That decision, also when others were made since. */
function takingBack({ decision }: DecisionDocument): Message["act"] {
  return decision === null ? undefined : { label: "Undo", run: () => void undoDecision(decision) };
}

function detailOf(answer: DecisionDocument): string {
  const kept = answer.kept.filter(one => !one.blank);
  const own = kept.filter(one => one.actor.kind === "person" || one.actor.kind === "external").length;
  const others = kept.length - own;
  const linked = answer.linked?.length ?? 0;
  return [
    own ? `Your text stays (${counted(own, "place")}).` : "",
    others ? `What was built on it stays (${counted(others, "place")}).` : "",
    linked ? `The same words are exchanged in ${counted(linked, "undecided change")} elsewhere.` : "",
  ]
    .filter(Boolean)
    .join(" ");
}

/** Takes in what a decision changed: what is known at once, the rest when it is there. */
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
