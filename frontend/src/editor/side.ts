/** Whether the baseline stands beside the text, so that what went need not be drawn in it. */

import { Facet } from "@codemirror/state";

export const isBeside = Facet.define<boolean, boolean>({ combine: values => values.includes(true) });
