/** Undo and redo of decisions, and the reason for one that was made. */

import { reasonsGiven } from "../state/decided";
import { hunkNamed } from "../state/hunks";
import { inOrder } from "../state/inOrder";
import { say, warn } from "../state/messages";
import { currentHunk, isStream } from "../state/place";
import * as server from "../wire/client";
import type { DecidedScreen } from "../wire/contract";
import { goTo } from "./moving";
import { changesIn } from "./outcomes";
import { expect, open } from "./opening";
import { fail } from "./refreshing";
import { save } from "./saving";
import { DONE, settle, shown } from "./settling";
import { named } from "./wishing";

/** The last is the one that was asked for last, also if it is being made. */
export function undoLast(): Promise<void> {
  return inOrder(() => turnBack("undo", () => server.undo(shown())));
}

export function undoDecision(id: string): Promise<void> {
  return inOrder(() => turnBack("undo", () => server.undo(shown(), id)));
}

export function redoLast(): Promise<void> {
  return inOrder(() => turnBack("redo", () => server.redo(shown())));
}

async function turnBack(verb: "undo" | "redo", ask: () => Promise<DecidedScreen>): Promise<void> {
  await save();
  try {
    const answer = await ask();
    if (answer.decision === null) {
      say(`There is nothing to ${verb}`);
      return;
    }
    const changed = answer.results.filter(result => result.outcome === "applied");
    await settle(answer);
    const isOpen = ({ hunk }: { hunk: string }) => hunkNamed(hunk)?.status === "pending";
    const first = changed.find(isOpen) ?? changed[0] ?? answer.results[0];
    const only = changed.length === 1 ? hunkNamed(first?.hunk ?? null) : null;
    say(`${DONE[answer.verdict]}: ${only ? named(only) : changesIn(changed)}`, { topic: "decision" });
    if (first) await goToPlace(first);
  } catch (error) {
    if (error instanceof server.Refusal && error.status === 409) warn(error.message, error.hint, "decision");
    else fail(error);
  }
}

/** Where it happened, also when another file is open. */
async function goToPlace({ hunk: id, path }: { hunk: string; path: string }): Promise<void> {
  const hunk = hunkNamed(id);
  if (hunk?.status === "pending") await goTo(hunk);
  else if (isStream.peek()) currentHunk.value = id;
  else await open(path, { hunk: id });
}

/** Says why, once it has been decided. */
export async function explain(decision: string, reason: string): Promise<void> {
  try {
    expect((await server.explain(decision, reason)).version, []);
    reasonsGiven.value = new Map([...reasonsGiven.peek(), [decision, reason]]);
    say("The agent hears why", { detail: reason });
  } catch (error) {
    fail(error);
  }
}
