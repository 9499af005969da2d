/** Makes the editors of texts. That of the file that is probably read next is made while nobody waits for it. */

import { wanted } from "../acts/revealing";
import { left, typed } from "../acts/saving";
import { startTyping } from "../acts/typing";
import type { Look } from "../editor/looking";
import { type Cursor, Proof } from "../editor/proof";
import { concernsWholeFile } from "../rules/regions";
import { hiddenGroups } from "../state/hiding";
import { whenIdle } from "../state/idle";
import * as place from "../state/place";
import { notes } from "../state/project";
import * as settings from "../state/settings";
import type { FilePage } from "../wire/client";
import { DecidedRow } from "./DecidedRow";
import { HunkBar } from "./HunkBar";
import { NoteCard } from "./NoteCard";
import { PlaceBar } from "./PlaceBar";
import { ProposedText } from "./ProposedText";
import { Steps } from "./Steps";

const PARTS = {
  bar: HunkBar,
  together: PlaceBar,
  steps: Steps,
  proposed: ProposedText,
  decided: DecidedRow,
  note: NoteCard,
};

let ahead: { page: FilePage; proof: Proof } | null = null;

/** An editor that shows a page. */
export function proofOf(page: FilePage): Proof {
  const made = ahead?.page === page ? ahead.proof : null;
  if (made) ahead = null;
  const goal = wanted.peek();
  return made ?? make(page, goal?.path === page.path && goal.line === null ? goal.hunk : null);
}

/** What is likely to be shown next is made ready, unless it is known by then that it is something else. */
export function prepareNext(): void {
  const { page = null, hunk = null } = place.expected.value ?? {};
  if (ahead && ahead.page !== page) {
    ahead.proof.destroy();
    ahead = null;
  }
  if (!page || page.live === null || page.too_large) return;
  whenIdle(() => {
    const isAwaited = place.expected.peek()?.page === page && place.page.peek() !== page && !ahead;
    if (isAwaited) ahead = { page, proof: make(page, hunk) };
  });
}

function make(page: FilePage, hunk: string | null): Proof {
  const options = {
    split: settings.isSplit.peek(),
    wrap: settings.isWrapped.peek(),
    look: lookNow(),
    parts: PARTS,
    onTyped: typed,
    onWish: startTyping,
    onMoved: (cursor: Cursor) => moved(cursor, page.path),
    onBlurred: left,
  };
  return new Proof(page, notes.peek(), options, hunk);
}

export function lookNow(): Look {
  return {
    plain: place.side.value === "final",
    hidden: hiddenGroups.value,
    lit: place.litGroup.value,
    hovered: place.hoveredGroup.value,
    words: settings.words.value,
    quietBlanks: settings.quietBlanks.value,
    allDecided: settings.allDecided.value,
    decidedHere: place.decidedHere.value,
    openSteps: place.openSteps.value,
  };
}

function moved(cursor: Cursor, path: string): void {
  // The editor of another file that is just being left, or not shown yet.
  if (place.openPath.peek() !== path) return;
  place.selectedLines.value = cursor.lines;
  const isElsewhere = place.currentLine.peek() !== cursor.line;
  place.currentLine.value = cursor.line;
  // A change to the whole file stands at no line: it stays the current one until the cursor goes elsewhere.
  if (cursor.hunk !== null || isElsewhere || !isOfWholeFile(place.currentHunk.peek()))
    place.currentHunk.value = cursor.hunk;
}

function isOfWholeFile(id: string | null): boolean {
  const hunk = place.page.peek()?.hunks.find(one => one.id === id);
  return hunk?.status === "pending" && concernsWholeFile(hunk);
}
