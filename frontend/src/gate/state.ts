/** What the page knows of the gate. */

import { signal } from "@preact/signals";
import { refresh } from "../acts/refreshing";
import { say, warn } from "../state/messages";
import { overview } from "../state/project";
import { Refusal } from "../wire/client";
import type { GateScreen, ShippedDocument } from "../wire/contract";
import * as server from "./wire";

export const gate = signal<GateScreen | null>(null);

export interface Progress {
  loop: number;
  command: string;
  line: string;
  isRunning: boolean;
  error: string;
}

export const progress = signal<Progress | null>(null);
export const proposal = signal<ShippedDocument | null>(null);
export const shipped = signal<ShippedDocument | null>(null);
export const isShipping = signal(false);

let isFollowing = false;

// Any file counts for the gate, also one that no agent ever touched, of which there is no news. Whoever comes back
// from an editor sees how things are by then.
addEventListener("focus", () => {
  if (overview.peek()) void refresh();
});

/** Asks the gate; takes a review up that is under way. */
export async function look(): Promise<void> {
  await attempt(async () => {
    gate.value = await server.gate();
    if (gate.value.review?.running) void follow();
  });
}

export async function runReview(): Promise<void> {
  await attempt(async () => {
    await server.startReview();
    shipped.value = null;
    await follow();
  });
}

async function follow(): Promise<void> {
  if (isFollowing) return;
  isFollowing = true;
  progress.value = { loop: 0, command: "", line: "", isRunning: true, error: "" };
  try {
    await server.follow(take);
  } finally {
    isFollowing = false;
    progress.value = { ...current(), isRunning: false };
    await look();
    void refresh();
  }
}

function current(): Progress {
  return progress.peek() ?? { loop: 0, command: "", line: "", isRunning: false, error: "" };
}

function take(happened: server.Happened): void {
  const before = current();
  switch (happened.event) {
    case "loop-started":
      progress.value = { ...before, loop: happened.loop ?? 0, command: "", line: "" };
      return;
    case "command-started":
      progress.value = { ...before, command: happened.run ?? "", line: "" };
      return;
    case "line":
      progress.value = { ...before, line: happened.text ?? "" };
      return;
    case "loop-ended":
      void server.gate().then(found => (gate.value = found));
      return;
    case "ended":
      progress.value = { ...before, error: happened.error ?? "" };
  }
}

export async function trust(): Promise<void> {
  const digest = gate.peek()?.config;
  if (digest === undefined) return;
  await attempt(async () => {
    await server.trust(digest);
    await look();
  });
}

export async function prepareShip(): Promise<void> {
  await attempt(async () => {
    proposal.value = await server.previewShip();
  });
}

export async function ship(message: string): Promise<void> {
  isShipping.value = true;
  await attempt(async () => {
    shipped.value = await server.ship(message);
    proposal.value = null;
    const { remote, branch, pushed, committed } = shipped.value;
    const where = `${remote || "no remote"}/${branch}`;
    say(pushed || committed ? `Shipped to ${where}` : `Nothing to ship: ${where} has all of it`);
  });
  isShipping.value = false;
  await look();
  void refresh();
}

export async function override(reason: string, expires: string): Promise<boolean> {
  const isDone = await attempt(async () => {
    await server.override(reason, expires);
    await look();
  });
  void refresh();
  return isDone;
}

async function attempt(act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    warn(error.message, error.hint);
    await server.gate().then(
      found => (gate.value = found),
      () => undefined,
    );
    return false;
  }
}
