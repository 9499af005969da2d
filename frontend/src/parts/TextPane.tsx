/** The text of the open file, in the editor. */

import { effect, untracked } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { intoEditor } from "../acts/opening";
import { wanted } from "../acts/revealing";
import { leave } from "../acts/saving";
import * as place from "../state/place";
import { notes } from "../state/project";
import { question } from "../state/question";
import { isTyping, proof } from "../state/proof";
import * as settings from "../state/settings";
import { lookNow, prepareNext, proofOf } from "./proofs";

export function TextPane({ path }: { path: string }) {
  const box = useRef<HTMLDivElement>(null);
  // Not after the next drawing: till then the editor of a file that was left would take what is meant for the next.
  useLayoutEffect(() => {
    const stops = [
      effect(() => showPage(box.current, path)),
      ...[showTyping, showLook, showLayout, showNotes, showWanted, showQuestion, prepareNext].map(show =>
        effect(show),
      ),
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
    const made = proofOf(found);
    made.appear(box);
    proof.value = made;
  });
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
    // What is gone to may have come with a newer page, which is shown by another effect.
    const found = place.page.peek();
    if (found) intoEditor(found);
    if (goal.line !== null) editor.reveal(goal.line);
    if (goal.hunk === null) return;
    if (!editor.goTo(goal.hunk) && goal.line === null) editor.reveal(1);
    place.currentHunk.value = goal.hunk;
  });
}
