/** In which order files are looked at, and the tree that shows it. */

import type { FileEntry, FileStatus } from "../wire/contract";
import type { Folder, Tree } from "./folders";

export type Order = "smart" | "path" | "pending";
export type Filter = "all" | "pending" | "notes" | "changed";

export interface FolderRow {
  kind: "folder";
  path: string;
  name: string;
  depth: number;
  mark: Mark;
  pending: number;
  /** Below it: how many files there are. */
  files: number;
  open: boolean;
  muted: boolean;
  /** All that changed below it was deleted. */
  deleted: boolean;
}

export interface FileRow {
  kind: "file";
  path: string;
  name: string;
  depth: number;
  mark: Mark;
  entry: FileEntry;
  muted: boolean;
}

export type Row = FolderRow | FileRow;

/** What a dot says: pending, partly decided, decided, all rejected, a conflict, or unlike what was looked at. */
export type Mark = "pending" | "partly" | "done" | "rejected" | "conflict" | "changed";

const STRENGTH: Mark[] = ["rejected", "done", "partly", "pending", "changed", "conflict"];

export function markOf(entry: FileEntry, isChanged: boolean): Mark {
  const marks: Record<FileStatus, Mark> = {
    conflict: "conflict",
    pending: "pending",
    mixed: "partly",
    accepted: "done",
    rejected: "rejected",
  };
  const mark = entry.pending && entry.decided && entry.status === "pending" ? "partly" : marks[entry.status];
  if (mark === "conflict") return mark;
  return isChanged
    ? "changed"
    : entry.pending
      ? isDone(mark)
        ? "partly"
        : mark
      : isDone(mark)
        ? mark
        : "done";
}

function isDone(mark: Mark): boolean {
  return mark === "done" || mark === "rejected";
}

function strongest(marks: Mark[]): Mark {
  return STRENGTH[Math.max(0, ...marks.map(mark => STRENGTH.indexOf(mark)))] ?? "done";
}

const TESTS = /(^|\/)(tests?|specs?|__tests__)(\/|$)|(^|\/)test_|[._-](test|spec)\.[^/]+$/i;

const DOCS = /\.(md|rst|txt|adoc)$|(^|\/)docs?\//i;

const RANKS = { source: 0, tests: 1, docs: 2, generated: 3 };

/** Nobody reads it line by line. */
export function isGenerated(entry: FileEntry): boolean {
  return entry.muted || entry.kind === "binary";
}

function rank(entry: FileEntry): number {
  if (isGenerated(entry)) return RANKS.generated;
  if (TESTS.test(entry.path)) return RANKS.tests;
  return DOCS.test(entry.path) ? RANKS.docs : RANKS.source;
}

export interface Listing {
  order: Order;
  /** Files as they were when the person last arranged the list: news moves no row of it. */
  settled: ReadonlyMap<string, FileEntry>;
  isChanged: (path: string) => boolean;
}

/** The rows of a tree from top to bottom, with all folders open. */
export function rows({ files, root }: Tree, listing: Listing): readonly Row[] {
  if (listing.order === "pending") {
    const pending = (entry: FileEntry) => settled(entry, listing).pending;
    return flat(
      files.toSorted((a, b) => pending(b) - pending(a) || compare(a.path, b.path)),
      listing,
    );
  }
  return inside(root, 0, listing).rows;
}

/** Without what is in folders that the person closed, or did not open if all in them is what programs make. */
export function withoutClosed(all: readonly Row[], closed: ReadonlySet<string>): Row[] {
  const found: Row[] = [];
  let closedAt = Infinity;
  for (const row of all) {
    if (row.depth > closedAt) continue;
    const isOpen = row.kind === "file" || closed.has(row.path) === row.muted;
    closedAt = isOpen ? Infinity : row.depth;
    found.push(isOpen ? row : { ...row, open: false });
  }
  return found;
}

function settled(entry: FileEntry, listing: Listing): FileEntry {
  return listing.settled.get(entry.path) ?? entry;
}

/** Files one below the other, with their whole paths. */
export function flat(files: readonly FileEntry[], listing: Listing): Row[] {
  return files.map(entry => fileRow(entry, entry.path, 0, listing));
}

