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
  say(`${DONE[answer.verdict]}: ${applied === 1 && !isGroup(wish) ? wish.about : several(answer, wish)}`, {
    detail: detailOf(answer),
    topic: "decision",
  });
}

function isGroup({ selectors, everything = false }: Wish): boolean {
  return everything || selectors.some(selector => /^[tac]\d+$/.test(selector));
}

/** "turn 2, 14 changes in 3 files": which group it was, and where. */
function several(answer: DecidedScreen, wish: Wish): string {
  const applied = answer.results.filter(result => result.outcome === "applied");
  const group = isGroup(wish) ? `${wish.about}, ` : "";
  return `${group}${changesIn(applied)}`;
}

/** "2 changes in src/a.py", "9 changes in 3 files". */
export function changesIn(results: readonly { path: string }[]): string {
  const paths = [...new Set(results.map(result => result.path))];
  return `${counted(results.length, "change")} in ${paths.length === 1 ? paths[0] : counted(paths.length, "file")}`;
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
