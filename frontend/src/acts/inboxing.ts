/** Looks at what waits in other projects: when the page is opened, and whenever somebody comes back to it. */

import { inbox } from "../state/inbox";
import * as server from "../wire/client";
import { fail } from "./refreshing";

export async function lookIntoInbox(): Promise<void> {
  try {
    inbox.value = (await server.inbox()).projects;
  } catch (error) {
    fail(error);
  }
}

/** From now on. Looking takes a while where there are many projects: nobody waits for it. */
export function watchInbox(): void {
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") void lookIntoInbox();
  });
}
