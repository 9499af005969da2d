/** What stands beside the editor, one tab each: a panel more is one import and one line. */

import type { ComponentType } from "preact";
import { Chat } from "../chat/Chat";
import { waiting } from "../chat/state";
import { notes } from "../state/project";
import { Groups } from "./Groups";
import { Notes } from "./Notes";
import { Timeline } from "./Timeline";

export interface Panel {
  /** What `tab` is set to. */
  name: string;
  title: string;
  Part: ComponentType;
  /** Shown beside the title when it is not zero. */
  count?: () => number;
}

export const panels: readonly Panel[] = [
  { name: "groups", title: "Groups", Part: Groups },
  { name: "timeline", title: "Timeline", Part: Timeline },
  { name: "notes", title: "Notes", Part: Notes, count: openNotes },
  { name: "chat", title: "Chat", Part: Chat, count: waiting },
];

function openNotes(): number {
  return notes.value.filter(note => note.state !== "resolved" && note.state !== "removed").length;
}
