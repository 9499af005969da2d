/** How the sheet is to be drawn: which groups are hidden, lit or pointed at, and what is marked at all. */

import { StateEffect, StateField } from "@codemirror/state";
import type { FileHunkDocument } from "../wire/contract";

export interface Look {
  /** As it will be, without any marks. */
  plain: boolean;
  /** Turns, sub-agents and calls whose hunks are drawn as ordinary text. */
  hidden: ReadonlySet<string>;
  /** The group besides which all is dimmed. */
  lit: string | null;
  hovered: string | null;
  words: boolean;
  quietBlanks: boolean;
  allDecided: boolean;
  decidedHere: ReadonlySet<string>;
  /** Places whose steps are shown, by their first hunk. */
  openSteps: ReadonlySet<string>;
}

export const EVERYTHING: Look = {
  plain: false,
  hidden: new Set(),
  lit: null,
  hovered: null,
  words: true,
  quietBlanks: false,
  allDecided: false,
  decidedHere: new Set(),
  openSteps: new Set(),
};

export function isSameLook(a: Look, b: Look): boolean {
  return (Object.keys(a) as (keyof Look)[]).every(name => a[name] === b[name]);
}

export const setLook = StateEffect.define<Look>();

export const lookField = StateField.define<Look>({
  create: () => EVERYTHING,
  update(look, transaction) {
    for (const effect of transaction.effects) if (effect.is(setLook)) look = effect.value;
    return look;
  },
});

export function isHidden(look: Look, hunk: FileHunkDocument): boolean {
  return look.plain || [hunk.turn, hunk.subagent, hunk.call].some(group => look.hidden.has(group ?? ""));
}

/** A region is changed in nothing but blanks, and the person does not want to see that. */
export function isQuiet(look: Look, gone: string, now: string): boolean {
  return look.quietBlanks && gone.replace(/\s+/g, "") === now.replace(/\s+/g, "");
}
