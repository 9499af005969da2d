/** Going from change to change, file to file, group to group. */

import { isIn } from "../rules/groups";
import { neighbour } from "../rules/queue";
import { isViewed, setViewed } from "../state/viewed";
import { advance } from "../state/settings";
import { closeDrawer } from "../state/dialogs";
import { announce, say } from "../state/messages";
import {
  currentHunk,
  currentLine,
  foldedFiles,
  isStream,
  litGroup,
  openPath,
  page,
  setStream,
  side,
} from "../state/place";
import { filePaths, hunks, leadOf, notes, numberOf, overview, placeOf, queue, turns } from "../state/project";
import { proof } from "../state/proof";
import type { HunkEntry, NoteDocument } from "../wire/contract";
import { focusHome } from "./home";
import { open, prefetch } from "./opening";
import { refresh } from "./refreshing";

function here(): { hunk: string | null; place: { path: string; line: number } | null } {
  const path = openPath.peek();
  return {
    hunk: leadOf(currentHunk.peek()),
    place: path === null ? null : { path, line: currentLine.peek() },
  };
}

/** The next undecided hunk, in any file. */
export async function goToHunk(step: 1 | -1): Promise<void> {
  // How many there are is known before which.
  if (!queue.peek().length && overview.peek()?.counts.hunks) await refresh();
  const next = neighbour(queue.peek(), here(), step);
  if (!next) {
    say("Nothing is undecided.");
    return;
  }
  await goTo(next);
}

export async function goTo(hunk: HunkEntry): Promise<void> {
  if (isStream.peek()) {
    closeDrawer();
    currentHunk.value = hunk.id;
    // A card far below is drawn only now.
    requestAnimationFrame(() => {
      document.getElementById(`card-${hunk.id}`)?.scrollIntoView({ block: "center" });
    });
    announcePlace(hunk);
    return;
  }
  side.value = "diff";
  await open(hunk.path, { hunk: hunk.id });
  announcePlace(hunk);
  void prefetch(following(hunk));
}

/** The next changes after one that are in other files. */
function following(hunk: HunkEntry): HunkEntry[] {
  const all = queue.peek();
  const at = numberOf(hunk.id);
  return [1, 2].map(step => all[(at + step) % all.length] ?? hunk).filter(({ path }) => path !== hunk.path);
}

function announcePlace(hunk: HunkEntry): void {
  const at = numberOf(hunk.id);
  const line = hunk.new_start || 1;
  announce(`Change ${at + 1} of ${queue.peek().length}, ${hunk.kind}, ${hunk.path} line ${line}`);
}

/** After a decision, as the person likes it. */
export function goOn(next: HunkEntry | null): void {
  focusHome();
  if (!next || advance.peek() === "stay") return;
  if (advance.peek() === "file" && next.path !== openPath.peek()) return;
  const now = hunks.peek().find(hunk => hunk.id === next.id);
  if (now) void goTo(now);
}

export async function goToFile(step: 1 | -1): Promise<void> {
  const paths = filePaths.peek();
  const at = paths.indexOf(openPath.peek() ?? "");
  const next = paths.at(at < 0 ? (step > 0 ? 0 : -1) : (at + step) % paths.length);
  if (next) await openAtFirst(next);
}

/** Opens a file at its first undecided change. */
export async function openAtFirst(path: string): Promise<void> {
  const first = queue.peek().find(hunk => hunk.path === path);
  return first ? goTo(first) : open(path);
}

/** The next turn of the rail; everything else is dimmed. */
export function goToTurn(step: 1 | -1): void {
  const ids = turns.peek().map(turn => turn.id);
  const at = ids.indexOf(litGroup.peek() ?? "");
  const next = ids.at(at < 0 ? 0 : (at + step) % ids.length);
  if (next) void lightGroup(next);
}

/** Shows one group: dims all else, and goes to its first change. */
export async function lightGroup(id: string | null): Promise<void> {
  litGroup.value = id;
  if (id === null) return;
  const first = queue.peek().find(hunk => placeOf(hunk.id).some(one => isIn(id, one)));
  if (first) await goTo(first);
  announce(groupNamed(id));
}

/** In words: "Turn 2", "Edit of src/a.py". */
function groupNamed(id: string): string {
  if (id.startsWith("t")) return `Turn ${id.slice(1)}`;
  const call = turns
    .peek()
    .flatMap(turn => turn.calls)
    .find(one => one.id === id);
  return call ? `${call.tool}${call.path ? ` of ${call.path}` : ""}` : `Sub-agent ${id.slice(1)}`;
}

export async function goToNote(step: 1 | -1): Promise<void> {
  const placed = notes.peek().filter(note => note.path !== null && note.state !== "removed");
  placed.sort((a, b) => order(a, b));
  const place = { path: openPath.peek() ?? "", line: currentLine.peek() };
  const after = placed.find(note => compare(note, place) > 0) ?? placed[0];
  const before = placed.findLast(note => compare(note, place) < 0) ?? placed.at(-1);
  const next = step > 0 ? after : before;
  if (next) await showNote(next);
  else say("There are no notes.");
}

function order(a: NoteDocument, b: NoteDocument): number {
  return compare(a, { path: b.path ?? "", line: b.line ?? 0 });
}

function compare(note: NoteDocument, place: { path: string; line: number }): number {
  const path = note.path ?? "";
  if (path !== place.path) return path < place.path ? -1 : 1;
  return (note.line ?? 0) - place.line;
}

export async function showNote(note: NoteDocument): Promise<void> {
  if (note.path === null) return;
  await showLine(note.path, note.line ?? 1);
  announce(`Note, ${note.kind}: ${note.text}`);
}

export async function showLine(path: string, line: number): Promise<void> {
  setStream(false);
  await open(path, { line });
}

/** From the list to the editor, or back. The change in hand is the one that is shown: it is what keys decide. */
export async function toggleStream(): Promise<void> {
  setStream(!isStream.peek());
  const hunk = hunks.peek().find(one => one.id === leadOf(currentHunk.peek()));
  if (hunk) await goTo(hunk);
}

/** In the list, only the name of the file is left; in the editor, only what is near a change. */
export function foldFile(): void {
  if (!isStream.peek()) {
    isFolded = !isFolded;
    proof.peek()?.fold(isFolded);
    return;
  }
  const hunk = hunks.peek().find(one => one.id === currentHunk.peek());
  if (hunk) toggleFolded(hunk.path);
}

let isFolded = true;

export function toggleFolded(path: string): void {
  const folded = new Set(foldedFiles.peek());
  if (!folded.delete(path)) folded.add(path);
  foldedFiles.value = folded;
}

export function toggleViewed(path: string): void {
  const viewed = !isViewed(path, hunks.peek());
  setViewed(path, hunks.peek(), viewed);
  announce(viewed ? "Marked as viewed" : "Not viewed any more");
}

/** Marks the open file and goes to the next that was not looked through. */
export async function viewedAndNext(): Promise<void> {
  const path = page.peek()?.path;
  if (path) setViewed(path, hunks.peek(), true);
  const paths = filePaths.peek();
  const at = paths.indexOf(path ?? "");
  const next = [...paths.slice(at + 1), ...paths.slice(0, Math.max(at, 0))].find(
    one => !isViewed(one, hunks.peek()),
  );
  if (next) await openAtFirst(next);
}
