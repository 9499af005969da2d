/** What happens when the page is opened. */

import { batch, effect } from "@preact/signals";
import { arrive, hear } from "../hub/acts";
import { openDialog } from "../state/dialogs";
import { announce, warn } from "../state/messages";
import { placeAt } from "../state/address";
import { isStarting, isStream, openPath, page } from "../state/place";
import { connection, overview, project, projects, queue, version } from "../state/project";
import { markSeen, seenIn } from "../state/seen";
import { shownTheme } from "../state/settings";
import { viewIn } from "../state/viewed";
import * as server from "../wire/client";
import type { OverviewDocument } from "../wire/contract";
import { listen } from "../wire/live";
import { onNews } from "./hearing";
import { lookIntoInbox, watchInbox } from "./inboxing";
import { goToHunk } from "./moving";
import { refreshOpenFile } from "./opening";
import { askForNotes, fail, refresh, show } from "./refreshing";
import { keepAddress, returnToAddress } from "./returning";
import { isUnsaved, save } from "./saving";

export async function start(): Promise<void> {
  effect(() => {
    document.documentElement.dataset["theme"] = shownTheme.value;
  });
  effect(() => {
    const name = overview.value?.project.name;
    const left = overview.value?.counts.hunks ?? 0;
    document.title = name ? `${left ? `(${left}) ` : ""}${name} · Blueline` : "Blueline";
  });
  effect(() => {
    const shown = page.value;
    if (shown && shown.path === openPath.value) markSeen(shown.hunks);
  });
  keepAddress();
  addEventListener("beforeunload", event => {
    if (!isUnsaved()) return;
    void save();
    event.preventDefault();
  });
  const wanted = new URLSearchParams(location.search).get("project");
  server.chooseProject(wanted);
  // Of the project that is asked for, or of the first: asked for again below if it is not to be had.
  const isNowhere = wanted === null && document.documentElement.dataset["at"] === "hub";
  const early = isNowhere ? Promise.resolve(null) : server.overview().catch(() => null);
  try {
    const found = await server.projects();
    projects.value = found.projects;
    await arrive(found.person, wanted);
  } catch (error) {
    fail(error);
    if (connection.peek() !== "live") setTimeout(() => location.reload(), 3000);
    return;
  }
  await showProject(wanted ?? projects.peek()[0]?.id ?? null, early);
  // Other projects are not what somebody waits for.
  void lookIntoInbox();
  watchInbox();
}

async function showProject(id: string | null, early: Promise<OverviewDocument | null>): Promise<void> {
  if (id === null) {
    isStarting.value = false;
    openDialog({ kind: "inbox" });
    return;
  }
  server.chooseProject(id);
  viewIn(id);
  seenIn(id);
  project.value = projects.peek().find(one => one.id === id) ?? { id, name: "", root: "" };
  const found = await early;
  if (!found) await refresh();
  // In one step: the first file is asked for before anything is drawn.
  const opened = batch(() => {
    if (found) show(found);
    return openFirst();
  });
  if (found) void askForNotes();
  await opened;
  isStarting.value = false;
  listen(id, {
    after: version,
    onNews: message => server.afterAnswers(() => onNews(message)),
    onConnection: state => {
      const was = connection.peek();
      connection.value = state;
      if (state !== "live" && was === "live") announce("The workbench does not answer");
      if (state === "live" && was !== "live") {
        announce("The workbench answers again");
        void refresh();
        void refreshOpenFile(null);
        void save();
      }
    },
    onAsked: hear,
    onFailure: failure => warn(failure.error, failure.hint),
  });
}

/** Where the address says, or the first change. */
async function openFirst(): Promise<void> {
  if (placeAt(location.hash)) await returnToAddress();
  // Unless the person was faster, and is somewhere already.
  if (openPath.peek() === null && queue.peek().length && !isStream.peek()) await goToHunk(1);
}

/** Another project is another page, so that nothing of this one is left over. */
export function addressOfProject(id: string): string {
  return `/?project=${encodeURIComponent(id)}`;
}

export function switchProject(id: string): void {
  location.assign(addressOfProject(id));
}
