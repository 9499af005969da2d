/** Coming to a hub, hearing from it, and leaving it. */

import { fail } from "../acts/refreshing";
import { warn } from "../state/messages";
import type { AskedDocument } from "../wire/contract";
import { asked, person, role } from "./state";
import * as hub from "./wire";

/** The page is at a hub, if the server says whose it is. */
export async function arrive(name: string | undefined, project: string | null): Promise<void> {
  if (name === undefined) return;
  person.value = name;
  if (project === null) return;
  try {
    role.value = (await hub.me()).role;
  } catch (error) {
    fail(error);
  }
}

/** What waits for the machine changed, or what it refused. */
export function hear(found: AskedDocument): void {
  const before = asked.peek();
  asked.value = found;
  const { refused, machine } = found;
  if (before && refused && refused.number !== before.refused?.number) {
    const what = refused.state === "expired" ? "did not" : "refused to";
    warn(`${machine} ${what} ${refused.verb} for ${refused.by}: ${refused.error}`, refused.hint);
  }
}

export async function leave(): Promise<void> {
  try {
    await hub.signOut();
    location.assign("/");
  } catch (error) {
    fail(error);
  }
}
