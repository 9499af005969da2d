/** Before many changes are decided at once: how many, where, and what comes along. */

import { useState } from "preact/hooks";
import { decideWith } from "../acts/deciding";
import { counted } from "../rules/counting";
import { type Wish, closeDialog } from "../state/dialogs";
import { unseenFiles } from "../state/seen";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { Unseen } from "./Unseen";

export function ConfirmDialog({ wish }: { wish: Wish }) {
  const [reason, setReason] = useState("");
  const told = wish.told?.length ?? 0;
  const more = wish.isWhole ? 0 : Math.max(0, told - wish.hunks.length);
  const isAccept = wish.verdict === "accept";
  const verb = isAccept ? "Accept" : "Reject";
  const paths = new Set(wish.hunks.map(hunk => hunk.path));
  const own = wish.hunks.filter(hunk => hunk.modified).length;
  const count = counted(wish.isWhole ? told : wish.hunks.length, "change");
  return (
    <Dialog title={`${verb} ${wish.about}?`}>
      <form
        method="dialog"
        onSubmit={event => {
          event.preventDefault();
          void decideWith({ ...wish, reason }, wish.isWhole ? "with" : "ask");
        }}
      >
        <p>
          This {isAccept ? "accepts" : "rejects"} <strong>{count}</strong> in{" "}
          {counted(Math.max(paths.size, 1), "file")}.
          {more > 0 &&
            ` ${counted(more, "more change")} that they build on ${more === 1 ? "goes" : "go"} along.`}
          {!isAccept &&
            own > 0 &&
            ` You typed into ${own === 1 ? "one of them" : `${own} of them`}: your text stays.`}
        </p>
        <Unseen files={unseenFiles(wish.hunks)} />
        {!isAccept && (
          <input
            class="line-field"
            placeholder="Reason, for the agent (optional)"
            aria-label="Reason, for the agent (optional)"
            value={reason}
            onInput={event => setReason(event.currentTarget.value)}
          />
        )}
        <div class="sheet-verbs">
          <Button label="Cancel" onClick={closeDialog} />
          <button type="submit" class={`button main ${wish.verdict}`} data-focus={isAccept || undefined}>
            {verb} {count}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
