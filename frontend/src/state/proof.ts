/** The editor, as long as a text is open in it. */

import { signal } from "@preact/signals";
import type { Proof } from "../editor/proof";

export const proof = signal<Proof | null>(null);
/** Letters are text. Otherwise they are commands, and nothing can be typed. */
export const isTyping = signal(false);
/** What became of what was typed. */
export const saving = signal<"saved" | "typing" | "sending" | "away" | "refused">("saved");
/** Why it was refused. */
export const refusal = signal("");
