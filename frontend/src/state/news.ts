/** The last message of the live channel, for panels that keep something of their own up to date. */

import { signal } from "@preact/signals";
import type { NewsDocument } from "../wire/contract";

export const news = signal<NewsDocument | null>(null);
