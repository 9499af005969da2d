/** Making decisions. The server decides; the page says what it saw, and what the person was told. */

import { batch } from "@preact/signals";
import { type Wish, closeDialog, openDialog } from "../state/dialogs";
import { DOING, say, sayIfSlow, warn } from "../state/messages";
import { hunkNamed } from "../state/hunks";
import { inOrder } from "../state/inOrder";
import { currentHunk, openPath } from "../state/place";
import { numberOf, queue } from "../state/project";
import { type Question, dropQuestion, question } from "../state/question";
import { unseenFiles } from "../state/seen";
import * as server from "../wire/client";
import type { Dependents } from "../wire/client";
import type { DecidedScreen, HunkEntry, NeedDocument } from "../wire/contract";
import { goOn, goTo } from "./moving";
import { refreshOpenFile } from "./opening";
import { tell } from "./outcomes";
import { fail, refresh } from "./refreshing";
import { settle, shown } from "./settling";

/**
 * Finds out what a larger decision would do, and lets the person say yes to that. A file or a call of which all
 * was shown, and with which nothing else goes along, needs no yes: it can be undone.
 */
export async function askFirst(wish: Wish, isSmall = false): Promise<void> {
  if (!wish.hunks.length && !wish.isWhole) {
    say(`Nothing is undecided in ${wish.about}.`);
    return;
  }
  await post(wish, wish.isWhole ? "with" : "ask", true, answer => {
    const told = touched(answer);
    if (wish.isWhole && !told.length) say(`Nothing to reject: ${wish.about}`);
    else if (isSmall && told.length <= wish.hunks.length && !unseenFiles(wish.hunks).length)
      void decide(wish, "ask");
    else openDialog({ kind: "confirm", wish: { ...wish, told } });
  });
}

function touched(answer: DecidedScreen): string[] {
  const decided = answer.results.filter(
    result => result.outcome === "applied" || result.outcome === "queued",
  );
  return decided.map(result => result.hunk);
}

/** Makes a decision; asks first about what builds on it. */
export async function carryOut(wish: Wish, dependents: Dependents = "ask"): Promise<void> {
  dropQuestion();
  if (!wish.told) return decide(wish, dependents);
  // A group may have grown since the person said yes to it.
  const agreed = new Set(wish.told);
  let hasGrown = false;
  let isRefused = true;
  await post(wish, dependents, true, answer => {
    isRefused = false;
    const now = touched(answer);
    hasGrown = dependents === "ask" && !now.every(id => agreed.has(id));
    if (hasGrown) openDialog({ kind: "confirm", wish: { ...wish, told: now, hunks: seen(now) } });
  });
  return hasGrown || isRefused ? undefined : decide(wish, dependents);
}

async function decide(wish: Wish, dependents: Dependents): Promise<void> {
  // Who thinks again about something decided, or goes back to a moment, is not done with it yet.
  const isOver = !wish.isWhole && wish.hunks.some(hunk => hunk.status === "pending");
  const next = isOver ? follower(wish) : null;
  const here = openPath.peek();
  await post(wish, dependents, false, answer => {
    tell(answer, wish);
    // Unless the person has gone elsewhere meanwhile. A file that has its old name again is closed by this.
    const isHere = openPath.peek() === here;
    // In one step: what is left at once is not drawn before.
    batch(() => {
      void settle(answer);
      if (isHere) goOn(leftOver(wish) ?? next);
    });
  });
}

function seen(ids: readonly string[]): HunkEntry[] {
  return ids.map(id => hunkNamed(id)).filter(hunk => hunk !== null);
}

async function post(
  wish: Wish,
  dependents: Dependents,
  dryRun: boolean,
  done: (answer: DecidedScreen) => void,
): Promise<void> {
  const { verdict, selectors, everything = false, reason = "" } = wish;
  const expected = Object.fromEntries(wish.hunks.map(hunk => [hunk.id, hunk.digest]));
  try {
    const request = { verdict, selectors, everything, dependents, reason };
    const there = dryRun ? {} : shown();
    const asked = server.decide({ ...request, expect: expected, dry_run: dryRun, ...there });
    done(await (dryRun ? asked : sayIfSlow(`${DOING[verdict]} ${wish.about} …`, asked)));
  } catch (error) {
    if (!(error instanceof server.Refusal) || error.status !== 409) return fail(error);
    refused(error, wish);
  }
}

