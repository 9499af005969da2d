/** What the server said about the project, and what follows from it. */

import { batch, computed, signal } from "@preact/signals";
import { type Tree, treeOf } from "../rules/folders";
import { type Filter, type Listing, chosen, flat, isGenerated, rows, withoutClosed } from "../rules/ordering";
import { places } from "../rules/places";
import { queued, withoutCrowds } from "../rules/queue";
import type { FileEntry, HunkEntry, NoteDocument, OverviewDocument, ProjectDocument } from "../wire/contract";
import type { Connection } from "../wire/live";
import { isHidden } from "./hiding";
import { asBefore } from "./asBefore";
import { order } from "./settings";
import { changedSinceViewed } from "./viewed";

export const projects = signal<ProjectDocument[]>([]);
export const project = signal<ProjectDocument | null>(null);
export const overview = signal<OverviewDocument | null>(null);
export const notes = signal<NoteDocument[]>([]);
export const connection = signal<Connection>("live");

export const closedFolders = signal<ReadonlySet<string>>(new Set());
export const filter = signal<Filter>("all");
export const filterWords = signal("");

const NO_FILES: FileEntry[] = [];
const NO_HUNKS: HunkEntry[] = [];

export const files = computed(() => overview.value?.files ?? NO_FILES);
export const hunks = computed(() => overview.value?.hunks ?? NO_HUNKS);
export const entries = computed(() => new Map(files.value.map(entry => [entry.path, entry])));
export const turns = computed(() => overview.value?.turns ?? []);
export const hunksById = computed(() => new Map(hunks.value.map(hunk => [hunk.id, hunk])));

const changedFiles = asBefore(() => changedSinceViewed(hunks.value));
const isChanged = computed(() => {
  const changed = new Set(changedFiles.value);
  return (path: string) => changed.has(path);
});

const chosenFiles = computed(() =>
  chosen(files.value, { filter: filter.value, words: filterWords.value, isChanged: isChanged.value }),
);

/** The files that the person saw when they last arranged the rail, as they were then: these rows stay. */
const settledFiles = signal<ReadonlyMap<string, FileEntry> | null>(null);
/** Files that came to be listed since: they stand at the end, so that no row moves. */
const lateFiles = signal<ReadonlySet<string>>(new Set());

/** The files of the rail. What somebody decides elsewhere takes no row out of it. */
const listedFiles = computed(() => {
  if (chosenFiles.value === files.value) return files.value;
  const isChosen = new Set(chosenFiles.value);
  const stays = (path: string) =>
    filter.value === "pending" && (settledFiles.value?.has(path) || lateFiles.value.has(path));
  return files.value.filter(entry => isChosen.has(entry) || stays(entry.path));
});

/** Takes in what the server says of the project; as an answer, it is of something that the person did. */
export function takeIn(found: OverviewDocument, isAnswer = false): void {
  batch(() => {
    overview.value = found;
    if (isAnswer) letGo();
    const known = settledFiles.peek();
    if (!known?.size) settle();
    else {
      const late = chosenFiles.peek().filter(({ path }) => !known.has(path) && !lateFiles.peek().has(path));
      if (late.length) lateFiles.value = new Set([...lateFiles.peek(), ...late.map(({ path }) => path)]);
    }
  });
}

/** The person arranges the rail anew. */
export function arrange(change: () => void): void {
  batch(() => {
    change();
    settle();
  });
}

function settle(): void {
  settledFiles.value = new Map(chosenFiles.peek().map(entry => [entry.path, entry]));
  lateFiles.value = new Set();
}

/** Rows of files that are not what the person asked to see go. */
function letGo(): void {
  const chosen = new Set(chosenFiles.peek().map(({ path }) => path));
  const known = settledFiles.peek();
  const late = lateFiles.peek();
  const kept = [...(known ?? [])].filter(([path]) => chosen.has(path));
  if (kept.length !== known?.size) settledFiles.value = new Map(kept);
  if (![...late].every(path => chosen.has(path)))
    lateFiles.value = new Set([...late].filter(path => chosen.has(path)));
}

const listing = computed<Listing>(() => ({
  order: order.value,
  settled: settledFiles.value ?? new Map<string, FileEntry>(),
  isChanged: isChanged.value,
}));

let lastTree: Tree | null = null;

