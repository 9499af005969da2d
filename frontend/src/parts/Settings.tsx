/** How the workbench looks and behaves, in this browser. */

import type { Signal } from "@preact/signals";
import { closeDialog } from "../state/dialogs";
import * as settings from "../state/settings";
import { Button } from "./Button";
import { Dialog } from "./Dialog";

export function Settings() {
  return (
    <Dialog title="Settings">
      <div class="settings">
        <Choice
          label="Colours"
          setting={settings.theme}
          options={{ system: "As the system", light: "Light", dark: "Dark", contrast: "High contrast" }}
        />
        <Choice
          label="Arrangement"
          setting={settings.layout}
          options={{ auto: "By width", unified: "Unified", split: "Split" }}
        />
        <Choice
          label="After a decision"
          setting={settings.advance}
          options={{ anywhere: "Go to the next change", file: "Next in this file", stay: "Stay" }}
        />
        <Check label="Show new changes at once, even where I read" setting={settings.follow} />
        <Check label="Wrap long lines" setting={settings.wrap} />
        <Check label="Mark changed words" setting={settings.words} />
        <Check label="Hide changes in blanks" setting={settings.quietBlanks} />
        <Check label="Show all that was ever decided in the editor" setting={settings.allDecided} />
        <Check label="Single-letter keys" setting={settings.letterKeys} />
      </div>
      <div class="sheet-verbs">
        <Button label="Close" onClick={closeDialog} />
      </div>
    </Dialog>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  setting: Signal<T>;
  options: Record<T, string>;
}

function Choice<T extends string>({ label, setting, options }: ChoiceProps<T>) {
  return (
    <label class="setting">
      <span>{label}</span>
      <select value={setting.value} onChange={event => (setting.value = event.currentTarget.value as T)}>
        {(Object.keys(options) as T[]).map(name => (
          <option value={name}>{options[name]}</option>
        ))}
      </select>
    </label>
  );
}

function Check({ label, setting }: { label: string; setting: Signal<boolean> }) {
  return (
    <label class="setting check">
      <input
        type="checkbox"
        checked={setting.value}
        onChange={event => (setting.value = event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
