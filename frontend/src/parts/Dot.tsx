/** What is to be said about a file in one sign: its form says it, not only its colour. */

import type { Mark } from "../rules/ordering";

const SAID: Record<Mark, string> = {
  pending: "undecided",
  partly: "partly decided",
  done: "decided",
  rejected: "rejected",
  conflict: "conflict",
  changed: "changed since viewed",
};

export function Dot({ mark }: { mark: Mark }) {
  return (
    <span class={`dot dot-${mark}`} role="img" aria-label={SAID[mark]} title={SAID[mark]}>
      {mark === "done"
        ? "✓"
        : mark === "rejected"
          ? "✗"
          : mark === "conflict" || mark === "changed"
            ? "!"
            : ""}
    </span>
  );
}