/** Without those that came late. What a decision leaves as it was is the same tree as before. */
const fileTree = computed(() => {
  const late = lateFiles.value;
  const early = late.size ? listedFiles.value.filter(({ path }) => !late.has(path)) : listedFiles.value;
  return (lastTree = treeOf(early, lastTree));
});

/** The files rail from top to bottom, with nothing closed. */
const everyRow = computed(() => {
  const all = rows(fileTree.value, listing.value);
  if (!lateFiles.value.size) return all;
  const isListed = new Set(listedFiles.value);
  const late = [...lateFiles.value].flatMap(path => entries.value.get(path) ?? []);
  return [
    ...all,
    ...flat(
      late.filter(entry => isListed.has(entry)),
      listing.value,
    ),
  ];
});

/** The files rail from top to bottom. */
export const fileRows = computed(() => withoutClosed(everyRow.value, closedFolders.value));

/** Folders of which all that changed was deleted. */
const deletedFolders = asBefore(() =>
  everyRow.value.flatMap(row => (row.kind === "folder" && row.deleted ? [`${row.path}/`] : [])),
);

/** Nobody reads it line by line: what programs make, and what went with its folder. */
export function isFoldedAtFirst(path: string): boolean {
  return entries.value.get(path)?.muted || deletedFolders.value.some(folder => path.startsWith(folder));
}

/** Every file that is chosen, in the order of the rail, also those below closed folders. */
export const filePaths = asBefore(() =>
  everyRow.value.filter(row => row.kind === "file").map(row => row.path),
);

/** The same in the order in which one goes through them: what is generated comes after all else, wherever it stands. */
const visitedPaths = asBefore(() => {
  const all = filePaths.value;
  const last = new Set(
    order.value === "smart" ? files.value.filter(isGenerated).map(({ path }) => path) : [],
  );
  return last.size ? [...all.filter(path => !last.has(path)), ...all.filter(path => last.has(path))] : all;
});

/** What is undecided and not hidden, place by place. */
const shownPlaces = computed(() => places(hunks.value.filter(hunk => !isHidden(hunk))));

const placesByHunk = computed(
  () => new Map(shownPlaces.value.flatMap(place => place.map(hunk => [hunk.id, place] as const))),
);

/** How many places there are where something is undecided, also hidden ones. */
export const placeCount = computed(() =>
  hiddenCount.value ? places(hunks.value).length : shownPlaces.value.length,
);

/** The undecided changes that are decided together with this one, which is among them. */
export function placeOf(id: string | null): readonly HunkEntry[] {
  return (id !== null && placesByHunk.value.get(id)) || NO_HUNKS;
}

/** Each place is visited at the first of its changes. */
export function leadOf(id: string | null): string | null {
  return placeOf(id)[0]?.id ?? id;
}

/** Undecided places in the order in which they are visited. */
export const queue = computed(() => {
  const narrowed = chosenFiles.value.length < files.value.length;
  const shown = new Set(filePaths.value);
  const leads = withoutCrowds(shownPlaces.value.flatMap(([first]) => (first ? [first] : NO_HUNKS)));
  return queued(narrowed ? leads.filter(hunk => shown.has(hunk.path)) : leads, visitedPaths.value);
});

const numbers = computed(() => new Map(queue.value.map((hunk, number) => [hunk.id, number])));

/** Where in the queue the place of a change is, from zero; -1 if it is not in it. */
export function numberOf(id: string | null): number {
  return numbers.value.get(leadOf(id) ?? "") ?? -1;
}

/** Lines that come and go with what is undecided, by path and by group. */
export const sizes = computed(() => {
  const found = new Map<string, { added: number; removed: number }>();
  for (const hunk of hunks.value) {
    for (const id of [hunk.path, hunk.turn, hunk.subagent, hunk.call]) {
      if (id === null) continue;
      const known = found.get(id) ?? { added: 0, removed: 0 };
      found.set(id, { added: known.added + hunk.new_lines, removed: known.removed + hunk.old_lines });
    }
  }
  return found;
});

/** How many undecided changes are hidden. */
export const hiddenCount = computed(() => hunks.value.filter(isHidden).length);

export const progress = computed(() => {
  const pending = files.value.reduce((sum, entry) => sum + entry.pending, 0);
  const decided = files.value.reduce((sum, entry) => sum + entry.decided, 0);
  return { pending, decided, all: pending + decided };
});

export const isWriting = computed(() => turns.value.some(turn => turn.ended === null));

/** The number of the last event that this page knows. */
export function version(): number {
  return overview.peek()?.version ?? 0;
}
