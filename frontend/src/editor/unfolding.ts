/** What can be asked of folds. */

import { StateEffect } from "@codemirror/state";

/** A fold gives lines back: some at its upper or lower end, or all of them. */
export const unfold = StateEffect.define<{ position: number; part: "above" | "below" | "all" }>();
export const unfoldAll = StateEffect.define<null>();
/** Fold again as if the file had just been opened. */
export const refold = StateEffect.define<null>();
