/** Other changes build on what is to be rejected: the person chooses what becomes of them. */

import { decideWith } from "../acts/deciding";
import { counted } from "../rules/counting";
import { type Wish, closeDialog } from "../state/dialogs";
import { hunksById } from "../state/project";
import type { NeedDocument } from "../wire/contract";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { Shown } from "./Shown";

const MOST_LISTED = 8;

export function DependentsDialog({ wish, needs }: { wish: Wish; needs: NeedDocument[] }) {
  const ids = [...new Set(needs.flatMap(need => need.built_on_by ?? []))];
  const isShared = needs.some(need => need.shared_with?.length);
  const corrected = needs.flatMap(need => need.lines ?? []);
  const count = counted(ids.length, "later change");
  return (
    <Dialog title={`Reject ${wish.about}?`}>
      {ids.length > 0 && (
        <>
          <p>
            <strong>{count}</strong> {ids.length === 1 ? "builds" : "build"} on it:
          </p>
          <ul class="dependents">
            {ids.slice(0, MOST_LISTED).map(id => (
              <Dependent key={id} id={id} />
            ))}
            {ids.length > MOST_LISTED && <li>and {ids.length - MOST_LISTED} more</li>}
          </ul>
        </>
      )}
      {corrected.length > 0 && (
        <>
          <p>You changed what the agent wrote:</p>
          <ul class="dependents">
            {corrected.slice(0, MOST_LISTED).map(one => (
              <li key={one.line}>
                line {one.line}: <Shown text={one.now} /> · before the agent:{" "}
                {one.before === null ? "nothing" : <Shown text={one.before} />}
              </li>
            ))}
          </ul>
        </>
      )}
      {isShared && <p>Other calls ran at the same time and may have made the same change.</p>}
      <div class="sheet-verbs">
        <Button label="Cancel" onClick={closeDialog} />
        <Button
          label={corrected.length ? "Keep yours" : keepLabel(ids.length)}
          onClick={() => void decideWith(wish, "keep")}
        />
        <button type="button" class="button main reject" onClick={() => void decideWith(wish, "with")}>
          {rejectLabel(ids.length, corrected.length > 0)}
        </button>
      </div>
    </Dialog>
  );
}

function rejectLabel(count: number, isCorrected: boolean): string {
  if (isCorrected) return "Back to the original";
  return count ? `Reject with ${counted(count, "later change")}` : "Reject all the same";
}

function keepLabel(count: number): string {
  if (!count) return "Leave what is shared";
  return count === 1 ? "Leave that, reject only this" : "Leave them, reject only this";
}

function Dependent({ id }: { id: string }) {
  const hunk = hunksById.value.get(id);
  if (!hunk) return <li>a change that was decided before</li>;
  return (
    <li>
      <Shown text={`${hunk.path}:${hunk.new_start}`} /> · {hunk.tool} · turn {hunk.turn?.slice(1)}
    </li>
  );
}
