/** The last message of the live channel, for panels that keep something of their own up to date. */

import { signal } from "@preact/signals";
import type { News } from "../wire/documents";

export const news = signal<News | null>(null);
