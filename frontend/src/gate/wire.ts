/** What the server says of the gate, and what is asked of it. See docs/gate.md. */

import { address, get, post } from "../wire/client";

export interface Issue {
  severity: "error" | "warning";
  message: string;
  file?: string;
  line?: number;
}

export interface LoopDocument {
  loop: number;
  name: string;
  passed: boolean;
  state: "passed" | "failed" | "missing" | "partial" | "unreported" | "skipped";
  issues: Issue[];
  at: string | null;
  by: string | null;
  needs: string[];
  commands: string[];
  report: boolean;
  skip: string;
}

export interface Reason {
  code: string;
  message: string;
  hint: string;
  about?: string[];
  loop?: number;
}

export interface Override {
  id: string;
  by: string;
  reason: string;
  at: string;
  expires: string;
}

export interface GateDocument {
  open: boolean;
  tree: string | null;
  head: string | null;
  config: string;
  reasons: Reason[];
  loops: LoopDocument[];
  override: Override | null;
  trusted: boolean;
  review: { run: number; running: boolean } | null;
}

export interface Shipped {
  branch: string;
  remote: string;
  message: string;
  commit: string | null;
  pushed: boolean;
  pull_request: string | null;
  notes: string[];
}

/** One thing that happened in a review. */
export interface Happened {
  event: string;
  loop?: number;
  run?: string;
  text?: string;
  passed?: boolean;
  seconds?: number;
  why?: string;
  error?: string;
  code?: number;
}

export const gate = () => get<GateDocument>("/api/gate");
export const trust = (digest: string) => post<object>("/api/gate/trust", { digest });
export const startReview = () => post<{ run: number }>("/api/review", {});
export const stopReview = () => post<object>("/api/review/stop", {});
export const previewShip = () => post<Shipped>("/api/ship", { dry_run: true });
export const ship = (message: string) => post<Shipped>("/api/ship", { message });
export const override = (reason: string, expires: string) =>
  post<GateDocument>("/api/gate/override", { reason, expires });

/** Everything that the review under way says, from its beginning; done when it is. */
export async function follow(tell: (happened: Happened) => void): Promise<void> {
  const response = await fetch(address("/api/review/events"), { cache: "no-store" });
  if (!response.ok || !response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) if (part.startsWith("data: ")) tell(JSON.parse(part.slice(6)) as Happened);
  }
}
