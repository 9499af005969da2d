/** Files have moved on since the turn that is to be taken back: the person chooses for each. */

import { useState } from "preact/hooks";
import { Button } from "../parts/Button";
import { Dialog } from "../parts/Dialog";
import { DiffLines } from "../parts/DiffLines";
import { Shown } from "../parts/Shown";
import { closeDialog, openDialog } from "../state/dialogs";
import type { TurnNeed } from "../wire/contract";

const CHOICES: Record<string, string> = {
  anyway: "Reject, with what builds on it",
  alone: "Reject only this, and leave what builds on it",
  keep: "Keep it, and the turn in the chat",
};

/** The same, where a person has corrected lines of the agent's. */
const CORRECTED: Record<string, string> = {
  ...CHOICES,
  anyway: "Reject, your correction as well",
  alone: "Reject the rest, and keep these lines as they are",
};

interface Props {
  turn: string;
  needs: TurnNeed[];
  /** For each file, what is to become of it. */
  onChosen: (choices: Record<string, string>) => void;
}

export function askAboutFiles(props: Props): void {
  openDialog({ kind: "sheet", draw: () => <MovedOn {...props} /> });
}

function MovedOn({ turn, needs, onChosen }: Props) {
  const [choices, setChoices] = useState<Record<string, string>>({});
  const isWhole = needs.every(need => choices[need.path]);
  return (
    <Dialog title={`Reject turn ${turn.slice(1)}?`} class="wide">
      <p>Files have moved on since. Nothing has been changed yet.</p>
      {needs.map(need => (
        <fieldset class="moved-on" key={need.path}>
          <legend>
            <Shown text={need.path} />: {need.why}
          </legend>
          {need.lines.map(({ line, now, before }) => (
            <DiffLines key={line} old={before ?? ""} now={now} oldStart={line} newStart={line} />
          ))}
          {need.choices.map(choice => (
            <label key={choice}>
              <input
                type="radio"
                name={need.path}
                checked={choices[need.path] === choice}
                onChange={() => setChoices({ ...choices, [need.path]: choice })}
              />
              {(need.lines.length ? CORRECTED : CHOICES)[choice] ?? choice}
            </label>
          ))}
        </fieldset>
      ))}
      <div class="sheet-verbs">
        <Button label="Cancel" onClick={closeDialog} />
        <button
          type="button"
          class="button main reject"
          disabled={!isWhole}
          onClick={() => {
            closeDialog();
            onChosen(choices);
          }}
        >
          Reject the turn
        </button>
      </div>
    </Dialog>
  );
}
