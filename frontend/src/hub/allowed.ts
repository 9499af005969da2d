/** What may be done here: everything on a machine of one's own; at a hub, what one's role goes to. */

import { person, role } from "./state";

/** To decide takes a reviewer. To write is done on the machine, whoever one is: typing, notes, the mode, the gate. */
export type Need = "decide" | "write";

const DECIDES =
  "accept reject accept-file reject-file accept-group reject-group accept-turn reject-turn accept-all reject-all" +
  " undo redo split";
const WRITES = "edit note note-file send-notes chat task gate mode-review mode-hold mode-direct";

const needs = new Map<string, Need>([
  ...DECIDES.split(" ").map(id => [id, "decide"] as const),
  ...WRITES.split(" ").map(id => [id, "write"] as const),
]);

/** What a command takes; nothing if it only shows something. */
export function needOf(command: string | undefined): Need | undefined {
  return command === undefined ? undefined : needs.get(command);
}

export function isAllowed(need: Need | undefined): boolean {
  if (need === undefined || person.value === null) return true;
  return need === "decide" && (role.value === "reviewer" || role.value === "owner");
}

/** Why not, for who presses a key all the same. */
export function whyNot(need: Need): string {
  return need === "decide"
    ? "A reader may look, and not decide. An owner can make you a reviewer."
    : "This is done on the machine itself: blueline ui";
}
