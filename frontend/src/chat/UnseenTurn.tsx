/** A turn is to be decided that was not looked at as a whole: asked about once, by its name and its files. */

import { Button } from "../parts/Button";
import { Dialog } from "../parts/Dialog";
import { Unseen } from "../parts/Unseen";
import { closeDialog, openDialog } from "../state/dialogs";
import type { Verdict } from "../wire/contract";

interface Props {
  verdict: Verdict;
  turn: string;
  files: readonly string[];
  onAgreed: () => void;
}

export function askAboutUnseen(props: Props): void {
  openDialog({ kind: "sheet", draw: () => <UnseenTurn {...props} /> });
}

function UnseenTurn({ verdict, turn, files, onAgreed }: Props) {
  const verb = verdict === "accept" ? "Accept" : "Reject";
  return (
    <Dialog title={`${verb} turn ${turn.slice(1)}?`}>
      <Unseen files={files} />
      <div class="sheet-verbs">
        <Button label="Cancel" onClick={closeDialog} />
        <button
          type="button"
          class={`button main ${verdict}`}
          onClick={() => {
            closeDialog();
            onAgreed();
          }}
        >
          {verb} turn {turn.slice(1)}
        </button>
      </div>
    </Dialog>
  );
}
