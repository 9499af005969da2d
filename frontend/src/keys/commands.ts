/** Everything that a key, the palette or a button can do. */

import { redoLast, undoLast } from "../acts/undoing";
import { decideAll, decideFile, decideGroup, decideHere } from "../acts/wishing";
import * as moving from "../acts/moving";
import { setMode } from "../acts/mode";
import { decideTurnInHand } from "../chat/acts";
import { taskHere } from "../chat/TaskSheet";
import { noteHere, noteOnFile, sendAll } from "../acts/noting";
import { takeNewer } from "../acts/opening";
import { startTyping } from "../acts/typing";
import { openMoments } from "../parts/MomentsSheet";
import { openDialog } from "../state/dialogs";
import { hunkNamed } from "../state/hunks";
import { inOrder } from "../state/inOrder";
import { announce, say } from "../state/messages";
import * as place from "../state/place";
import { hunks, turns } from "../state/project";
import { proof } from "../state/proof";
import * as settings from "../state/settings";
import { keysFor } from "./bindings";
import { find, focusRail, goBack } from "./focus";

export interface Command {
  id: string;
  title: string;
  group: "Move" | "Decide" | "Notes" | "Look" | "Elsewhere";
  run: () => void;
}

const command = (
  group: Command["group"],
  id: string,
  title: string,
  run: () => void | Promise<void>,
): Command => ({ id, title, group, run: () => void run() });

/** The group that is lit, or else the turn of the current hunk. */
function groupHere(): string | null {
  return place.litGroup.peek() ?? turnHere();
}

/** The turn of the current hunk, or else the newest one in which something is undecided. */
function turnHere(): string | null {
  const hunk = hunkNamed(place.currentHunk.peek());
  return hunk?.turn ?? turns.peek().find(turn => turn.counts.pending)?.id ?? null;
}

function decide(verdict: "accept" | "reject", group: string | null): void {
  if (group) void decideGroup(verdict, group);
  else say("There is no group here.");
}

/** The turn that the control shows; while all are running, the one of the current hunk. */
function decideTurn(verdict: "accept" | "reject"): void {
  if (!decideTurnInHand(verdict)) decide(verdict, turnHere());
}

function decideOpenFile(verdict: "accept" | "reject"): void {
  const path = place.openPath.peek();
  if (path) void decideFile(verdict, path);
}

function why(): void {
  const hunk = place.currentHunk.peek();
  const path = place.openPath.peek();
  if (hunk) openDialog({ kind: "why", hunk });
  else if (path) openDialog({ kind: "authors", path, line: place.currentLine.peek() });
}

function splitHere(): void {
  proof.peek()?.selectLine();
  const [accept, reject] = [keysFor("accept"), keysFor("reject")];
  announce(
    `Line selected. ${accept} accepts it, ${reject} rejects it, ${keysFor("select-down")} selects more.`,
  );
}

function cycleSide(): void {
  const order: place.Side[] = ["diff", "final", "original"];
  place.side.value = order[(order.indexOf(place.side.peek()) + 1) % order.length] ?? "diff";
  announce(`Showing ${place.side.peek()}`);
}

function toggle(setting: { value: boolean; peek: () => boolean }, what: string): void {
  setting.value = !setting.peek();
  announce(`${what}: ${setting.peek() ? "on" : "off"}`);
}

function showTab(name: string): void {
  place.tab.value = name;
  if (settings.isNarrow.peek()) openDialog({ kind: "drawer" });
  else focusRail("groups");
}

function viewed(): void {
  const path = place.openPath.peek();
  if (path && hunks.peek()) moving.toggleViewed(path);
}