function refused(error: server.Refusal, wish: Wish): void {
  const needs = (error.answer["needs"] ?? []) as NeedDocument[];
  if (needs.some(need => need.built_on_by?.length || need.shared_with?.length || need.lines?.length)) {
    if (!askInPlace(wish, needs)) openDialog({ kind: "dependents", wish, needs });
    return;
  }
  if ((error.answer["now"] as string[] | undefined)?.length || !needs.length) {
    warn(
      `This changed while you read it: ${wish.about}`,
      "Nothing was decided. Look at it again.",
      "decision",
    );
  } else {
    warn(error.message, error.hint, "decision");
  }
  void refresh();
  void refreshOpenFile(null);
}

/** What has to be chosen about one change of a file is asked where that stands, and that is gone to. */
function askInPlace(wish: Wish, needs: readonly NeedDocument[]): boolean {
  const hunk = inQuestion(wish, needs);
  if (!hunk) return false;
  const isDrawn = document.querySelector(`[data-hunk="${CSS.escape(hunk.id)}"]`) !== null;
  // What was decided may have no row to be asked in: what people typed has none.
  if (!isDrawn && hunk.status !== "pending") return false;
  if (!isDrawn) void goTo(hunk);
  const asked = { wish, hunk: hunk.id, needs, results: {} };
  question.value = asked;
  if (!needs.every(need => need.lines?.length)) for (const choice of CHOICES) void showResult(asked, choice);
  return true;
}

function inQuestion(wish: Wish, needs: readonly NeedDocument[]): HunkEntry | null {
  const [first, ...others] = wish.hunks;
  if (first && !others.length && (wish.isPart || wish.selectors[0] === first.id)) return first;
  const isOfOneFile = !wish.everything && wish.hunks.every(hunk => hunk.path === first?.path);
  const ids = [...new Set(needs.map(need => need.hunk))];
  const isGroup = wish.selectors.some(selector => /^[ta]\d+$/.test(selector));
  return isOfOneFile && !isGroup && ids.length === 1 ? hunkNamed(ids[0] ?? null) : null;
}

const CHOICES = ["keep", "with"] as const;

/** What a choice would make of the files, beside the choice. */
async function showResult(asked: Question, choice: (typeof CHOICES)[number]): Promise<void> {
  await post(asked.wish, choice, true, ({ diff = "" }) => {
    const now = question.peek();
    if (now?.wish === asked.wish) question.value = { ...now, results: { ...now.results, [choice]: diff } };
  });
}

/** The hunk to go to when a decision has been made: the next one that it is not about. */
function follower(wish: Wish): HunkEntry | null {
  const decided = new Set(wish.hunks.map(hunk => hunk.id));
  const all = queue.peek();
  const at = numberOf(currentHunk.peek());
  const ordered = [...all.slice(at + 1), ...all.slice(0, Math.max(at, 0))];
  return ordered.find(hunk => !decided.has(hunk.id)) ?? null;
}

/** What is still undecided of a change of which some lines were decided. */
function leftOver({ isPart = false, hunks: before }: Wish): HunkEntry | null {
  const isOf = (now: HunkEntry) => (was: HunkEntry) =>
    now.path === was.path &&
    now.call === was.call &&
    now.new_start <= was.new_start + was.new_lines &&
    now.new_start + now.new_lines >= was.new_start;
  return isPart ? (queue.peek().find(now => before.some(isOf(now))) ?? null) : null;
}

/** The person chose what becomes of changes that build on the one to be rejected. */
export function decideWith(wish: Wish, dependents: Dependents): Promise<void> {
  closeDialog();
  dropQuestion();
  return inOrder(() => carryOut(wish, dependents));
}
