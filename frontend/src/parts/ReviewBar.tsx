/** The one bar at the bottom: how things are and what was just done; what a and x would do now, and what is left. */

import { setMode } from "../acts/mode";
import { goToHunk } from "../acts/moving";
import { drafts, sendAll } from "../acts/noting";
import { startTyping, stopTyping } from "../acts/typing";
import { redoLast, undoLast } from "../acts/undoing";
import { changedIn, decideAll, decideHere } from "../acts/wishing";
import { TurnControl } from "../chat/TurnControl";
import { isAllowed } from "../hub/allowed";
import { keysFor } from "../keys/bindings";
import { counted, percent } from "../rules/counting";
import { openDialog } from "../state/dialogs";
import { hunkNamed } from "../state/hunks";
import { currentHunk, selectedLines } from "../state/place";
import {
  connection,
  hiddenCount,
  hunks,
  numberOf,
  overview,
  placeCount,
  progress,
  queue,
} from "../state/project";
import { isTyping, proof, saving } from "../state/proof";
import { isNarrow } from "../state/settings";
import type { Mode } from "../wire/contract";
import { finish } from "./AllReviewed";
import { Button } from "./Button";
import { Menu } from "./Menu";
import { Messages } from "./Messages";

const MODES: Record<Mode, { label: string; meaning: string }> = {
  review: { label: "Review", meaning: "edits land at once and are reviewed afterwards" },
  hold: { label: "Hold", meaning: "edits become proposals: nothing is written until you accept it" },
  direct: { label: "Direct", meaning: "edits land and are not recorded" },
};

const SAVING = {
  saved: "",
  typing: "Typing …",
  sending: "Saving …",
  away: "Not saved yet",
  refused: "Not saved",
};

export function ReviewBar() {
  const pending = overview.value?.counts.hunks ?? 0;
  return (
    <footer class="review-bar" aria-label="Review">
      <div class="bar-line state-line">
        {proof.value && !isNarrow.value && isAllowed("write") && <TypingSwitch />}
        <Messages />
        {isNarrow.value && <Left pending={pending} />}
        {isNarrow.value && <Onwards pending={pending} />}
        <State />
      </div>
      <div class="bar-line">
        <Steps pending={pending} />
        {!isNarrow.value && <HereVerbs />}
        <Button
          label="Undo"
          icon="undo"
          bare={isNarrow.value}
          command="undo"
          onClick={() => void undoLast()}
        />
        {isAllowed("decide") && (
          <Menu label="All changes" class="quiet" items={() => allItems(pending)}>
            All
          </Menu>
        )}
        <TurnControl />
        {!isNarrow.value && <Onwards pending={pending} />}
        <span class="spring" />
        {!isNarrow.value && <Left pending={pending} />}
      </div>
    </footer>
  );
}

/** What comes next when something is written or all is decided. */
function Onwards({ pending }: { pending: number }) {
  const unsent = drafts().length;
  return (
    <>
      {unsent > 0 && (
        <Button
          label={`Send ${counted(unsent, "note")}`}
          tone="main"
          needs="write"
          onClick={() => void sendAll()}
        />
      )}
      {pending === 0 && progress.value.all > 0 && <Button label="Finish" tone="main" onClick={finish} />}
    </>
  );
}

function allItems(pending: number) {
  const none = !pending;
  return [
    {
      label: `Accept all ${counted(pending, "change")}`,
      tone: "accept" as const,
      disabled: none,
      act: () => void decideAll("accept"),
    },
    {
      label: `Reject all ${counted(pending, "change")}`,
      tone: "reject" as const,
      disabled: none,
      act: () => void decideAll("reject"),
    },
    { label: "Redo", command: "redo", act: () => void redoLast() },
  ];
}

function Left({ pending }: { pending: number }) {
  const { decided, all } = progress.value;
  return (
    <>
      {all > 0 && !isNarrow.value && (
        <>
          <span class="progress-words">
            {decided} of {all} decided
          </span>
          <progress value={decided} max={all} aria-label="Decided">
            {percent(decided, all)}%
          </progress>
        </>
      )}
      <span class="left-over">
        {pending ? counted(pending, "change") : "Nothing undecided"}
        {pending > 0 && !isNarrow.value && (
          <span class="in-full"> in {counted(overview.value?.counts.files ?? 0, "file")}</span>
        )}
        {hiddenCount.value > 0 && ` · ${hiddenCount.value} hidden`}
      </span>
    </>
  );
}

/** How edits arrive, what became of typing, and whether the server is there. */
function State() {
  const mode = overview.value?.mode ?? "review";
  return (
    <>
      <span class="saving">{SAVING[saving.value]}</span>
      {isAllowed("write") && <ModeMenu mode={mode} />}
      <span class={`connection ${connection.value}`}>
        {connection.value === "live" ? "Live" : connection.value === "away" ? "No answer" : "Signed out"}
      </span>
      <button
        type="button"
        class="link"
        aria-label={`Keys ${keysFor("help")}`}
        onClick={() => openDialog({ kind: "help" })}
      >
        <span class="in-full">Keys </span>
        <kbd>{keysFor("help")}</kbd>
      </button>
    </>
  );
}

function ModeMenu({ mode }: { mode: Mode }) {
  return (
    <Menu
      label="How edits arrive"
      class={`quiet mode-${mode}`}
      title={`How edits arrive: ${MODES[mode].meaning}`}
      items={() =>
        (Object.keys(MODES) as Mode[]).map(name => ({
          label: `${MODES[name].label}: ${MODES[name].meaning}`,
          checked: mode === name,
          act: () => void setMode(name),
        }))
      }
    >
      {MODES[mode].label}
    </Menu>
  );
}

/** Which of the two states the text is in, and the way to the other. */
function TypingSwitch() {
  return isTyping.value ? (
    <button type="button" class="state typing" onClick={stopTyping}>
      <strong>Typing</strong>
      <span class="in-full">
        {" "}
        · <kbd>Esc</kbd> to review
      </span>
    </button>
  ) : (
    <button type="button" class="state" onClick={startTyping}>
      <strong>Reviewing</strong>
      <span class="in-full">
        {" "}
        · <kbd>{keysFor("edit")}</kbd> to type
      </span>
    </button>
  );
}

function Steps({ pending }: { pending: number }) {
  return (
    <span class="steps">
      <Button
        label="Previous"
        icon="previous"
        bare
        command="previous-hunk"
        disabled={!pending}
        onClick={() => void goToHunk(-1)}
      />
      <span class="place">{placeInQueue()}</span>
      <Button
        label="Next"
        icon="next"
        bare
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
  const what = lines ? (count ? counted(count, "line") : "selection") : "change";
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
  const at = numberOf(currentHunk.value);
  if (at < 0) return "";
  // Several changes may be one place, which is what one goes by.
  const unit = placeCount.value < hunks.value.length ? " places" : "";
  return `${at + 1} / ${queue.value.length}${unit}`;
}
