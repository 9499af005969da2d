/** Accepting, rejecting, and taking that back. The server decides; the page says what it saw. */

import { batch } from "@preact/signals";
import { counted } from "../rules/counting";
import { concernsWholeFile } from "../rules/regions";
import { type Wish, closeDialog, openDialog } from "../state/dialogs";
import { type Message, announce, say, warn } from "../state/messages";
import { currentHunk, decidedHere, openPath, page, selectedLines } from "../state/place";
import { hunks, hunksById, queue } from "../state/project";
import { proof } from "../state/proof";
import * as server from "../wire/client";
import type { DecisionDocument, Dependents, HunkEntry, Need, Verdict } from "../wire/documents";
import { goOn } from "./moving";
import { expect, isBehind, refreshOpenFile } from "./opening";
import { fail, refresh } from "./refreshing";
import { save } from "./saving";

const DONE: Record<string, string> = {
  accept: "Accepted",
  reject: "Rejected",
  undo: "Taken back",
  redo: "Done again",
};

/** Decides about one hunk, pending or not. */
export async function decideHunk(verdict: Verdict, hunk: HunkEntry): Promise<void> {
  await caughtUp();
  await carryOut(wishFor(verdict, hunkNamed(hunk.id) ?? hunk));
}

export async function rejectWithReason(hunk: HunkEntry): Promise<void> {
  await caughtUp();
  openDialog({ kind: "reason", wish: wishFor("reject", hunkNamed(hunk.id) ?? hunk) });
}

function wishFor(verdict: Verdict, hunk: HunkEntry): Wish {
  return { verdict, selectors: [hunk.id], about: named(hunk), hunks: [hunk] };
}

/** What the person typed just now is saved and known: otherwise it would count as a change by others. */
async function caughtUp(): Promise<void> {
  await save();
  if (isBehind()) await Promise.all([refresh(), refreshOpenFile(null)]);
}

const WHOLE: Record<string, string> = {
  create: "the new file",
  delete: "the deletion of",
  rename: "the renaming of",
  mode: "the mode of",
};

/** In words: "lines 3 to 5 of src/a.py". */
function named(hunk: HunkEntry): string {
  if (concernsWholeFile(hunk)) return `${WHOLE[hunk.kind] ?? "the change of"} ${hunk.path}`;
  return `${spoken(hunk.new_start, hunk.new_start + Math.max(hunk.new_lines, 1) - 1)} of ${hunk.path}`;
}

function spoken(first: number, last: number): string {
  return first === last ? `line ${first}` : `lines ${first} to ${last}`;
}

/** Decides about the selected lines, or else about the hunk under the cursor. */
export async function decideHere(verdict: Verdict): Promise<void> {
  await caughtUp();
  const wish = wishHere(verdict);
  if (!wish) announce("There is no change here. Press n for the next one.");
  else if (verdict === "accept") await carryOut(wish);
  else openDialog({ kind: "reason", wish });
}

function wishHere(verdict: Verdict): Wish | null {
  const lines = selectedLines.peek();
  const path = page.peek()?.path;
  if (lines && path) {
    const about = `${spoken(lines.start, lines.end)} of ${path}`;
    return { verdict, selectors: [`./${path}:${lines.start}-${lines.end}`], about, hunks: touching(lines) };
  }
  const hunk = hunkNamed(currentHunk.peek());
  return hunk && wishFor(verdict, hunk);
}

/** The undecided hunks of the open file that have to do with some lines. */
function touching({ start, end }: { start: number; end: number }): HunkEntry[] {
  const pending = page.peek()?.hunks.filter(hunk => hunk.status === "pending") ?? [];
  return pending.filter(({ new_start: first, new_lines: count }) => first <= end && first + count > start);
}

/** A hunk of the open file or, while it is undecided, of any. */
export function hunkNamed(id: string | null): HunkEntry | null {
  if (id === null) return null;
  return page.peek()?.hunks.find(hunk => hunk.id === id) ?? hunksById.peek().get(id) ?? null;
}

export async function decideFile(verdict: Verdict, path: string): Promise<void> {
  await caughtUp();
  const inFile = hunks.peek().filter(hunk => hunk.path === path);
  await ask({ verdict, selectors: [`./${path}`], about: `all in ${path}`, hunks: inFile });
}

/** A turn or a call: what is pending in it. */
export async function decideGroup(verdict: Verdict, id: string): Promise<void> {
  await caughtUp();
  const inGroup = hunks.peek().filter(hunk => hunk.turn === id || hunk.call === id);
  const about = `${id.startsWith("t") ? "turn" : "call"} ${id.slice(1)}`;
  await ask({ verdict, selectors: [id], about, hunks: inGroup });
}

export async function decideAll(verdict: Verdict): Promise<void> {
  await caughtUp();
  await ask({ verdict, selectors: [], everything: true, about: "everything", hunks: hunks.peek() });
}

/** Finds out what a larger decision would do, and lets the person say yes to that. */
async function ask(wish: Wish): Promise<void> {
  if (!wish.hunks.length) {
    announce(`Nothing is undecided in ${wish.about}.`);
    return;
  }
  await post(wish, "ask", true, answer =>
    openDialog({ kind: "confirm", wish: { ...wish, told: touched(answer) } }),
  );
}

function touched(answer: DecisionDocument): string[] {
  const decided = answer.results.filter(
    result => result.outcome === "applied" || result.outcome === "queued",
  );
  return decided.map(result => result.hunk);
}

