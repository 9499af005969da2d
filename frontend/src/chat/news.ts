/** How far conversations have come, as the live channel says. */

import { signal } from "@preact/signals";
import type { ChatNews } from "../wire/contract";

export const chatNews = signal<ChatNews | null>(null);
