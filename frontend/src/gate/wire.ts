/** What is asked of the server about the gate. See docs/gate.md. */

import { address, get, post } from "../wire/client";
import type {
  EndedEvent,
  GateScreen,
  OverrideMade,
  ReviewEvent,
  ReviewedEvent,
  RunDocument,
  ShippedDocument,
  StoppedDocument,
  TrustDocument,
} from "../wire/contract";

/** One thing that happened in a review. */
export type Happened = ReviewEvent | ReviewedEvent | EndedEvent;

export const gate = () => get<GateScreen>("/api/gate");
export const trust = (digest: string) => post<TrustDocument>("/api/gate/trust", { digest });
export const startReview = () => post<RunDocument>("/api/review", {});
export const stopReview = () => post<StoppedDocument>("/api/review/stop", {});
export const previewShip = () => post<ShippedDocument>("/api/ship", { dry_run: true });
export const ship = (message: string) => post<ShippedDocument>("/api/ship", { message });
export const override = (reason: string, expires: string) =>
  post<OverrideMade>("/api/gate/override", { reason, expires });

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
