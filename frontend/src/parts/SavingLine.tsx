/** Says so when what was typed could not be saved. Nothing of it is lost meanwhile. */

import { giveUpTyping, save } from "../acts/saving";
import { proof, refusal, saving } from "../state/proof";
import { Button } from "./Button";

export function SavingLine() {
  if (saving.value === "away") {
    return (
      <div class="saving-line" role="status">
        What you typed is not saved yet: the workbench does not answer. It is tried again by itself.
      </div>
    );
  }
  if (saving.value !== "refused") return null;
  return (
    <div class="saving-line" role="alert">
      <span>{refusal.value}. What you typed is still here.</span>
      <Button label="Try again" onClick={() => void save()} />
      <Button
        label="Copy my text"
        onClick={() => void navigator.clipboard.writeText(proof.peek()?.text() ?? "")}
      />
      <Button label="Discard my text" onClick={() => void giveUpTyping()} />
    </div>
  );
}
