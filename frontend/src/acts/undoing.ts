/** Taking decisions back, and making them again. */

import { counted } from "../rules/counting";
import { say, warn } from "../state/messages";
import { proof } from "../state/proof";
import * as server from "../wire/client";
import type { DecidedScreen } from "../wire/contract";
import { fail } from "./refreshing";
import { save } from "./saving";
import { DONE, settle, shown } from "./settling";

export async function undoLast(): Promise<void> {
  await turnBack(() => server.undo(shown()));
}

export async function undoDecision(id: string): Promise<void> {
  await turnBack(() => server.undo(shown(), id));
}

export async function redoLast(): Promise<void> {
  await turnBack(() => server.redo(shown()));
}

async function turnBack(ask: () => Promise<DecidedScreen>): Promise<void> {
  await save();
  try {
    const answer = await ask();
    if (answer.decision === null) {
      say("There is nothing to take back");
      return;
    }
    const count = answer.results.filter(result => result.outcome === "applied").length;
    say(`${DONE[answer.verdict]}: the decision about ${counted(count, "change")}`);
    await settle(answer);
    const first = answer.results[0]?.hunk;
    if (first) proof.peek()?.goTo(first);
  } catch (error) {
    if (error instanceof server.Refusal && error.status === 409) warn(error.message, error.hint);
    else fail(error);
  }
}
