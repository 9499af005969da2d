/** Listens to keys. Letters do nothing while somebody types. */

import { isAllowed, needOf, whyNot } from "../hub/allowed";
import { dialog } from "../state/dialogs";
import { say } from "../state/messages";
import { letterKeys } from "../state/settings";
import { commandOfKeys, prefixes } from "./bindings";
import { commands } from "./commands";

const PAIR_MS = 1500;

let first: { key: string; at: number } | null = null;

export function listenToKeys(): void {
  document.addEventListener("keydown", onKey, { capture: true });
}

/** How a key is called in the bindings: letters by what they write, others with all that is held down. */
export function nameOf(event: KeyboardEvent): string {
  const control = event.ctrlKey || event.metaKey;
  const isLetter = event.key.length === 1;
  const shift = event.shiftKey && (!isLetter || control);
  const name = isLetter && control ? event.key.toLowerCase() : event.key;
  return [control && "Ctrl", event.altKey && "Alt", shift && "Shift", name].filter(Boolean).join("+");
}

function onKey(event: KeyboardEvent): void {
  if (event.isComposing || event.defaultPrevented || dialog.peek()) return;
  const name = nameOf(event);
  if (!isMeant(event, name)) return;
  const pair = first && Date.now() - first.at < PAIR_MS ? `${first.key} ${name}` : null;
  first = null;
  const id = (pair && commandOfKeys.peek().get(pair)) ?? commandOfKeys.peek().get(name);
  const found = commands.find(command => command.id === id);
  if (found) {
    event.preventDefault();
    event.stopPropagation();
    const need = needOf(found.id);
    if (need && !isAllowed(need)) say(whyNot(need));
    else found.run();
  } else if (prefixes.peek().has(name)) {
    event.preventDefault();
    first = { key: name, at: Date.now() };
  }
}

/** Whether a key is for us, and not for a field, a button or a list that has the focus. */
function isMeant(event: KeyboardEvent, name: string): boolean {
  const target = event.target instanceof HTMLElement ? event.target : null;
  // Also before the focus is in it: it opens first.
  if (document.querySelector("[role=menu]:popover-open")) return false;
  const hasControl = event.ctrlKey || event.metaKey;
  if (target?.matches("input, textarea, select") || target?.isContentEditable) {
    return hasControl ? name !== "Ctrl+Enter" : name === "Escape";
  }
  if (hasControl || name === "Escape") return true;
  if (!letterKeys.peek()) return false;
  const isPlain = event.key.length === 1 && event.key !== " ";
  const isFree = !target?.closest("button, a, [role=treeitem], [role=tab], [role=radio], [role=separator]");
  return isPlain || isFree;
}
