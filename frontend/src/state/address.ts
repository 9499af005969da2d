/** The address of the page says where the person is, behind its #: a reload, back and forward come back to it. */

import { escaped, unescaped } from "../wire/escaping";

export interface Place {
  /** Null is the list of changes. */
  path: string | null;
  hunk: string | null;
  line: number | null;
}

/** A cursor that moves on does not write the address with every line. */
const PAUSE_MS = 250;

let waiting: ReturnType<typeof setTimeout> | undefined;
let isReturning = false;

export function addressOf({ path, hunk, line }: Place): string {
  const parts = [
    path === null ? "list" : `file=${escaped(path).replaceAll("%2F", "/")}`,
    line !== null && `line=${line}`,
    hunk !== null && `change=${hunk}`,
  ];
  return `#${parts.filter(Boolean).join("&")}`;
}

/** What an address names; null if that is no place. */
export function placeAt(hash: string): Place | null {
  const found = new Map<string, string>();
  for (const part of hash.slice(1).split("&")) {
    const [name = "", ...value] = part.split("=");
    found.set(name, unescaped(value.join("=")));
  }
  if (!found.get("file") && !found.has("list")) return null;
  return {
    path: found.get("file") || null,
    hunk: found.get("change") || null,
    line: Number(found.get("line")) || null,
  };
}

/** The person went somewhere: back leads to where they were. */
export function visit(place: Place): void {
  clearTimeout(waiting);
  const address = addressOf(place);
  if (address === location.hash) return;
  if (isReturning || !location.hash) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
}

/** The person moved on a little where they are. */
export function stay(place: Place): void {
  clearTimeout(waiting);
  waiting = setTimeout(() => history.replaceState(null, "", addressOf(place)), PAUSE_MS);
}

/** Goes to where the address says; that is no new visit. */
export async function returning(go: () => Promise<void>): Promise<void> {
  isReturning = true;
  try {
    await go();
  } finally {
    isReturning = false;
  }
}
