/** Opening the gate all the same: with a reason, for a while, and for all to see. */

import { useState } from "preact/hooks";
import { override } from "./state";

const SPANS = { "1h": "for an hour", "8h": "for eight hours", "3d": "for three days" };

export function OverrideForm() {
  const [reason, setReason] = useState("");
  const [span, setSpan] = useState("1h");
  return (
    <details class="override-form">
      <summary>Override…</summary>
      <form
        method="dialog"
        onSubmit={event => {
          event.preventDefault();
          void override(reason, span).then(isDone => {
            if (isDone) setReason("");
          });
        }}
      >
        <input
          class="line-field"
          aria-label="Reason for the override"
          placeholder="Reason, which everybody will see"
          value={reason}
          onInput={event => setReason(event.currentTarget.value)}
        />
        <select aria-label="How long" value={span} onChange={event => setSpan(event.currentTarget.value)}>
          {Object.entries(SPANS).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
        <button type="submit" class="button reject" disabled={!reason.trim()}>
          Override the gate
        </button>
      </form>
    </details>
  );
}
