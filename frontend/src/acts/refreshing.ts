/** Keeps what the page knows up to date. */

import { batch } from "@preact/signals";
import { warn } from "../state/messages";
import { connection, notes, overview } from "../state/project";
import * as server from "../wire/client";
import type { News } from "../wire/documents";
import { fileChanged, refreshOpenFile } from "./opening";

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
      const [found, written] = await Promise.all([server.overview(), server.notes()]);
      batch(() => {
        connection.value = "live";
        overview.value = found;
        notes.value = written.notes;
      });
      for (const warning of found.warnings) warn(warning);
    } catch (error) {
      fail(error);
    }
  } while (isWantedAgain);
}

/** Something happened in the project. */
export function onNews(news: News): void {
  const known = overview.peek();
  if (!known || news.version > known.version || news.everything) {
    // The figures are there at once; the rest follows.
    if (known) overview.value = { ...known, counts: news.counts, gate: news.gate, mode: news.mode };
    void refresh();
  }
  for (const path of news.files) fileChanged(path);
  void refreshOpenFile(news.everything ? null : news.files);
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
