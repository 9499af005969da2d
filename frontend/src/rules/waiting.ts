/** What the gate waits for is not the same as what failed. */

import type { ReasonDocument } from "../wire/contract";

const WAITING = new Set(["undecided", "no-review", "stale-review", "incomplete", "not-recording"]);

export function isWaiting(reason: Pick<ReasonDocument, "code">): boolean {
  return WAITING.has(reason.code);
}
