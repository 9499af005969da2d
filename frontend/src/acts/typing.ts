/** Going from reviewing to typing and back: letters are commands, or text. */

import { isAllowed, whyNot } from "../hub/allowed";
import { announce, say } from "../state/messages";
import { isTyping, proof } from "../state/proof";
import { focusHome } from "./home";
import { left } from "./saving";

export function startTyping(): void {
  const editor = proof.peek();
  if (!isAllowed("write")) return say(whyNot("write"));
  if (!editor) {
    say("There is no text to type in here.");
    return;
  }
  isTyping.value = true;
  editor.focus();
  announce("Typing. Escape goes back to reviewing.");
}

/** What was typed is saved, and the keys decide again. */
export function stopTyping(): void {
  if (!isTyping.peek()) return;
  isTyping.value = false;
  focusHome();
  left();
  announce("Reviewing.");
}
