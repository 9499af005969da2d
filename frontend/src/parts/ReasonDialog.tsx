/** Rejecting: a reason can be given to the agent, and need not be. */

import { useState } from "preact/hooks";
import { decideWith } from "../acts/deciding";
import { type Wish, closeDialog } from "../state/dialogs";
import { Button } from "./Button";
import { Dialog } from "./Dialog";

export function ReasonDialog({ wish }: { wish: Wish }) {
  const [reason, setReason] = useState("");
  return (
    <Dialog title={`Reject ${wish.about}`} class="small">
      <form
        method="dialog"
        onSubmit={event => {
          event.preventDefault();
          void decideWith({ ...wish, reason }, "ask");
        }}
      >
        <input
          class="line-field"
          placeholder="Reason, for the agent (optional)"
          aria-label="Reason, for the agent (optional)"
          data-focus
          value={reason}
          onInput={event => setReason(event.currentTarget.value)}
        />
        <div class="sheet-verbs">
          <Button label="Cancel" onClick={closeDialog} />
          <button type="submit" class="button main reject">
            Reject <kbd>Enter</kbd>
          </button>
        </div>
      </form>
    </Dialog>
  );
}
