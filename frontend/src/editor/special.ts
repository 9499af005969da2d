/** Characters that do not print are drawn as their names, so that no text can hide or reorder another. */

import type { Extension } from "@codemirror/state";
import { highlightSpecialChars } from "@codemirror/view";
import { HIDDEN_IN_TEXT, spelled } from "../rules/visible";

export const specialCharacters: Extension = highlightSpecialChars({
  specialChars: HIDDEN_IN_TEXT,
  render(code) {
    const drawn = document.createElement("span");
    drawn.className = "unseen";
    drawn.textContent = spelled(String.fromCodePoint(code));
    return drawn;
  },
});
