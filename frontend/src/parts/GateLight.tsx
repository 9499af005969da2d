/** Whether what is here may ship. */

import { counted } from "../rules/counting";
import { openDialog } from "../state/dialogs";
import { overview } from "../state/project";

export function GateLight() {
  const gate = overview.value?.gate;
  if (!gate) return null;
  const why = gate.override ? "overridden" : gate.open ? "" : counted(gate.reasons.length, "reason");
  return (
    <button
      type="button"
      class={`gate-light ${gate.open ? "open" : "closed"} ${gate.override ? "overridden" : ""}`}
      title={gate.reasons.map(reason => reason.message).join("\n") || "Reviewed, and everything is decided"}
      onClick={() => openDialog({ kind: "gate" })}
    >
      <span class="lamp" aria-hidden="true">
        {gate.open ? "✓" : "✗"}
      </span>
      Gate {gate.open ? "open" : "closed"}
      {why && <span class="why">{why}</span>}
    </button>
  );
}
