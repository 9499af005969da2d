/** How far conversations have come, as the live channel says. */

import { signal } from "@preact/signals";

export interface ChatNews {
  conversations: Record<string, number>;
}

export const chatNews = signal<ChatNews | null>(null);
