/** What can be done with one undecided change: the same wherever it is shown. */

import { noteOnHunk } from "../acts/noting";
import { decideHunk, decidePlace } from "../acts/wishing";
import { openDialog } from "../state/dialogs";
import type { HunkEntry } from "../wire/contract";
import { Button } from "./Button";

/** `together`: with all that is undecided in the same place. */
export function HunkVerbs({ hunk, together = false }: { hunk: HunkEntry; together?: boolean }) {
  const decide = together ? decidePlace : decideHunk;
  return (
    <span class="bar-actions">
      <Button
        label={"Accept"}
        icon="accept"
        tone="accept"
        command="accept"
        onClick={() => void decide("accept", hunk)}
      />
      <Button
        label={"Reject"}
        icon="reject"
        tone="reject"
        command="reject"
        onClick={() => void decide("reject", hunk)}
      />
      <Button label="Note" icon="note" bare command="note" onClick={() => noteOnHunk(hunk)} />
      <Button
        label="Why is this here?"
        icon="why"
        bare
        command="why"
        onClick={() => openDialog({ kind: "why", hunk: hunk.id })}
      />
    </span>
  );
}
