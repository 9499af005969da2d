/** Several undecided changes of the same lines: what they come to, and one decision; each step is in its fold. */

import { noteOnHunk } from "../acts/noting";
import { decideTogether } from "../acts/wishing";
import { counted } from "../rules/counting";
import { currentHunk, openSteps, toggleSteps } from "../state/place";
import type { FileHunkDocument, HunkEntry } from "../wire/contract";
import { Button } from "./Button";
import { DecisionQuestion } from "./DecisionQuestion";
import { HunkOrigin } from "./HunkOrigin";
import { Icon } from "./Icon";
import { Lines } from "./LineCounts";

interface Props {
  hunks: FileHunkDocument[];
  added: number;
  removed: number;
}

export function PlaceBar({ hunks, added, removed }: Props) {
  const [lead] = hunks;
  if (!lead) return null;
  const isCurrent = hunks.some(hunk => hunk.id === currentHunk.value);
  return (
    <>
      <div
        class={`place-bar ${isCurrent ? "current" : ""}`}
        role="group"
        aria-label={`One place, ${stepWords(hunks)}`}
        aria-current={isCurrent}
        data-hunk={lead.id}
        onMouseDown={() => (currentHunk.value = lead.id)}
      >
        <StepsToggle hunks={hunks} />
        {isOneCall(hunks) ? (
          <HunkOrigin hunk={lead} added={added} removed={removed} />
        ) : (
          <Net hunks={hunks} added={added} removed={removed} />
        )}
        <span class="bar-actions">
          <Button
            label="Accept"
            icon="accept"
            tone="accept"
            command="accept"
            onClick={() => void decideTogether("accept", hunks)}
          />
          <Button
            label="Reject"
            icon="reject"
            tone="reject"
            command="reject"
            onClick={() => void decideTogether("reject", hunks)}
          />
          <Button label="Note" icon="note" bare command="note" onClick={() => noteOnHunk(lead)} />
        </span>
      </div>
      {/* Below its step, if that is shown. */}
      {!openSteps.value.has(lead.id) && hunks.map(hunk => <DecisionQuestion key={hunk.id} hunk={hunk.id} />)}
    </>
  );
}

function Net({ hunks, added, removed }: Props) {
  return (
    <span class="origin">
      <span>in one place</span>
      <Lines added={added} removed={removed} />
      <span class="remark">{counted(new Set(hunks.map(hunk => hunk.turn)).size, "turn")}</span>
      {hunks.some(hunk => hunk.modified) && <span class="remark">edited by you</span>}
    </span>
  );
}

/** Opens and closes the steps of a place. */
export function StepsToggle({ hunks }: { hunks: readonly HunkEntry[] }) {
  const id = hunks[0]?.id ?? "";
  const isOpen = openSteps.value.has(id);
  return (
    <button type="button" class="steps-toggle" aria-expanded={isOpen} onClick={() => toggleSteps(id)}>
      <Icon name={isOpen ? "down" : "right"} /> {stepWords(hunks)}
    </button>
  );
}

/** One call's lines that somebody typed into are parts of one step. */
export function stepWords(hunks: readonly HunkEntry[]): string {
  return counted(hunks.length, isOneCall(hunks) ? "part" : "step");
}

function isOneCall(hunks: readonly HunkEntry[]): boolean {
  return hunks.every(hunk => hunk.call !== null && hunk.call === hunks[0]?.call);
}
