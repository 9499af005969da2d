/** The text of the open file, in the editor. */

import { effect, untracked } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { intoEditor } from "../acts/opening";
import { wanted } from "../acts/revealing";
import { left, save, typed } from "../acts/saving";
import type { Look } from "../editor/looking";
import { type Cursor, Proof } from "../editor/proof";
import * as place from "../state/place";
import { notes } from "../state/project";
import { proof, saving } from "../state/proof";
import * as settings from "../state/settings";

export function TextPane() {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const stops = [
      effect(() => showPage(box.current)),
      ...[showLook, showLayout, showNotes, showWanted].map(show => effect(show)),
    ];
    return () => {
      void save();
      for (const stop of stops) stop();
      proof.peek()?.destroy();
      proof.value = null;
    };
  }, []);
  return <div class="text-pane" ref={box} />;
}

/** Puts the page that is to be shown into the editor, or makes an editor for it. */
function showPage(box: HTMLElement | null): void {
  const found = place.page.value;
  if (!box || !found || found.live === null) return;
  untracked(() => {
    if (intoEditor(found)) return;
    proof.peek()?.destroy();
    proof.value = new Proof(box, found, notes.peek(), {
      split: settings.isSplit.peek(),
      wrap: settings.wrap.peek(),
      look: lookNow(),
      onTyped: typed,
      onMoved: moved,
      onBlurred: left,
    });
    saving.value = "saved";
  });
}

function lookNow(): Look {
  return {
    plain: place.side.value === "final",
    hidden: place.hiddenGroups.value,
    lit: place.litGroup.value,
    hovered: place.hoveredGroup.value,
    words: settings.words.value,
    quietBlanks: settings.quietBlanks.value,
    allDecided: settings.allDecided.value,
    decidedHere: place.decidedHere.value,
  };
}

function showLook(): void {
  const look = lookNow();
  const editor = proof.value;
  untracked(() => editor?.setLook(look));
}

function showLayout(): void {
  const split = settings.isSplit.value;
  const wrap = settings.wrap.value;
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

function showWanted(): void {
  const goal = wanted.value;
  const editor = proof.value;
  if (!goal || editor?.path !== place.openPath.value) return;
  untracked(() => {
    wanted.value = null;
    if (goal.hunk === null) return;
    if (!editor?.goTo(goal.hunk)) editor?.reveal(1);
    place.currentHunk.value = goal.hunk;
  });
}

function moved(cursor: Cursor): void {
  place.currentLine.value = cursor.line;
  place.selectedLines.value = cursor.lines;
  place.currentHunk.value = cursor.hunk;
}