export const commands: readonly Command[] = [
  command("Move", "next-hunk", "Next undecided change", () => inOrder(() => moving.goToHunk(1))),
  command("Move", "previous-hunk", "Previous undecided change", () => inOrder(() => moving.goToHunk(-1))),
  command("Move", "next-line", "Next line", () => proof.peek()?.moveBy(1, false)),
  command("Move", "previous-line", "Previous line", () => proof.peek()?.moveBy(-1, false)),
  command("Move", "select-down", "Select to the next line", () => proof.peek()?.moveBy(1, true)),
  command("Move", "select-up", "Select to the previous line", () => proof.peek()?.moveBy(-1, true)),
  command("Move", "next-file", "Next file", () => moving.goToFile(1)),
  command("Move", "previous-file", "Previous file", () => moving.goToFile(-1)),
  command("Move", "next-turn", "Next turn", () => moving.goToTurn(1)),
  command("Move", "previous-turn", "Previous turn", () => moving.goToTurn(-1)),
  command("Move", "next-note", "Next note", () => moving.goToNote(1)),
  command("Move", "previous-note", "Previous note", () => moving.goToNote(-1)),
  command("Move", "centre", "Bring the cursor to the middle", () =>
    proof.peek()?.reveal(place.currentLine.peek()),
  ),
  command("Move", "search", "Search in the file", find),

  command("Decide", "accept", "Accept the change or the selected lines", () => decideHere("accept")),
  command("Decide", "reject", "Reject the change or the selected lines", () => decideHere("reject")),
  command("Decide", "accept-file", "Accept all in the file", () => decideOpenFile("accept")),
  command("Decide", "reject-file", "Reject all in the file", () => decideOpenFile("reject")),
  command("Decide", "accept-group", "Accept the group", () => decide("accept", groupHere())),
  command("Decide", "reject-group", "Reject the group", () => decide("reject", groupHere())),
  command("Decide", "accept-turn", "Accept the turn", () => decideTurn("accept")),
  command("Decide", "reject-turn", "Reject the turn", () => decideTurn("reject")),
  command("Decide", "accept-all", "Accept everything", () => decideAll("accept")),
  command("Decide", "reject-all", "Reject everything", () => decideAll("reject")),
  command("Decide", "split", "Split: decide about this line by itself", splitHere),
  command("Decide", "undo", "Undo the last decision", undoLast),
  command("Decide", "redo", "Redo what was undone", redoLast),
  command("Decide", "viewed", "Mark the file as viewed, or not", viewed),
  command("Decide", "viewed-next", "Mark as viewed and go on to the next file", moving.viewedAndNext),

  command("Notes", "note", "Note on the line or the selected lines", noteHere),
  command("Notes", "note-file", "Note on the file", noteOnFile),
  command("Notes", "send-notes", "Send all notes", sendAll),
  command("Notes", "why", "Why is this here? Who wrote it?", why),

  command("Look", "edit", "Type here", startTyping),
  command("Look", "side", "Diff, final, original", cycleSide),
  command("Look", "layout", "Unified or split", () => {
    settings.layout.value = settings.isSplit.peek() ? "unified" : "split";
  }),
  command("Look", "wrap", "Wrap long lines", () => toggle(settings.wrap, "Wrapping")),
  command("Look", "words", "Mark changed words", () => toggle(settings.words, "Words")),
  command("Look", "blanks", "Hide changes in blanks", () => toggle(settings.quietBlanks, "Hide blanks")),
  command("Look", "context", "Fold what is unchanged", () => proof.peek()?.fold(true)),
  command("Look", "whole-file", "Show the whole file", () => proof.peek()?.fold(false)),
  command("Look", "fold", "Fold the file, or open it", moving.foldFile),
  command("Look", "decided", "Show all that was decided", () =>
    toggle(settings.allDecided, "Decided changes"),
  ),
  command("Look", "reload", "Show what is new in this file", takeNewer),
  command("Look", "stream", "List of changes, or editor", moving.toggleStream),
  command("Look", "toggle-files", "Show or hide files", () => toggle(settings.filesShown, "Files")),
  command("Look", "toggle-groups", "Show or hide groups", () => toggle(settings.groupsShown, "Groups")),

  command("Elsewhere", "filter", "Filter files", () => focusRail("filter")),
  command("Elsewhere", "files", "Go to files", () => focusRail("files")),
  command("Elsewhere", "editor", "Go to the editor", () => focusRail("editor")),
  command("Elsewhere", "groups", "Go to groups", () => showTab("groups")),
  command("Elsewhere", "timeline", "Go to the timeline", () => showTab("timeline")),
  command("Elsewhere", "moments", "Moments of the file: compare two, go back to one", openMoments),
  command("Elsewhere", "notes", "Go to notes", () => showTab("notes")),
  command("Elsewhere", "chat", "Go to the chat", () => showTab("chat")),
  command("Elsewhere", "task", "Task for an agent at this place", taskHere),
  command("Elsewhere", "gate", "Gate", () => openDialog({ kind: "gate" })),
  command("Elsewhere", "inbox", "Inbox: all projects", () => openDialog({ kind: "inbox" })),
  command("Elsewhere", "mode-review", "Mode: review", () => setMode("review")),
  command("Elsewhere", "mode-hold", "Mode: hold", () => setMode("hold")),
  command("Elsewhere", "mode-direct", "Mode: direct", () => setMode("direct")),
  command("Elsewhere", "settings", "Settings", () => openDialog({ kind: "settings" })),
  command("Elsewhere", "palette", "All commands", () => openDialog({ kind: "palette" })),
  command("Elsewhere", "help", "Keys", () => openDialog({ kind: "help" })),
  command("Elsewhere", "back", "Back", goBack),
];
