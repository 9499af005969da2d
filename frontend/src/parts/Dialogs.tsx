/** The dialog that is open, if there is one. */

import { GateSheet } from "../gate/GateSheet";
import { dialog } from "../state/dialogs";
import { AuthorsDialog } from "./AuthorsDialog";
import { ConfirmDialog } from "./ConfirmDialog";
import { DependentsDialog } from "./DependentsDialog";
import { Drawer } from "./Drawer";
import { Help } from "./Help";
import { Inbox } from "./Inbox";
import { NoteDialog } from "./NoteDialog";
import { Palette } from "./Palette";
import { Settings } from "./Settings";
import { WhyDialog } from "./WhyDialog";

export function Dialogs() {
  const open = dialog.value;
  switch (open?.kind) {
    case undefined:
      return null;
    case "confirm":
      return <ConfirmDialog wish={open.wish} />;
    case "dependents":
      return <DependentsDialog wish={open.wish} needs={open.needs} />;
    case "why":
      return <WhyDialog key={open.hunk} id={open.hunk} />;
    case "authors":
      return <AuthorsDialog path={open.path} line={open.line} />;
    case "note":
      return <NoteDialog target={open.target} about={open.about} note={open.note} />;
    case "drawer":
      return <Drawer />;
    case "gate":
      return <GateSheet />;
    case "inbox":
      return <Inbox />;
    case "help":
      return <Help />;
    case "settings":
      return <Settings />;
    case "palette":
      return <Palette />;
    case "sheet":
      return <>{open.draw()}</>;
  }
}
