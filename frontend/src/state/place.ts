/** Where the person is: which file, which hunk, which group, what is open beside it. */

import { computed, signal } from "@preact/signals";
import type { FilePage } from "../wire/client";
import { isNarrow } from "./settings";
import { stored } from "./stored";

export type Side = "final" | "diff" | "original";
/** A turn, a call, or a hunk. */
export type GroupId = string;

/** Until the first change is opened, or it is known that there is none. */
export const isStarting = signal(true);
export const openPath = signal<string | null>(null);
/** The open file as it is shown: it may be older than what the server has. */
export const page = signal<FilePage | null>(null);
/** The open file as the server has it, when showing it would move what is being read. */
export const newerPage = signal<FilePage | null>(null);
/** The page that is probably opened next, and at which hunk. */
export const expected = signal<{ page: FilePage; hunk: string } | null>(null);
export const currentHunk = signal<string | null>(null);
/** From one: where the cursor is, or which lines are selected. */
export const currentLine = signal(1);
export const selectedLines = signal<{ start: number; end: number } | null>(null);
export const side = signal<Side>("diff");
/** The panel beside the editor, by name. */
export const tab = stored("tab", "groups");

export const litGroup = signal<GroupId | null>(null);
export const hoveredGroup = signal<GroupId | null>(null);
export const openGroups = signal<ReadonlyMap<GroupId, boolean>>(new Map());
/** Groups in which all is decided are left out of the rail. */
export const cleared = signal(false);

/** The person asked for the list of changes instead of the editor. */
const wantsStream = stored("stream", false);
/** Files for which an agent was asked to propose something: there, what it proposes is being waited for. */
export const awaitedPaths = signal<ReadonlySet<string>>(new Set());
/** On a narrow screen, the person opened one file. */
export const openedInNarrow = signal(false);

export const isStream = computed(() => (isNarrow.value ? !openedInNarrow.value : wantsStream.value));

export function setStream(wanted: boolean): void {
  if (isNarrow.peek()) openedInNarrow.value = !wanted;
  else wantsStream.value = wanted;
}

/** Files of the list of changes of which only the name is shown. */
export const foldedFiles = signal<ReadonlySet<string>>(new Set());

/** Hunks that were decided while this page was open, by id. They keep a row in the editor. */
export const decidedHere = signal<ReadonlySet<string>>(new Set());

/** Places whose steps are shown, by their first hunk. */
export const openSteps = signal<ReadonlySet<string>>(new Set());

export function toggleSteps(id: string): void {
  const open = new Set(openSteps.peek());
  if (!open.delete(id)) open.add(id);
  openSteps.value = open;
}
