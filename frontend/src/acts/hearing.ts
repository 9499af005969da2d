/** What the server says by itself: something happened in the project. */

import { news } from "../state/news";
import { overview } from "../state/project";
import type { NewsDocument } from "../wire/contract";
import { fileChanged, isExpected, refreshOpenFile } from "./opening";
import { refresh } from "./refreshing";

export function onNews(message: NewsDocument): void {
  news.value = message;
  for (const path of message.files) fileChanged(path);
  // What the person did here has been asked about already.
  if (isExpected(message.version) && !message.everything) return;
  const known = overview.peek();
  if (!known || message.version > known.version || message.everything) {
    // The figures are there at once; the rest follows.
    if (known) overview.value = { ...known, counts: message.counts, gate: message.gate, mode: message.mode };
    void refresh();
  }
  void refreshOpenFile(message.everything ? null : message.files);
}
