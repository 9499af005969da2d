/** The bar at the bottom: how much is left, and the verbs. */

import { redoLast, undoLast } from "../acts/undoing";
import { changedIn, decideAll, decideHere } from "../acts/wishing";
import { goToHunk } from "../acts/moving";
import { drafts, sendAll } from "../acts/noting";
import { counted, percent } from "../rules/counting";
import { hunkNamed } from "../state/hunks";
import { currentHunk, selectedLines } from "../state/place";
import { hiddenCount, overview, progress, queue } from "../state/project";
import { isNarrow } from "../state/settings";
import { Button } from "./Button";

export function ReviewBar() {
  const counts = overview.value?.counts;
  const pending = counts?.hunks ?? 0;
  return (
    <section class="review-bar" aria-label="Review">
      <span class="left-over">
        {pending ? counted(pending, "change") : "Nothing undecided"}
        {pending > 0 && !isNarrow.value && ` in ${counted(counts?.files ?? 0, "file")}`}
        {hiddenCount.value > 0 && ` · ${hiddenCount.value} hidden`}
      </span>
      {isNarrow.value ? <NarrowVerbs pending={pending} /> : <AllVerbs pending={pending} />}
    </section>
  );
}

function AllVerbs({ pending }: { pending: number }) {
  const { decided, all } = progress.value;
  const unsent = drafts().length;
  return (
    <>
      {all > 0 && (
        <>
          <span class="progress-words">
            {decided} of {all} decided
          </span>
          <progress value={decided} max={all} aria-label="Decided">
            {percent(decided, all)}%
          </progress>
        </>
      )}
      <Steps pending={pending} />
      <span class="place">{placeInQueue()}</span>
      <span class="spring" />
      <HereVerbs />
      <span class="divider" />
      <Button label="Accept all" tone="accept" disabled={!pending} onClick={() => void decideAll("accept")} />
      <Button label="Reject all" tone="reject" disabled={!pending} onClick={() => void decideAll("reject")} />
      <span class="divider" />
      <Button label="Undo" icon="undo" command="undo" onClick={() => void undoLast()} />
      <Button label="Redo" icon="redo" bare command="redo" onClick={() => void redoLast()} />
      {unsent > 0 && (
        <Button label={`Send ${counted(unsent, "note")}`} tone="main" onClick={() => void sendAll()} />
      )}
    </>
  );
}

/** Where there is little room: the cards have the other verbs. */
function NarrowVerbs({ pending }: { pending: number }) {
  return (
    <>
      <span class="spring" />
      <Steps pending={pending} bare />
      <Button label="Undo" icon="undo" bare command="undo" onClick={() => void undoLast()} />
      {pending > 0 && <Button label="Accept all" tone="accept" onClick={() => void decideAll("accept")} />}
    </>
  );
}

function Steps({ pending, bare = false }: { pending: number; bare?: boolean }) {
  return (
    <span class="steps">
      <Button
        label="Previous"
        icon="previous"
        bare={bare}
        command="previous-hunk"
        disabled={!pending}
        onClick={() => void goToHunk(-1)}
      />
      <Button
        label="Next"
        icon="next"
        bare={bare}
        command="next-hunk"
        disabled={!pending}
        onClick={() => void goToHunk(1)}
      />
    </span>
  );
}

/** What the letters a and x would do now. */
function HereVerbs() {
  const lines = selectedLines.value;
  const hunk = hunkNamed(currentHunk.value);
  const count = lines ? changedIn(lines) : 0;
  const what = lines ? (count ? counted(count, "line") : "selection") : "hunk";
  const isThere = lines !== null || hunk?.status === "pending";
  return (
    <span class="here-verbs">
      <Button
        label={`Accept ${what}`}
        icon="accept"
        tone="accept"
        command="accept"
        disabled={!isThere}
        onClick={() => void decideHere("accept")}
      />
      <Button
        label={`Reject ${what}`}
        icon="reject"
        tone="reject"
        command="reject"
        disabled={!isThere}
        onClick={() => void decideHere("reject")}
      />
    </span>
  );
}

function placeInQueue(): string {
  const at = queue.value.findIndex(hunk => hunk.id === currentHunk.value);
  return at < 0 ? "" : `${at + 1} / ${queue.value.length}`;
}
