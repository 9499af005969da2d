/** Opens files, and takes newer versions of them in without moving what is being read. */

import { batch } from "@preact/signals";
import type { Proof } from "../editor/proof";
import { concernsWholeFile } from "../rules/regions";
import { closeDrawer } from "../state/dialogs";
import { follow } from "../state/settings";
import { visit } from "../state/address";
import {
  awaitedPaths,
  expected,
  currentHunk,
  isStream,
  newerPage,
  openPath,
  openedInNarrow,
  page,
  selectedLines,
  side,
} from "../state/place";
import { notes, version } from "../state/project";
import { proof } from "../state/proof";
import * as server from "../wire/client";
import type { FilePage } from "../wire/client";
import type { FileDocument, FileHunkDocument, HunkEntry } from "../wire/contract";
import { fail } from "./refreshing";
import { wanted } from "./revealing";

const MOST_KEPT = 12;

interface Kept {
  asked: Promise<FilePage>;
  /** Null until it is there. */
  page: FilePage | null;
}

/** Pages that were asked for before they were wanted. */
const kept = new Map<string, Kept>();
/** Events up to here are what the person did: they expect the page to change. */
let ownVersion = 0;
/** The same for each file that they did something to. */
const ownVersions = new Map<string, number>();

function fetched(path: string): Promise<FilePage> {
  const known = kept.get(path);
  if (known) return known.asked;
  const one: Kept = { asked: server.file(path), page: null };
  kept.set(path, one);
  one.asked.then(
    found => (one.page = found),
    () => kept.delete(path),
  );
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value ?? "");
  return one.asked;
}

/** Asks for pages that will probably be opened next at these hunks, the first of them before the others. */
export async function prefetch(hunks: readonly HunkEntry[]): Promise<void> {
  const from = openPath.peek();
  try {
    for (const hunk of hunks) {
      const found = await fetched(hunk.path);
      if (hunk === hunks[0] && openPath.peek() === from) expected.value = { page: found, hunk: hunk.id };
    }
  } catch (error) {
    // Whoever wants one of them asks again, and is told.
    if (!(error instanceof server.Refusal)) throw error;
  }
}

export function fileChanged(path: string): void {
  kept.delete(path);
}

/** What happens up to this event is the person's own doing, to these files. */
export function expect(version: number | undefined, paths: readonly string[]): void {
  ownVersion = Math.max(ownVersion, version ?? 0);
  for (const path of paths) ownVersions.set(path, ownVersion);
}

export function isExpected(version: number): boolean {
  return version <= ownVersion;
}

/** Whether something that the person did is not on the page yet. */
export function isBehind(): boolean {
  const shown = page.peek();
  // A page that was asked for before something was done to other files is as good as new.
  return version() < ownVersion || (shown !== null && shown.version < (ownVersions.get(shown.path) ?? 0));
}

/** Opens a file at a hunk or a line. From now on, keys are about that one, also while the file is not there yet. */
export async function open(
  path: string,
  at: { hunk?: string | undefined; line?: number | null } = {},
): Promise<void> {
  closeDrawer();
  batch(() => {
    const known = kept.get(path)?.page;
    if (known && page.peek()?.path !== path) page.value = known;
    if (openPath.peek() !== path) {
      openPath.value = path;
      newerPage.value = null;
      selectedLines.value = null;
      side.value = "diff";
    }
    currentHunk.value = at.hunk ?? null;
    wanted.value = { path, hunk: at.hunk ?? null, line: at.line ?? null };
    openedInNarrow.value = true;
    // Before anything moves there.
    if (!isStream.peek()) visit({ path, hunk: at.hunk ?? null, line: at.line ?? null });
  });
  if (page.peek()?.path === path) return;
  try {
    const found = await fetched(path);
    // A newer one may have come first.
    if (openPath.peek() === path && page.peek()?.path !== path) page.value = found;
  } catch (error) {
    if (openPath.peek() === path && isGone(error)) batch(close);
    fail(error);
  }
}

