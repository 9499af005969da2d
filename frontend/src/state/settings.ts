/** How the person wants the workbench to look and behave. */

import { computed, signal } from "@preact/signals";
import type { Order } from "../rules/ordering";
import { stored } from "./stored";

export type Theme = "system" | "light" | "dark" | "contrast";
export type Layout = "auto" | "unified" | "split";
export type Advance = "anywhere" | "file" | "stay";

export const theme = stored<Theme>("theme", "system");
export const layout = stored<Layout>("layout", "auto");
/** Where to go after a decision. */
export const advance = stored<Advance>("advance", "anywhere");
export const wrap = stored("wrap", false);
export const words = stored("words", true);
/** Changes in blanks alone are not marked. */
export const quietBlanks = stored("quiet-blanks", false);
/** New changes in the open file are shown as they arrive, even where somebody reads. */
export const follow = stored("follow", false);
/** Keys without Ctrl or Alt do something. */
export const letterKeys = stored("letter-keys", true);
export const order = stored<Order>("order", "smart");
export const filesShown = stored("files-shown", true);
export const groupsShown = stored("groups-shown", true);
/** In pixels; zero is as the style sheet has it. */
export const filesWidth = stored("files-width", 0);
export const groupsWidth = stored("groups-width", 0);
/** All that was ever decided has a row in the editor, not only what was decided just now. */
export const allDecided = stored("all-decided", false);

const NARROW = matchMedia("(max-width: 760px)");
const WIDE_ENOUGH_FOR_TWO = matchMedia("(min-width: 1500px)");
const DARK = matchMedia("(prefers-color-scheme: dark)");
const CONTRAST = matchMedia("(prefers-contrast: more)");

function following(query: MediaQueryList) {
  const matches = signal(query.matches);
  query.addEventListener("change", () => (matches.value = query.matches));
  return matches;
}

/** Phones and narrow windows get the stream. */
export const isNarrow = following(NARROW);
const isWide = following(WIDE_ENOUGH_FOR_TWO);
const prefersDark = following(DARK);
const prefersContrast = following(CONTRAST);

export const isSplit = computed(() =>
  layout.value === "auto" ? isWide.value && !isNarrow.value : layout.value === "split",
);

/** There is no room to go sideways on a narrow screen. */
export const isWrapped = computed(() => wrap.value || isNarrow.value);

/** The colours that are used now. */
export const shownTheme = computed<Exclude<Theme, "system">>(() => {
  if (theme.value !== "system") return theme.value;
  if (prefersContrast.value) return "contrast";
  return prefersDark.value ? "dark" : "light";
});
