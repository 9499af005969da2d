/** The editor, as long as a text is open in it. */

import { signal } from "@preact/signals";
import type { Proof } from "../editor/proof";

export const proof = signal<Proof | null>(null);
/** What became of what was typed. */
export const saving = signal<"saved" | "typing" | "sending" | "away" | "refused">("saved");
/** Why it was refused. */
export const refusal = signal("");
