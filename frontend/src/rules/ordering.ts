/** In which order files are looked at, and the tree that shows it. */

import type { FileEntry, FileStatus } from "../wire/contract";

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

function rank(entry: FileEntry): number {
  // Nothing starts on what nobody reads.
  if (entry.muted || entry.kind === "binary") return RANKS.generated;
  if (TESTS.test(entry.path)) return RANKS.tests;
  return DOCS.test(entry.path) ? RANKS.docs : RANKS.source;
}

interface Folder {
  path: string;
  name: string;
  folders: Map<string, Folder>;
  files: FileEntry[];
}

export function tree(files: readonly FileEntry[]): Folder {
  const root: Folder = { path: "", name: "", folders: new Map(), files: [] };
  for (const entry of files) {
    let here = root;
    const parts = entry.path.split("/");
    for (const name of parts.slice(0, -1)) {
      const path = here.path ? `${here.path}/${name}` : name;
      let next = here.folders.get(name);
      if (!next) here.folders.set(name, (next = { path, name, folders: new Map(), files: [] }));
      here = next;
    }
    here.files.push(entry);
  }
  return root;
}

interface Listing {
  order: Order;
  /** Folders that the person closed, or opened if all in them is what programs make. Null: all are open. */
  closed: ReadonlySet<string> | null;
  /** Files as they were when the person last arranged the list: news moves no row of it. */
  settled: ReadonlyMap<string, FileEntry>;
  isChanged: (path: string) => boolean;
}

/** The rows of a tree from top to bottom, without what is below closed folders. */
export function rows(files: readonly FileEntry[], listing: Listing): Row[] {
  if (listing.order === "pending") {
    const pending = (entry: FileEntry) => settled(entry, listing).pending;
    return flat(
      files.toSorted((a, b) => pending(b) - pending(a) || compare(a.path, b.path)),
      listing,
    );
  }
  return inside(joined(tree(files)), 0, listing).rows;
}

function settled(entry: FileEntry, listing: Listing): FileEntry {
  return listing.settled.get(entry.path) ?? entry;
}

/** Files one below the other, with their whole paths. */
export function flat(files: readonly FileEntry[], listing: Listing): Row[] {
  return files.map(entry => fileRow(entry, entry.path, 0, listing));
}

/** A folder that holds one folder and nothing else is shown together with it. */
function joined(folder: Folder): Folder {
  const folders = new Map<string, Folder>();
  for (const child of folder.folders.values()) {
    let here = child;
    let name = child.name;
    while (!here.files.length && here.folders.size === 1) {
      here = [...here.folders.values()][0] as Folder;
      name = `${name}/${here.name}`;
    }
    folders.set(name, { ...joined(here), name });
  }
  return { ...folder, folders };
}

interface Inside {
  rows: Row[];
  marks: Mark[];
  pending: number;
  files: number;
  deleted: number;
  rank: number;
}

/** From here on, files that all went are read as one folder that went. */
const FEWEST_DELETED = 2;

function isDeleted({ files, deleted }: Inside): boolean {
  return files >= FEWEST_DELETED && files === deleted;
}

function inside(folder: Folder, depth: number, listing: Listing): Inside {
  const children = [...folder.folders.values()].map(child => {
    const below = inside(child, depth + 1, listing);
    return { name: child.name, rank: listing.order === "smart" ? below.rank : 0, child, below };
  });
  const files = folder.files.map(entry => ({
    name: entry.path.slice(entry.path.lastIndexOf("/") + 1),
    rank: listing.order === "smart" ? rank(settled(entry, listing)) : 0,
    entry,
  }));
  const found: Inside = { rows: [], marks: [], pending: 0, files: 0, deleted: 0, rank: RANKS.generated };
  const everything = [...children, ...files].sort((a, b) => a.rank - b.rank || compare(a.name, b.name));
  for (const one of everything) {
    found.rank = Math.min(found.rank, one.rank);
    if ("entry" in one) {
      const row = fileRow(one.entry, one.name, depth, listing);
      found.rows.push(row);
      found.marks.push(row.mark);
      found.pending += one.entry.pending;
      found.files += 1;
      found.deleted += settled(one.entry, listing).letter === "D" ? 1 : 0;
    } else {
      const isMuted = one.below.rank === RANKS.generated;
      const isOpen = listing.closed === null || listing.closed.has(one.child.path) === isMuted;
      const row = folderRow(one.child, one.below, depth, isOpen);
      found.rows.push(row);
      if (row.open) for (const below of one.below.rows) found.rows.push(below);
      found.marks.push(row.mark);
      found.pending += row.pending;
      found.files += row.files;
      found.deleted += one.below.deleted;
    }
  }
  // Nobody reads it line by line: it comes last, and closed.
  return isDeleted(found) && depth > 0 ? { ...found, rank: RANKS.generated } : found;
}

function folderRow(folder: Folder, below: Inside, depth: number, open: boolean): FolderRow {
  const { path, name } = folder;
  const { pending, files } = below;
  const mark = strongest(below.marks);
  return {
    kind: "folder",
    path,
    name,
    depth,
    mark,
    pending,
    files,
    open,
    muted: below.rank === RANKS.generated,
    deleted: isDeleted(below),
  };
}

function fileRow(entry: FileEntry, name: string, depth: number, listing: Listing): FileRow {
  const mark = markOf(entry, listing.isChanged(entry.path));
  return { kind: "file", path: entry.path, name, depth, mark, entry, muted: entry.muted };
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
export function chosen(files: readonly FileEntry[], { filter, words, isChanged }: Wanted): FileEntry[] {
  const terms = words.toLowerCase().split(/\s+/).filter(Boolean);
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
