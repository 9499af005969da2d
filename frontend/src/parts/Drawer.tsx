/** Files, groups and the rest on a narrow screen: before the changes, not beside them. */

import { closeDialog } from "../state/dialogs";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { SideRail } from "./SideRail";

export function Drawer() {
  return (
    <Dialog title="Look around" class="drawer">
      <SideRail />
      <div class="sheet-verbs">
        <Button label="Close" onClick={closeDialog} />
      </div>
    </Dialog>
  );
}
