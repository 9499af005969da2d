/** Says that the open file has changed under the reader, and shows it when they want. Covers and moves nothing. */

import { newChanges, takeNewer } from "../acts/opening";
import { counted } from "../rules/counting";
import { page } from "../state/place";
import { keysFor } from "../keys/bindings";
import type { FilePage } from "../wire/client";

export function NewsPill({ newer }: { newer: FilePage }) {
  const count = newChanges(newer, page.value);
  const what = count ? `${counted(count, "new change")} in this file` : "This file has changed";
  return (
    <button type="button" class="news-pill" title={`Show (${keysFor("reload")})`} onClick={takeNewer}>
      {what} · <u>show</u>
    </button>
  );
}
