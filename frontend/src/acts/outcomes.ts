/** What became of a decision, in words. */

import { counted } from "../rules/counting";
import type { Wish } from "../state/dialogs";
import { say } from "../state/messages";
import type { DecidedScreen } from "../wire/contract";
import { DONE } from "./settling";

export function tell(answer: DecidedScreen, wish: Wish): void {
  const applied = answer.results.filter(result => result.outcome === "applied").length;
  const queued = answer.results.filter(result => result.outcome === "queued").length;
  if (queued && answer.request !== undefined) {
    const detail = answer.results.find(result => result.outcome === "queued")?.reason ?? "";
    say(`Asked for: ${queued === 1 ? wish.about : counted(queued, "change")}`, { detail });
    return;
  }
  if (queued) {
    say(`Put off: ${queued === 1 ? wish.about : counted(queued, "change")}`, {
      detail: "An agent is writing there. It happens when that ends.",
    });
    return;
  }
  if (!applied) {
    say(`Nothing changed: ${wish.about}`, {
      detail: answer.results[0]?.reason || "It was like that already.",
    });
    return;
  }
  const what = applied === 1 && wish.about !== "everything" ? wish.about : counted(applied, "change");
  say(`${DONE[answer.verdict]}: ${what}`, {
    detail: detailOf(answer),
    topic: "decision",
  });
}

function detailOf(answer: DecidedScreen): string {
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
