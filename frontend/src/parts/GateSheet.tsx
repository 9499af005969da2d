/** What is missing before this may ship, and the way to it. */

import { goToHunk } from "../acts/moving";
import { closeDialog, openDialog } from "../state/dialogs";
import { tab } from "../state/place";
import { overview } from "../state/project";
import { groupsShown, isNarrow } from "../state/settings";
import { Button } from "./Button";
import { Dialog } from "./Dialog";

export function GateSheet() {
  const gate = overview.value?.gate;
  if (!gate) return null;
  return (
    <Dialog title={gate.open ? "The gate is open" : "The gate is closed"}>
      {gate.open ? (
        <p>Everything that agents changed here has been decided.</p>
      ) : (
        <ul class="reasons">
          {gate.reasons.map(reason => (
            <li>
              <span class="lamp">✗</span>
              <span>{reason.message}</span>
              {reason.code === "undecided" && <Button label="Go to the first" onClick={first} />}
              {/note|fix/.test(reason.code) && <Button label="Show notes" onClick={showNotes} />}
            </li>
          ))}
        </ul>
      )}
      <div class="sheet-verbs">
        <Button label="Close" onClick={closeDialog} />
      </div>
    </Dialog>
  );
}

function first(): void {
  closeDialog();
  void goToHunk(1);
}

function showNotes(): void {
  closeDialog();
  tab.value = "notes";
  if (isNarrow.peek()) openDialog({ kind: "drawer" });
  else groupsShown.value = true;
}
