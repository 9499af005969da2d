/** The text of the open file, in the editor. */

import { effect, untracked } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { intoEditor } from "../acts/opening";
import { wanted } from "../acts/revealing";
import { leave, left, typed } from "../acts/saving";
import { startTyping } from "../acts/typing";
import type { Look } from "../editor/looking";
import { type Cursor, Proof } from "../editor/proof";
import { concernsWholeFile } from "../rules/regions";
import { hiddenGroups } from "../state/hiding";
import * as place from "../state/place";
import { notes } from "../state/project";
import { question } from "../state/question";
import { isTyping, proof } from "../state/proof";
import * as settings from "../state/settings";
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

export function TextPane({ path }: { path: string }) {
  const box = useRef<HTMLDivElement>(null);
  // Not after the next drawing: till then the editor of a file that was left would take what is meant for the next.
  useLayoutEffect(() => {
    const stops = [
      effect(() => showPage(box.current, path)),
      ...[showTyping, showLook, showLayout, showNotes, showWanted, showQuestion].map(show => effect(show)),
    ];
    return () => {
      for (const stop of stops) stop();
      leave();
    };
  }, []);
  return <div class="text-pane" ref={box} />;
}

/** Puts the page that is to be shown into the editor, or makes an editor for it. */
function showPage(box: HTMLElement | null, path: string): void {
  const found = place.page.value;
  if (!box || found?.path !== path || found.live === null) return;
  untracked(() => {
    if (intoEditor(found)) return;
    leave();
    proof.value = new Proof(box, found, notes.peek(), {
      split: settings.isSplit.peek(),
      wrap: settings.isWrapped.peek(),
      look: lookNow(),
      parts: PARTS,
      onTyped: typed,
      onWish: startTyping,
      onMoved: cursor => moved(cursor, path),
      onBlurred: left,
    });
  });
}

function lookNow(): Look {
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

function showLook(): void {
  const look = lookNow();
  const editor = proof.value;
  untracked(() => editor?.setLook(look));
}

function showTyping(): void {
  const editor = proof.value;
  editor?.setTyping(isTyping.value);
}

function showLayout(): void {
  const split = settings.isSplit.value;
  const wrap = settings.isWrapped.value;
  const editor = proof.value;
  untracked(() => {
    editor?.arrange(split);
    editor?.setWrap(wrap);
  });
}

function showNotes(): void {
  const written = notes.value;
  const editor = proof.value;
  untracked(() => editor?.showNotes(written));
}

function showQuestion(): void {
  const hunk = question.value?.hunk;
  const editor = proof.value;
  // After it was drawn.
  if (editor) requestAnimationFrame(() => hunk === question.peek()?.hunk && editor.measure());
}

function showWanted(): void {
  const goal = wanted.value;
  const editor = proof.value;
  if (!goal || editor?.path !== goal.path) return;
  untracked(() => {
    wanted.value = null;
    if (goal.line !== null) editor.reveal(goal.line);
    if (goal.hunk === null) return;
    if (!editor.goTo(goal.hunk) && goal.line === null) editor.reveal(1);
    place.currentHunk.value = goal.hunk;
  });
}

function moved(cursor: Cursor, path: string): void {
  // The editor of another file that is just being left.
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