function isGone(error: unknown): boolean {
  return error instanceof server.Refusal && error.status === 404;
}

/** The open file may have changed; null means that any may have. */
export async function refreshOpenFile(paths: readonly string[] | null): Promise<void> {
  const path = openPath.peek();
  if (path === null || (paths && !paths.includes(path))) return;
  fileChanged(path);
  try {
    const found = await fetched(path);
    if (openPath.peek() === path) arrive(found);
  } catch (error) {
    if (!isGone(error)) fail(error);
    else if (openPath.peek() === path) batch(close);
  }
}

/** The open file as a decision left it, which came with the answer; null if there is none any more. */
export async function showDecided(found: FileDocument | null): Promise<void> {
  const path = openPath.peek();
  if (path === null) return;
  if (found === null) batch(close);
  else if (found.path === path) arrive(server.whole(found));
  else await refreshOpenFile(null);
}

function close(): void {
  openPath.value = null;
  page.value = null;
  newerPage.value = null;
}

/** Shows a newer version at once, unless somebody reads where it differs. */
function arrive(found: FilePage): void {
  const shown = page.peek();
  if (found.version < Math.max(shown?.path === found.path ? shown.version : 0, ownVersion)) return;
  const editor = proof.peek();
  // When what was typed has arrived, the file is asked for again; until then nothing may take its place.
  if (editor?.typing.isSending) return;
  if (editor?.path === found.path && editor.typing.isUnsaved && !editor.fits(found)) return;
  const isMoving =
    editor?.fits(found) && (editor.hasTextOf(found) ? redraws(editor, found) : moves(editor, found));
  if (isMoving && found.version > ownVersion && !follow.peek()) newerPage.value = found;
  else take(found);
}

/** Whether a newer text would move what is on the screen. What a stream adds below the cursor is no surprise. */
function moves(editor: Proof, found: FilePage): boolean {
  const touched = editor.typing.touched(editor.view.state.toText(found.live ?? ""));
  if (!editor.isInSight(touched)) return false;
  return !(isGrowth(found, page.peek()) && editor.isBelowCursor(touched));
}

/** Whether the text is the same and something between its lines on the screen is not: a proposal, another's decision. */
function redraws(editor: Proof, found: FilePage): boolean {
  const shown = page.peek();
  const isAwaited = awaitedPaths.peek().has(found.path);
  const come = unseen(found, shown).filter(hunk => !(isAwaited && hunk.held));
  const hunks = [...come, ...(shown ? unseen(shown, found) : [])];
  return hunks.some(hunk => concernsWholeFile(hunk) || editor.isInSight([editor.placeOf(hunk)]));
}

/** Whether all that is new comes from calls that have written here before: a stream, or a command that goes on. */
function isGrowth(found: FilePage, shown: FilePage | null): boolean {
  const known = new Set(shown?.hunks.map(hunk => hunk.call));
  return unseen(found, shown).every(hunk => hunk.call !== null && known.has(hunk.call));
}

export function take(found: FilePage): void {
  batch(() => {
    newerPage.value = null;
    page.value = found;
  });
}

/** Shows what arrived while the person was reading. */
export function takeNewer(): void {
  const found = newerPage.peek();
  if (found) take(found);
}

/** How many changes a newer page has that the shown one has not. */
export function newChanges(found: FilePage, shown: FilePage | null): number {
  return unseen(found, shown).length;
}

function unseen(found: FilePage, shown: FilePage | null): FileHunkDocument[] {
  const known = new Set(shown?.hunks.map(hunk => `${hunk.id} ${hunk.digest}`));
  const pending = found.hunks.filter(hunk => hunk.status === "pending");
  return pending.filter(hunk => !known.has(`${hunk.id} ${hunk.digest}`));
}

/** Puts a page into the editor that has its path open; false when the editor has to be made anew. */
export function intoEditor(found: FilePage): boolean {
  const editor = proof.peek();
  if (!editor?.fits(found)) return false;
  editor.show(found, notes.peek());
  return true;
}
