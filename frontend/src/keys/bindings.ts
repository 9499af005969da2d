/** Which keys do what: a preset, and what the person changed of it. */

import { computed } from "@preact/signals";
import { stored } from "../state/stored";

export type Preset = "gerrit" | "tui";

/** Keys of one command, each a chord or two keys one after the other. */
type Bindings = Record<string, string[]>;

const GERRIT: Bindings = {
  "next-hunk": ["n"],
  "previous-hunk": ["p"],
  "next-line": ["j", "ArrowDown"],
  "previous-line": ["k", "ArrowUp"],
  "select-down": ["J", "Shift+ArrowDown"],
  "select-up": ["K", "Shift+ArrowUp"],
  "next-file": ["]"],
  "previous-file": ["["],
  "next-turn": ["}"],
  "previous-turn": ["{"],
  "next-note": ["N"],
  "previous-note": ["P"],
  centre: ["."],
  search: ["/"],
  accept: ["a"],
  reject: ["x"],
  "accept-file": ["A"],
  "reject-file": ["X"],
  "accept-group": ["g a"],
  "reject-group": ["g x"],
  "accept-turn": ["Ctrl+Shift+Enter"],
  "reject-turn": ["Ctrl+Shift+Backspace"],
  undo: ["u"],
  redo: ["U"],
  split: ["s"],
  viewed: ["v"],
  "viewed-next": ["V"],
  note: ["c"],
  "note-file": ["C"],
  why: ["b"],
  edit: ["e", "Enter"],
  side: ["f"],
  layout: ["m"],
  wrap: ["w"],
  words: ["W"],
  blanks: ["\\"],
  context: ["z"],
  "whole-file": ["Z"],
  fold: ["o"],
  decided: ["O"],
  reload: ["r"],
  stream: ["l"],
  filter: ["t"],
  files: ["1"],
  editor: ["2"],
  groups: ["3", "g g"],
  timeline: ["g t"],
  moments: ["g h"],
  notes: ["g n"],
  chat: ["g c"],
  task: ["g k"],
  gate: ["g s", "Ctrl+Enter"],
  inbox: ["g i"],
  palette: ["Ctrl+k"],
  help: ["?"],
  back: ["q", "Escape"],
};

const TUI: Bindings = {
  ...GERRIT,
  "next-hunk": ["]", "n"],
  "previous-hunk": ["[", "p"],
  "next-file": ["}"],
  "previous-file": ["{"],
  "next-turn": ["g ]"],
  "previous-turn": ["g ["],
  accept: [" ", "a"],
};

const PRESETS: Record<Preset, Bindings> = { gerrit: GERRIT, tui: TUI };

/** The browser needs these itself. */
export const FORBIDDEN = new Set(["Ctrl+n", "Ctrl+w", "Ctrl+t", "Ctrl+d", "Ctrl+y", "Ctrl+s"]);

export const preset = stored<Preset>("keys-preset", "gerrit");
const own = stored<Bindings>("keys", {});

export const bindings = computed<Bindings>(() => ({ ...PRESETS[preset.value], ...own.value }));

/** By key, the command that it means. */
export const commandOfKeys = computed(
  () => new Map(Object.entries(bindings.value).flatMap(([id, keys]) => keys.map(key => [key, id]))),
);

/** First keys of two. */
export const prefixes = computed(
  () => new Set([...commandOfKeys.value.keys()].filter(isPair).map(keys => keys.split(" ")[0] as string)),
);

function isPair(keys: string): boolean {
  return keys.length > 1 && keys.includes(" ");
}

/** Gives a command another key, and takes it away from the one that had it. */
export function bind(id: string, keys: string): void {
  const others = Object.entries(bindings.peek()).filter(
    ([other, known]) => other !== id && known.includes(keys),
  );
  const freed = others.map(([other, known]) => [other, known.filter(one => one !== keys)] as const);
  own.value = { ...own.peek(), ...Object.fromEntries(freed), [id]: [keys] };
}

export function forgetBindings(): void {
  own.value = {};
}

const NAMES: Record<string, string> = { " ": "Space", ArrowDown: "↓", ArrowUp: "↑", Escape: "Esc" };

/** A key as it is written on the page. */
export function spelledKeys(keys: string): string {
  if (keys === " ") return "Space";
  return keys
    .replace(/[A-Z][a-zA-Z]+$/, name => NAMES[name] ?? name)
    .replace(/\+([a-z])$/, (_, letter: string) => `+${letter.toUpperCase()}`);
}

/** The first key of a command, for tooltips. */
export function keysFor(id: string): string {
  return spelledKeys(bindings.value[id]?.[0] ?? "");
}
