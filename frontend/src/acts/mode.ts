/** How edits arrive. */

import { overview } from "../state/project";
import * as server from "../wire/client";
import type { Mode } from "../wire/contract";
import { announce } from "../state/messages";
import { fail, refresh } from "./refreshing";

export async function setMode(mode: Mode): Promise<void> {
  try {
    await server.setMode(mode);
    if (overview.peek()) overview.value = { ...overview.peek()!, mode };
    announce(`Mode: ${mode}`);
  } catch (error) {
    fail(error);
  }
  await refresh();
}
