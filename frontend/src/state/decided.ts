/** What was decided while this page was open: it keeps a row where it stood. */

import { signal } from "@preact/signals";

/** By decision, the reason that was given for it here. */
export const reasonsGiven = signal<ReadonlyMap<string, string>>(new Map());
