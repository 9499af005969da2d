/** Keeps what the page knows up to date. */

import { batch } from "@preact/signals";
import { warn } from "../state/messages";
import { connection, notes, overview } from "../state/project";
import * as server from "../wire/client";

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

async function ask(): Promise<void> {
  do {
    isWantedAgain = false;
    try {
      void askForNotes();
      const found = await server.overview();
      batch(() => {
        connection.value = "live";
        overview.value = found;
      });
      for (const warning of found.warnings) warn(warning);
    } catch (error) {
      fail(error);
    }
  } while (isWantedAgain);
}

let timesAsked = 0;

/** Nobody waits for the notes. An answer that another one has overtaken is too old. */
async function askForNotes(): Promise<void> {
  const number = (timesAsked += 1);
  try {
    const { notes: found } = await server.notes();
    // The same notes as before are no news to anybody.
    const isNews = JSON.stringify(found) !== JSON.stringify(notes.peek());
    if (isNews && number === timesAsked) notes.value = found;
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
