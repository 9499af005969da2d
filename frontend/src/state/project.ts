/** What the server said about the project, and what follows from it. */

import { computed, signal } from "@preact/signals";
import { type Filter, chosen, rows } from "../rules/ordering";
import { queued } from "../rules/queue";
import type { FileEntry, HunkEntry, NoteDocument, OverviewDocument, ProjectDocument } from "../wire/contract";
import type { Connection } from "../wire/live";
import { isHidden } from "./hiding";
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

const isChanged = computed(() => changedSinceViewed(hunks.value));

const chosenFiles = computed(() =>
  chosen(files.value, { filter: filter.value, words: filterWords.value, isChanged: isChanged.value }),
);

/** The files rail from top to bottom. */
export const fileRows = computed(() =>
  rows(chosenFiles.value, { order: order.value, closed: closedFolders.value, isChanged: isChanged.value }),
);

/** Every file that is chosen, in the order of the rail, also those below closed folders. */
export const filePaths = computed(() =>
  rows(chosenFiles.value, { order: order.value, closed: null, isChanged: isChanged.value })
    .filter(row => row.kind === "file")
    .map(row => row.path),
);

/** Undecided hunks in the order in which they are visited. */
export const queue = computed(() => {
  const narrowed = chosenFiles.value.length < files.value.length;
  const shown = new Set(filePaths.value);
  const visited = narrowed ? hunks.value.filter(hunk => shown.has(hunk.path)) : hunks.value;
  return queued(
    visited.filter(hunk => !isHidden(hunk)),
    filePaths.value,
  );
});

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