/** Makes a decision; asks first about what builds on it. */
export async function carryOut(wish: Wish, dependents: Dependents = "ask"): Promise<void> {
  const next = follower(wish);
  const here = openPath.peek();
  const act = () =>
    post(wish, dependents, false, answer => {
      told(answer, wish);
      settle(answer, () => {
        // Unless the person has gone elsewhere meanwhile.
        if (openPath.peek() === here) goOn(next);
      });
    });
  if (!wish.told) return act();
  // A group may have grown since the person said yes to it.
  const agreed = new Set(wish.told);
  return post(wish, dependents, true, answer => {
    const now = touched(answer);
    if (dependents !== "ask" || now.every(id => agreed.has(id))) void act();
    else openDialog({ kind: "confirm", wish: { ...wish, told: now, hunks: seen(now) } });
  });
}

function seen(ids: readonly string[]): HunkEntry[] {
  return ids.map(id => hunkNamed(id)).filter(hunk => hunk !== null);
}

async function post(
  wish: Wish,
  dependents: Dependents,
  dryRun: boolean,
  done: (answer: DecisionDocument) => void,
): Promise<void> {
  const { verdict, selectors, everything = false, reason = "" } = wish;
  const expected = Object.fromEntries(wish.hunks.map(hunk => [hunk.id, hunk.digest]));
  try {
    done(
      await server.decide({
        verdict,
        selectors,
        everything,
        dependents,
        reason,
        expect: expected,
        dry_run: dryRun,
      }),
    );
  } catch (error) {
    if (!(error instanceof server.Refusal) || error.status !== 409) return fail(error);
    refused(error, wish);
  }
}

function refused(error: server.Refusal, wish: Wish): void {
  const needs = (error.answer["needs"] ?? []) as Need[];
  if (needs.some(need => need.built_on_by?.length || need.shared_with?.length)) {
    openDialog({ kind: "dependents", wish, needs });
    return;
  }
  if ((error.answer["now"] as string[] | undefined)?.length || !needs.length) {
    warn("This changed while you read it", "Nothing was decided. Look at it again.");
  } else {
    warn(error.message, error.hint);
  }
  void refresh();
  void refreshOpenFile(null);
}

/** The hunk to go to when a decision has been made: the next one that it is not about. */
function follower(wish: Wish): HunkEntry | null {
  const decided = new Set(wish.hunks.map(hunk => hunk.id));
  const all = queue.peek();
  const at = all.findIndex(hunk => hunk.id === currentHunk.peek());
  const ordered = [...all.slice(at + 1), ...all.slice(0, Math.max(at, 0))];
  return ordered.find(hunk => !decided.has(hunk.id)) ?? null;
}

function told(answer: DecisionDocument, wish: Wish): void {
  const applied = answer.results.filter(result => result.outcome === "applied").length;
  const queued = answer.results.filter(result => result.outcome === "queued").length;
  if (queued) {
    say(`Put off: ${counted(queued, "change")}`, {
      detail: "An agent is writing there. It happens when that ends.",
    });
    return;
  }
  if (!applied) {
    say("Nothing changed", { detail: answer.results[0]?.reason || "It was like that already." });
    return;
  }
  const what = applied === 1 && wish.about !== "everything" ? wish.about : counted(applied, "change");
  say(`${DONE[answer.verdict]}: ${what}`, {
    detail: detailOf(answer),
    act: takingBack(answer),
  });
}

/** That decision, also when others were made since. */
function takingBack({ decision }: DecisionDocument): Message["act"] {
  return decision === null ? undefined : { label: "Undo", run: () => void undoDecision(decision) };
}

function detailOf(answer: DecisionDocument): string {
  const kept = answer.kept.filter(one => !one.blank);
  const own = kept.filter(one => one.actor.kind === "person" || one.actor.kind === "external").length;
  const others = kept.length - own;
  const linked = answer.linked?.length ?? 0;
  return [
    own ? `Your text stays (${counted(own, "place")}).` : "",
    others ? `What was built on it stays (${counted(others, "place")}).` : "",
    linked ? `${counted(linked, "undecided change")} elsewhere exchanges the same words.` : "",
  ]
    .filter(Boolean)
    .join(" ");
}

/** Takes in what a decision changed. */
function settle(answer: DecisionDocument, then: () => void = () => undefined): void {
  expect(answer.version);
  batch(() => {
    const about = answer.results.map(result => result.hunk);
    decidedHere.value = new Set([...decidedHere.peek(), ...about]);
  });
  void Promise.all([refresh(), refreshOpenFile(null)]).then(then);
}

export async function undoLast(): Promise<void> {
  await turnBack(() => server.undo());
}

export async function undoDecision(id: string): Promise<void> {
  await turnBack(() => server.undo(id));
}

export async function redoLast(): Promise<void> {
  await turnBack(() => server.redo());
}

async function turnBack(ask: () => Promise<DecisionDocument>): Promise<void> {
  await save();
  try {
    const answer = await ask();
    if (answer.decision === null) {
      say("There is nothing to take back");
      return;
    }
    const count = answer.results.filter(result => result.outcome === "applied").length;
    say(`${DONE[answer.verdict]}: the decision about ${counted(count, "change")}`);
    settle(answer, () => {
      const first = answer.results[0]?.hunk;
      if (first) proof.peek()?.goTo(first);
    });
  } catch (error) {
    if (error instanceof server.Refusal && error.status === 409) warn(error.message, error.hint);
    else fail(error);
  }
}

/** The person chose what becomes of changes that build on the one to be rejected. */
export async function decideWith(wish: Wish, dependents: Dependents): Promise<void> {
  closeDialog();
  await carryOut(wish, dependents);
}
