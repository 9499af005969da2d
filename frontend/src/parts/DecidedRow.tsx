/** What became of a change, in one row where it stood: what for, and how to undo that. */

import { useRef, useState } from "preact/hooks";
import { focusHome } from "../acts/home";
import { explain, undoDecision } from "../acts/undoing";
import { decideTogether } from "../acts/wishing";
import { isAllowed } from "../hub/allowed";
import { counted } from "../rules/counting";
import { openDialog } from "../state/dialogs";
import { reasonsGiven } from "../state/decided";
import type { FileHunkDocument } from "../wire/contract";
import { Button } from "./Button";
import { DecisionQuestion } from "./DecisionQuestion";
import { Icon } from "./Icon";
import { stepWords } from "./PlaceBar";
import { Shown } from "./Shown";

/** Several hunks, if one decision was about all of them in this place. */
export function DecidedRow({ hunks }: { hunks: FileHunkDocument[] }) {
  const [hunk] = hunks;
  if (!hunk) return null;
  const isAccepted = hunk.status === "accepted";
  const last = hunk.decisions.at(-1);
  const size = Math.max((hunk.new ?? "").split("\n").length - 1, hunk.old_lines, hunk.new_lines);
  return (
    <>
      <div
        class={`decided-row ${hunk.status}`}
        role="group"
        aria-label={`Decided: ${hunk.status}`}
        data-hunk={hunk.id}
      >
        <Icon name={isAccepted ? "accept" : "reject"} />
        <span>
          {isAccepted ? "Accepted" : "Rejected"}{" "}
          {hunks.length > 1 ? stepWords(hunks) : size ? counted(size, "line") : "this change"}
        </span>
        {last && !isAccepted && isAllowed("write") && <Why decision={last} />}
        {last && <Button label="Undo" needs="decide" onClick={() => void undoDecision(last)} />}
        <Button
          label={isAccepted ? "Reject" : "Accept"}
          needs="decide"
          onClick={() => void decideTogether(isAccepted ? "reject" : "accept", hunks)}
        />
        <Button label="Show" onClick={() => openDialog({ kind: "why", hunk: hunk.id })} />
      </div>
      <DecisionQuestion hunk={hunk.id} />
    </>
  );
}

/** The reason, for the agent: it can be given, and need not be. */
function Why({ decision }: { decision: string }) {
  const [isOpen, setOpen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const given = reasonsGiven.value.get(decision);
  if (!isOpen) {
    return (
      <button
        type="button"
        class="button why-not"
        title="Reason, for the agent"
        onClick={() => setOpen(true)}
      >
        {given ? <Shown text={`“${given}”`} /> : "Why?"}
      </button>
    );
  }
  const leave = () => {
    setOpen(false);
    focusHome();
  };
  return (
    <form
      class="why-form"
      onSubmit={event => {
        event.preventDefault();
        const reason = field.current?.value.trim() ?? "";
        leave();
        if (reason) void explain(decision, reason);
      }}
    >
      <input
        ref={element => {
          if (element && field.current !== element) element.focus();
          field.current = element;
        }}
        class="line-field"
        placeholder="Reason, for the agent"
        aria-label="Reason, for the agent"
        defaultValue={given ?? ""}
        onKeyDown={event => {
          event.stopPropagation();
          if (event.key === "Escape") leave();
        }}
      />
    </form>
  );
}