interface Inside {
  rows: readonly Row[];
  mark: Mark;
  pending: number;
  files: number;
  deleted: number;
  rank: number;
}

/** From here on, files that all went are read as one folder that went. */
const FEWEST_DELETED = 2;

function isDeleted({ files, deleted }: Pick<Inside, "files" | "deleted">): boolean {
  return files >= FEWEST_DELETED && files === deleted;
}

/** What was last made of a folder, and for which list: as long as both are the same, so is what is in it. */
const made = new WeakMap<Folder, { listing: Listing; inside: Inside }>();

function inside(folder: Folder, depth: number, listing: Listing): Inside {
  const known = made.get(folder);
  if (known?.listing === listing) return known.inside;
  const found = listed(folder, depth, listing);
  made.set(folder, { listing, inside: found });
  return found;
}

function listed(folder: Folder, depth: number, listing: Listing): Inside {
  const folders = folder.folders.map(child => {
    const below = inside(child, depth + 1, listing);
    return { name: child.name, rank: listing.order === "smart" ? below.rank : 0, child, below };
  });
  const files = folder.files.map(entry => ({
    name: entry.path.slice(entry.path.lastIndexOf("/") + 1),
    rank: listing.order === "smart" ? rank(settled(entry, listing)) : 0,
    entry,
  }));
  const found = { rows: [] as Row[], pending: 0, files: 0, deleted: 0, rank: RANKS.generated };
  const marks: Mark[] = [];
  const everything = [...folders, ...files].sort((a, b) => a.rank - b.rank || compare(a.name, b.name));
  for (const one of everything) {
    found.rank = Math.min(found.rank, one.rank);
    const isFile = "entry" in one;
    const row = isFile
      ? fileRow(one.entry, one.name, depth, listing)
      : folderRow(one.child, one.below, depth);
    found.rows.push(row);
    marks.push(row.mark);
    if (isFile) {
      found.pending += one.entry.pending;
      found.files += 1;
      found.deleted += settled(one.entry, listing).letter === "D" ? 1 : 0;
    } else {
      for (const below of one.below.rows) found.rows.push(below);
      found.pending += one.below.pending;
      found.files += one.below.files;
      found.deleted += one.below.deleted;
    }
  }
  const all = { ...found, mark: strongest(marks) };
  // Nobody reads it line by line: it comes last, and closed.
  return isDeleted(all) && depth > 0 ? { ...all, rank: RANKS.generated } : all;
}

const folderRows = new WeakMap<Inside, FolderRow>();

/** The same row for the same: only what is another one is drawn anew. */
function folderRow({ path, name }: Folder, below: Inside, depth: number): FolderRow {
  const known = folderRows.get(below);
  if (known) return known;
  const { mark, pending, files } = below;
  const isMuted = below.rank === RANKS.generated;
  const row: FolderRow = {
    ...{ kind: "folder", path, name, depth, mark, pending, files },
    ...{ open: true, muted: isMuted, deleted: isDeleted(below) },
  };
  folderRows.set(below, row);
  return row;
}

const fileRows = new WeakMap<FileEntry, FileRow>();

function fileRow(entry: FileEntry, name: string, depth: number, listing: Listing): FileRow {
  const mark = markOf(entry, listing.isChanged(entry.path));
  const known = fileRows.get(entry);
  if (known?.mark === mark && known.depth === depth && known.name === name) return known;
  const row: FileRow = { kind: "file", path: entry.path, name, depth, mark, entry, muted: entry.muted };
  fileRows.set(entry, row);
  return row;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export interface Wanted {
  filter: Filter;
  words: string;
  isChanged: (path: string) => boolean;
}

/** Every word must stand somewhere in the path; a word after an exclamation mark must not. */
export function chosen(
  files: readonly FileEntry[],
  { filter, words, isChanged }: Wanted,
): readonly FileEntry[] {
  const terms = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (filter === "all" && !terms.length) return files;
  return files.filter(entry => {
    if (filter === "pending" && !entry.pending) return false;
    if (filter === "notes" && !entry.notes) return false;
    if (filter === "changed" && !isChanged(entry.path)) return false;
    const path = entry.path.toLowerCase();
    return terms.every(term =>
      term.startsWith("!") ? term === "!" || !path.includes(term.slice(1)) : path.includes(term),
    );
  });
}
