/** The last line: how edits arrive, what became of typing, and whether the server is there. */

import { setMode } from "../acts/mode";
import { openDialog } from "../state/dialogs";
import { connection, overview } from "../state/project";
import { isTyping, proof, saving } from "../state/proof";
import { startTyping, stopTyping } from "../acts/typing";
import type { Mode } from "../wire/contract";
import { keysFor } from "../keys/bindings";

const MODES: Record<Mode, { label: string; meaning: string }> = {
  review: { label: "REVIEW", meaning: "Edits land at once and are reviewed afterwards" },
  hold: { label: "HOLD", meaning: "Edits become proposals: nothing is written until you accept it" },
  direct: { label: "DIRECT", meaning: "Edits land and are not recorded" },
};

const SAVING = {
  saved: "",
  typing: "Typing …",
  sending: "Saving …",
  away: "Not saved yet",
  refused: "Not saved",
};

export function Footer() {
  const mode = overview.value?.mode ?? "review";
  return (
    <footer class="foot">
      <div class={`modes mode-${mode}`} role="radiogroup" aria-label="How edits arrive">
        {(Object.keys(MODES) as Mode[]).map(name => (
          <button
            type="button"
            role="radio"
            aria-checked={mode === name}
            title={MODES[name].meaning}
            class={name}
            onClick={() => void setMode(name)}
          >
            {MODES[name].label}
          </button>
        ))}
      </div>
      <span class="mode-meaning">{MODES[mode].meaning}</span>
      <span class="spring" />
      {proof.value && <TypingSwitch />}
      <span class="saving">{SAVING[saving.value]}</span>
      <span class={`connection ${connection.value}`}>
        {connection.value === "live" ? "Live" : connection.value === "away" ? "No answer" : "Signed out"}
      </span>
      <button type="button" class="link" onClick={() => openDialog({ kind: "help" })}>
        Keys <kbd>{keysFor("help")}</kbd>
      </button>
    </footer>
  );
}

/** Which of the two states the text is in, and the way to the other. */
function TypingSwitch() {
  return isTyping.value ? (
    <button type="button" class="state typing" onClick={stopTyping}>
      <strong>Typing</strong> · <kbd>Esc</kbd> to review
    </button>
  ) : (
    <button type="button" class="state" onClick={startTyping}>
      <strong>Reviewing</strong> · <kbd>{keysFor("edit")}</kbd> to type
    </button>
  );
}
