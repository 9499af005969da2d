// What is said of hunks, in words. What comes from files and agents is never taken for markup.
import type { HunkSummary, PlacedHunkDocument } from "../../../frontend/src/wire/contract";

// Controls, and signs that turn the direction of writing or take no room.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu;
const LONGEST = 80;

/** A text without anything that would not print, and short enough for a line. */
export function printable(text: string, longest = LONGEST): string {
  const shown = text.replace(/\t/g, "    ").replace(UNSEEN, "�");
  return shown.length <= longest ? shown : `${shown.slice(0, longest - 1)}…`;
}

/** The same where VS Code would put in an icon for a name in parentheses. */
export function plain(text: string, longest = LONGEST): string {
  return printable(text, longest).replace(/\$\(/g, "$\u200b(");
}

export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

export function who({ actor }: HunkSummary): string {
  return plain(actor.name || actor.kind, 40);
}

/** What can happen to a cell itself; the rest happens to a part of it. */
const CELLS = ["edited", "added", "deleted", "moved"];

const WHOLE: Record<string, string> = {
  create: "created this file",
  delete: "deleted this file",
  binary: "changed this file, which is no text",
  mode: "changed the permissions of this file",
  symlink: "changed what this link is",
};

/** Whether a hunk is about a file as a whole. */
export function isWhole({ kind, cell }: HunkSummary): boolean {
  return !cell && (kind in WHOLE || kind === "rename");
}

/** Where a hunk is in its file. */
export function placeIn(hunk: HunkSummary): string {
  const { cell, new_start } = hunk;
  const line = `line ${Math.max(1, new_start)}`;
  if (cell) return cell.change === "edited" ? `cell ${cell.index}, ${line}` : `cell ${cell.index}`;
  return isWhole(hunk) ? "the file" : line;
}

export function deed(hunk: HunkSummary): string {
  if (hunk.held) return "proposes a change";
  const { old_lines: gone, new_lines: come, kind } = hunk;
  const whole = WHOLE[kind];
  if (whole) return whole;
  if (kind === "rename") return `renamed this file, which was ${plain(hunk.from ?? "")}`;
  if (hunk.cell) {
    const { change } = hunk.cell;
    return `${CELLS.includes(change) ? change : `changed the ${plain(change)} of`} this cell`;
  }
  if (kind !== "modify") return plain(kind);
  if (gone === 0) return `added ${count(come, "line")}`;
  if (come === 0) return `removed ${count(gone, "line")}`;
  return gone === come ? `changed ${count(gone, "line")}` : `changed ${count(gone, "line")} to ${come}`;
}

/** The lines of a text, without the empty one after its last line end. */
export function lines(text: string | null): string[] {
  const found = (text ?? "").split("\n").map(line => line.replace(/\r$/, ""));
  if (found.at(-1) === "") found.pop();
  return found;
}

/** What of a hunk is not in the text. */
export function absent(hunk: PlacedHunkDocument): string[] {
  return lines(hunk.held ? hunk.new : hunk.old);
}
