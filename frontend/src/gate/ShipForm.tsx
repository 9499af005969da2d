/** What would be shipped, where to, and with which words. */

import { useState } from "preact/hooks";
import { Shown } from "../parts/Shown";
import { isShipping, ship } from "./state";
import type { ShippedDocument } from "../wire/contract";

export function ShipForm({ proposal }: { proposal: ShippedDocument }) {
  const [message, setMessage] = useState(proposal.message);
  return (
    <form
      class="ship"
      method="dialog"
      onSubmit={event => {
        event.preventDefault();
        void ship(message);
      }}
    >
      <label>
        Message of the commit
        <textarea
          class="note-field"
          rows={6}
          value={message}
          onInput={event => setMessage(event.currentTarget.value)}
        />
      </label>
      <div class="sheet-verbs">
        <button type="submit" class="button main accept" disabled={isShipping.value || !message.trim()}>
          {isShipping.value ? (
            "Shipping…"
          ) : (
            <>
              Ship to <Shown text={`${proposal.remote || "no remote"}/${proposal.branch}`} />
            </>
          )}
        </button>
      </div>
    </form>
  );
}
