/** A hunk that was decided, in one row: what became of it, and how to take that back. */

import { undoDecision } from "../acts/undoing";
import { decideHunk } from "../acts/wishing";
import { counted } from "../rules/counting";
import { openDialog } from "../state/dialogs";
import type { FileHunkDocument } from "../wire/contract";
import { Button } from "./Button";
import { Icon } from "./Icon";

export function DecidedRow({ hunk }: { hunk: FileHunkDocument }) {
  const isAccepted = hunk.status === "accepted";
  const last = hunk.decisions.at(-1);
  const size = isAccepted ? hunk.new_lines : (hunk.new ?? "").split("\n").length - 1;
  return (
    <div
      class={`decided-row ${hunk.status}`}
      role="group"
      aria-label={`Decided: ${hunk.status}`}
      data-hunk={hunk.id}
    >
      <Icon name={isAccepted ? "accept" : "reject"} />
      <span>
        {isAccepted ? "Accepted" : "Rejected"}: {hunk.tool ?? "change"}, {counted(size, "line")}
      </span>
      {last && <Button label="Take back" onClick={() => void undoDecision(last)} />}
      <Button
        label={isAccepted ? "Reject instead" : "Bring back"}
        onClick={() => void decideHunk(isAccepted ? "reject" : "accept", hunk)}
      />
      <Button label="Read" onClick={() => openDialog({ kind: "why", hunk: hunk.id })} />
    </div>
  );
}
