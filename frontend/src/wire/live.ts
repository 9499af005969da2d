/**
 * News from the server as it happens. One tab of the browser listens and tells the others: a browser opens only
 * a few connections to one server, and each stream would hold one for good.
 */

import { chatNews } from "../chat/news";
import { address } from "./client";
import type { AskedDocument, ChatNews, FailureDocument, NewsDocument } from "./contract";

export type Connection = "live" | "away" | "foreign";

/** What one tab tells the others. One that begins to listen says hello, and hears what was said last. */
type Message =
  | { news: NewsDocument }
  | { chat: ChatNews }
  | { asked: AskedDocument }
  | { connection: Connection }
  | { failure: FailureDocument }
  | { hello: true };

interface Listener {
  /** The number of the last event that this page knows. */
  after: () => number;
  onNews: (news: NewsDocument) => void;
  onConnection: (connection: Connection) => void;
  /** At a hub: what people asked of the machine. */
  onAsked: (asked: AskedDocument) => void;
  /** The server cannot open the project just now. */
  onFailure: (failure: FailureDocument) => void;
}

const FIRST_WAIT = 250;
const LONGEST_WAIT = 2000;
/** The server says something every 15 seconds. A stream that is silent for longer is dead. */
const SILENCE = 40_000;

export function listen(project: string, listener: Listener): void {
  const name = `blueline ${project}`;
  const channel = new BroadcastChannel(name);
  let last: Message | null = null;
  let lastAsked: Message | null = null;
  const take = (message: Message) => {
    if ("hello" in message) {
      if (last) channel.postMessage(last);
      if (lastAsked) channel.postMessage(lastAsked);
    } else if ("news" in message) listener.onNews(message.news);
    else if ("chat" in message) chatNews.value = message.chat;
    else if ("asked" in message) listener.onAsked(message.asked);
    else if ("failure" in message) listener.onFailure(message.failure);
    else listener.onConnection(message.connection);
  };
  channel.onmessage = event => take(event.data as Message);
  channel.postMessage({ hello: true } satisfies Message);
  void navigator.locks.request(name, () =>
    stream(listener.after, message => {
      if ("news" in message) last = message;
      if ("asked" in message) lastAsked = message;
      take(message);
      channel.postMessage(message);
    }),
  );
}

/** Never ends: the lock is let go when the tab is closed. */
async function stream(after: () => number, tell: (message: Message) => void): Promise<never> {
  let wait = FIRST_WAIT;
  for (;;) {
    const answer = await once(after(), message => {
      wait = FIRST_WAIT;
      tell(message);
    });
    tell({ connection: answer });
    await new Promise(resolve => setTimeout(resolve, wait));
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }
}

/** One connection, from its beginning to its end; why it ended. */
async function once(after: number, tell: (message: Message) => void): Promise<Connection> {
  const abort = new AbortController();
  let silence = setTimeout(() => abort.abort(), SILENCE);
  try {
    const response = await fetch(address("/api/events", { after: String(after) }), {
      cache: "no-store",
      signal: abort.signal,
    });
    if (response.status === 401) return "foreign";
    if (!response.ok || !response.body) return "away";
    tell({ connection: "live" });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return "away";
      clearTimeout(silence);
      silence = setTimeout(() => abort.abort(), SILENCE);
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const data = fieldOf(block, "data");
        if (!data) continue;
        if (fieldOf(block, "event") === "failed") tell({ failure: JSON.parse(data) as FailureDocument });
        else if (fieldOf(block, "event") === "asked") tell({ asked: JSON.parse(data) as AskedDocument });
        else if (fieldOf(block, "event") === "chat") tell({ chat: JSON.parse(data) as ChatNews });
        else tell({ news: JSON.parse(data) as NewsDocument });
      }
    }
  } catch {
    return "away";
  } finally {
    clearTimeout(silence);
    abort.abort();
  }
}

function fieldOf(block: string, name: string): string {
  const lines = block.split("\n").filter(line => line.startsWith(`${name}:`));
  return lines.map(line => line.slice(name.length + 1).trimStart()).join("\n");
}
