/** What a person wants decided: a hunk, some lines, a file, a group, everything. */

import { isIn } from "../rules/groups";
import { concernsWholeFile } from "../rules/regions";
import { counted } from "../rules/counting";
import { type Wish, closeDialog } from "../state/dialogs";
import { isHidden } from "../state/hiding";
import { decidedWith, hunkNamed } from "../state/hunks";
import { say } from "../state/messages";
import { currentHunk, page, selectedLines } from "../state/place";
import { inOrder } from "../state/inOrder";
import { hunks } from "../state/project";
import type { HunkEntry, Verdict } from "../wire/contract";
import { askFirst, carryOut } from "./deciding";
import { isBehind, refreshOpenFile } from "./opening";
import { refresh } from "./refreshing";
import { save } from "./saving";

/** Decides about one hunk, pending or not. */
export async function decideHunk(verdict: Verdict, hunk: HunkEntry): Promise<void> {
  await caughtUp();
  await carryOut(wishFor(verdict, hunkNamed(hunk.id) ?? hunk));
}

/** Decides about several hunks of the same lines: what one of them builds on goes with it. */
export async function decideTogether(verdict: Verdict, some: readonly HunkEntry[]): Promise<void> {
  await caughtUp();
  await carryOut(wishTogether(verdict, some));
}

/** Decides about all that is undecided in the place of a hunk. */
export async function decidePlace(verdict: Verdict, hunk: HunkEntry): Promise<void> {
  await caughtUp();
  await carryOut(wishAt(verdict, hunkNamed(hunk.id) ?? hunk));
}

function wishAt(verdict: Verdict, hunk: HunkEntry): Wish {
  const place = hunk.status === "pending" ? decidedWith(hunk.id) : [];
  return place.length > 1 ? wishTogether(verdict, place) : wishFor(verdict, hunk);
}

function wishTogether(verdict: Verdict, some: readonly HunkEntry[]): Wish {
  const found = some.map(hunk => hunkNamed(hunk.id) ?? hunk);
  const whole = found.find(hunk => concernsWholeFile(hunk));
  const first = Math.min(...found.map(hunk => hunk.new_start));
  const last = Math.max(...found.map(hunk => hunk.new_start + Math.max(hunk.new_lines, 1) - 1));
  const about = whole ? named(whole) : `${spoken(first, last)} of ${found[0]?.path}`;
  return { verdict, selectors: found.map(hunk => hunk.id), about, hunks: found };
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
export function named(hunk: HunkEntry): string {
  if (hunk.cell) return `cell ${hunk.cell.id || hunk.cell.index} of ${hunk.path}`;
  if (concernsWholeFile(hunk)) return `${WHOLE[hunk.kind] ?? "the change of"} ${hunk.path}`;
  return `${spoken(hunk.new_start, hunk.new_start + Math.max(hunk.new_lines, 1) - 1)} of ${hunk.path}`;
}

function spoken(first: number, last: number): string {
  return first === last ? `line ${first}` : `lines ${first} to ${last}`;
}

/** Decides about the selected lines, or else about the hunk under the cursor. */
export function decideHere(verdict: Verdict): Promise<void> {
  return inOrder(() => decideNow(verdict));
}

async function decideNow(verdict: Verdict): Promise<void> {
  await caughtUp();
  const wish = wishHere(verdict);
  if (!wish) say("There is no change here. Press n for the next one.");
  else if (wish.hunks.some(isHidden)) say("This change is hidden: show its group first.");
  else await carryOut(wish);
}

function wishHere(verdict: Verdict): Wish | null {
  const lines = selectedLines.peek();
  const path = page.peek()?.path;
  if (lines && path) {
    const about = `${spoken(lines.start, lines.end)} of ${path}`;
    const selectors = [`./${path}:${lines.start}-${lines.end}`];
    return { verdict, selectors, about, hunks: touching(lines), isPart: true };
  }
  const hunk = hunkNamed(currentHunk.peek());
  return hunk && wishAt(verdict, hunk);
}

/** How many of some lines are changed, and undecided. */
export function changedIn(lines: { start: number; end: number }): number {
  const each = touching(lines).map(({ new_start: first, new_lines: count }) => {
    return Math.min(lines.end, first + count - 1) - Math.max(lines.start, first) + 1;
  });
  return each.reduce((sum, count) => sum + Math.max(count, 0), 0);
}

/** The undecided hunks of the open file that have to do with some lines. */
function touching({ start, end }: { start: number; end: number }): HunkEntry[] {
  const pending = page.peek()?.hunks.filter(hunk => hunk.status === "pending") ?? [];
  return pending.filter(({ new_start: first, new_lines: count }) => first <= end && first + count > start);
}

export async function decideFile(verdict: Verdict, path: string): Promise<void> {
  await caughtUp();
  const inFile = hunks.peek().filter(hunk => hunk.path === path);
  await askFirst(shown({ verdict, selectors: [`./${path}`], about: `all in ${path}`, hunks: inFile }), true);
}

/** All that is undecided below a folder. */
export async function decideFolder(verdict: Verdict, folder: string): Promise<void> {
  await caughtUp();
  const below = hunks.peek().filter(hunk => hunk.path.startsWith(`${folder}/`));
  await askFirst(
    shown({ verdict, selectors: below.map(hunk => hunk.id), about: `all in ${folder}`, hunks: below }),
    true,
  );
}

/** The same without what is hidden. */
function shown(wish: Wish): Wish {
  const seen = wish.hunks.filter(hunk => !isHidden(hunk));
  if (seen.length === wish.hunks.length) return wish;
  const about = `${wish.about} but for ${counted(wish.hunks.length - seen.length, "hidden change")}`;
  return { ...wish, everything: false, selectors: seen.map(hunk => hunk.id), about, hunks: seen };
}

/** A turn or a call: what is pending in it. */
export async function decideGroup(verdict: Verdict, id: string): Promise<void> {
  await caughtUp();
  const inGroup = hunks.peek().filter(hunk => isIn(id, hunk));
  const kind = { t: "turn", a: "sub-agent" }[id.slice(0, 1)] ?? "call";
  const about = `${kind} ${id.slice(1)}`;
  await askFirst(shown({ verdict, selectors: [id], about, hunks: inGroup }), kind === "call");
}

/** Rejects what was done to a file after a moment, also by people: one decision, which can be undone. */
export async function goBackTo(
  path: string,
  moment: string,
  later: readonly { hunks: string[] }[],
): Promise<void> {
  closeDialog();
  await caughtUp();
  const known = page.peek()?.path === path ? (page.peek()?.hunks ?? []) : [];
  const gone = new Set(known.filter(hunk => hunk.status === "rejected").map(hunk => hunk.id));
  const ids = new Set(later.flatMap(one => one.hunks).filter(id => !gone.has(id)));
  await askFirst({
    verdict: "reject",
    selectors: [...ids],
    about: `what is later than “${moment}” in ${path}`,
    hunks: known.filter(hunk => ids.has(hunk.id)),
    isWhole: true,
  });
}

/** What people did is accepted as it arrives; it can be rejected, and accepted again, by a person. */
export async function decideEdits(verdict: Verdict, hunks: string[], about: string): Promise<void> {
  await caughtUp();
  await carryOut({ verdict, selectors: hunks, about, hunks: [] });
}

export async function decideAll(verdict: Verdict): Promise<void> {
  await caughtUp();
  const all: Wish = { verdict, selectors: [], everything: true, about: "everything", hunks: hunks.peek() };
  await askFirst(shown(all));
}
