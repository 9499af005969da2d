/** Whether what is here may ship. */

import { isAllowed } from "../hub/allowed";
import { counted } from "../rules/counting";
import { openDialog } from "../state/dialogs";
import { isWaiting } from "../rules/waiting";
import { overview } from "../state/project";

export function GateLight() {
  const gate = overview.value?.gate;
  if (!gate) return null;
  const why = gate.override ? "overridden" : gate.open ? "" : counted(gate.reasons.length, "reason");
  const waits = gate.reasons.every(isWaiting);
  if (!isAllowed("write")) {
    return (
      <span class="gate-elsewhere hint" title={gate.reasons.map(reason => reason.message).join("\n")}>
        Gate: on the machine
      </span>
    );
  }
  return (
    <button
      type="button"
      class={`gate-light ${gate.open ? "open" : waits ? "closed waiting" : "closed"} ${gate.override ? "overridden" : ""}`}
      title={gate.reasons.map(reason => reason.message).join("\n") || "Reviewed, and everything is decided"}
      onClick={() => openDialog({ kind: "gate" })}
    >
      <span class="lamp" aria-hidden="true">
        {gate.open ? "✓" : waits ? "○" : "✗"}
      </span>
      Gate {gate.open ? "open" : "closed"}
      {why && <span class="why">{why}</span>}
    </button>
  );
}
