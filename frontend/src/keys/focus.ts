/** Moving the focus between the parts of the page. */

import { openSearchPanel } from "@codemirror/search";
import { focusHome } from "../acts/home";
import { stopTyping } from "../acts/typing";
import { litGroup, openedInNarrow, selectedLines, side } from "../state/place";
import { isTyping, proof } from "../state/proof";
import { dropQuestion, question } from "../state/question";
import { filesShown, groupsShown } from "../state/settings";

type Place = "files" | "editor" | "groups" | "filter";

/** Where the focus goes, best first. */
const SELECTORS: Record<Place, string[]> = {
  files: ["[data-rail=files] [role=treeitem][tabindex='0']", "[data-rail=files] [role=treeitem]"],
  editor: ["[data-home]"],
  groups: ["[data-rail=groups] [role=treeitem][tabindex='0']", "[data-rail=groups] [role=tab][tabindex='0']"],
  filter: [".files-rail .filter"],
};

export function focusRail(place: Place): void {
  if (place === "files" || place === "filter") filesShown.value = true;
  if (place === "groups") groupsShown.value = true;
  // What was just made to appear is drawn a moment later; the next key must not come before what is there.
  if (!focusOn(place)) requestAnimationFrame(() => focusOn(place));
}

function focusOn(place: Place): boolean {
  const found = SELECTORS[place].map(selector => document.querySelector<HTMLElement>(selector));
  const best = found.find(element => element !== null);
  best?.focus();
  return best !== undefined;
}

export function find(): void {
  const editor = proof.peek();
  if (editor) openSearchPanel(editor.view);
}

/** Out of what is open, one step each time: typing, a selection, a group, another side. */
export function goBack(): void {
  const active = document.activeElement;
  const isElsewhere = active !== document.body && !active?.matches("[data-home], [data-text=open]");
  if (question.peek()) {
    dropQuestion();
    focusHome();
  } else if (isElsewhere) focusHome();
  else if (isTyping.peek()) stopTyping();
  else if (selectedLines.peek()) proof.peek()?.unselect();
  else if (litGroup.peek() !== null) litGroup.value = null;
  else if (side.peek() !== "diff") side.value = "diff";
  else openedInNarrow.value = false;
}
