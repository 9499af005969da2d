/** The keys as they are now; each can be changed. */

import { useState } from "preact/hooks";
import {
  FORBIDDEN,
  type Preset,
  bind,
  bindings,
  forgetBindings,
  preset,
  spelledKeys,
} from "../keys/bindings";
import { isAllowed, needOf } from "../hub/allowed";
import { type Command, commands } from "../keys/commands";
import { nameOf } from "../keys/keyboard";
import { closeDialog } from "../state/dialogs";
import { letterKeys } from "../state/settings";
import { Button } from "./Button";
import { Dialog } from "./Dialog";

const GROUPS: Command["group"][] = ["Move", "Decide", "Notes", "Look", "Elsewhere"];

export function Help() {
  const [words, setWords] = useState("");
  const wanted = words.toLowerCase();
  const shown = commands.filter(
    ({ id, title }) => isAllowed(needOf(id)) && title.toLowerCase().includes(wanted),
  );
  return (
    <Dialog title="Keys" class="wide">
      <div class="help-head">
        <input
          type="search"
          class="line-field"
          placeholder="Search"
          aria-label="Search keys"
          data-focus
          onInput={event => setWords(event.currentTarget.value)}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={letterKeys.value}
            onChange={event => (letterKeys.value = event.currentTarget.checked)}
          />
          Single-letter keys
        </label>
        <label>
          Preset{" "}
          <select
            value={preset.value}
            onChange={event => (preset.value = event.currentTarget.value as Preset)}
          >
            <option value="gerrit">Gerrit</option>
            <option value="tui">Terminal</option>
          </select>
        </label>
        <Button label="Reset keys" onClick={forgetBindings} />
      </div>
      <p class="hint">While you type, letters are text. Esc leaves the text. Choose a key to change it.</p>
      <div class="help-groups">
        {GROUPS.map(group => (
          <Group name={group} commands={shown.filter(command => command.group === group)} />
        ))}
      </div>
      <div class="sheet-verbs">
        <Button label="Close" onClick={closeDialog} />
      </div>
    </Dialog>
  );
}

function Group({ name, commands: listed }: { name: string; commands: Command[] }) {
  if (!listed.length) return null;
  return (
    <section>
      <h3>{name}</h3>
      <ul class="keys">
        {listed.map(command => (
          <Binding key={command.id} command={command} />
        ))}
      </ul>
    </section>
  );
}

function Binding({ command }: { command: Command }) {
  const [isListening, setListening] = useState(false);
  const keys = bindings.value[command.id] ?? [];
  const take = (event: KeyboardEvent) => {
    if (!isListening || ["Shift", "Control", "Alt", "Meta", "Tab"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    setListening(false);
    const name = nameOf(event);
    if (event.key !== "Escape" && !FORBIDDEN.has(name)) bind(command.id, name);
  };
  return (
    <li>
      <span>{command.title}</span>
      <button
        type="button"
        class="key-button"
        aria-label={`Change the key of: ${command.title}. Now ${keys.map(spelledKeys).join(" or ") || "none"}`}
        onClick={() => setListening(true)}
        onBlur={() => setListening(false)}
        onKeyDown={take}
      >
        {isListening ? "press a key" : keys.map(one => <kbd>{spelledKeys(one)}</kbd>)}
        {!isListening && !keys.length && "–"}
      </button>
    </li>
  );
}
