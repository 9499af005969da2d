/** Keeps what the page knows up to date. */

import { batch } from "@preact/signals";
import { patched } from "../rules/patching";
import { warn, warnOfProject } from "../state/messages";
import { connection, notes, overview, takeIn } from "../state/project";
import * as server from "../wire/client";
import type { FileDocument, NoteDocument, OverviewDocument, OverviewPatch } from "../wire/contract";

const RETRY_MS = 1500;

let underWay: Promise<void> | null = null;
let isWantedAgain = false;

/** Asks for the overview. Whoever calls while it is under way gets one that was asked for afterwards. */
export function refresh(): Promise<void> {
  if (underWay) {
    isWantedAgain = true;
    return underWay;
  }
  underWay = ask().finally(() => (underWay = null));
  return underWay;
}

/** How many overviews came with the answer to something that the person did. */
let timesTaken = 0;

/** Shows an overview that came with an answer; one that was asked for before it is too old. */
export function takeOverview(found: OverviewDocument, foundNotes: NoteDocument[]): void {
  timesTaken += 1;
  timesAsked += 1;
  show(found, true);
  showNotes(foundNotes);
}

/** The same, of what is different in the overview that is shown. */
export function takePatch(patch: OverviewPatch, foundNotes: NoteDocument[], page: FileDocument | null): void {
  const known = overview.peek();
  const found = known && patched(known, patch, page);
  if (found) takeOverview(found, foundNotes);
  else void refresh();
}

export function show(found: OverviewDocument, isAnswer = false): void {
  batch(() => {
    connection.value = "live";
    takeIn(found, isAnswer);
  });
  warnOfProject(found.warnings);
}

function showNotes(found: NoteDocument[]): void {
  // The same notes as before are no news to anybody.
  if (JSON.stringify(found) !== JSON.stringify(notes.peek())) notes.value = found;
}

async function ask(): Promise<void> {
  do {
    isWantedAgain = false;
    const before = timesTaken;
    try {
      void askForNotes();
      const found = await server.overview();
      if (timesTaken === before) show(found);
      else isWantedAgain = true;
    } catch (error) {
      fail(error);
    }
  } while (isWantedAgain);
}

let timesAsked = 0;

/** Nobody waits for the notes. An answer that another one has overtaken is too old. */
export async function askForNotes(): Promise<void> {
  const number = (timesAsked += 1);
  try {
    const { notes: found } = await server.notes();
    if (number === timesAsked) showNotes(found);
  } catch (error) {
    fail(error);
  }
}

export function fail(error: unknown): void {
  if (!(error instanceof server.Refusal)) throw error;
  if (!error.isForeign && !error.isAway) {
    warn(error.message, error.hint);
    return;
  }
  connection.value = error.isForeign ? "foreign" : "away";
  setTimeout(() => void refresh(), RETRY_MS);
}
