/** Everything by name: commands, files, turns. */

import { useState } from "preact/hooks";
import { lightGroup, openAtFirst } from "../acts/moving";
import { isAllowed, needOf } from "../hub/allowed";
import { bindings, spelledKeys } from "../keys/bindings";
import { commands } from "../keys/commands";
import { best } from "../rules/matching";
import { firstLine, visible } from "../rules/visible";
import { closeDialog } from "../state/dialogs";
import { filePaths, turns } from "../state/project";
import { Dialog } from "./Dialog";
import { Shown } from "./Shown";

const MOST = 60;

interface Thing {
  id: string;
  title: string;
  kind: string;
  keys: string;
  run: () => void;
}

function things(): Thing[] {
  return [
    ...commands
      .filter(({ id }) => isAllowed(needOf(id)))
      .map(({ id, title, group, run }) => {
        const keys = (bindings.value[id] ?? []).map(spelledKeys).join(" ");
        return { id, title, kind: group, keys, run };
      }),
    ...filePaths.value.map(path => ({
      id: `file ${path}`,
      title: path,
      kind: "File",
      keys: "",
      run: () => void openAtFirst(path),
    })),
    ...turns.value.map(turn => ({
      id: `turn ${turn.id}`,
      title: `Turn ${turn.id.slice(1)}: ${firstLine(turn.prompt ?? "")}`,
      kind: "Turn",
      keys: "",
      run: () => void lightGroup(turn.id),
    })),
  ].filter(thing => thing.id !== "palette");
}

export function Palette() {
  const [words, setWords] = useState("");
  const [chosen, setChosen] = useState(0);
  const found = best(words, things(), thing => thing.title, MOST);
  const run = (thing: Thing | undefined) => {
    if (!thing) return;
    closeDialog();
    // The palette gives the focus back when it is gone; what is run may want it.
    setTimeout(thing.run);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setChosen((chosen + step + found.length) % Math.max(found.length, 1));
    else if (event.key === "Enter") run(found[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Commands" class="palette">
      <input
        type="text"
        class="line-field"
        placeholder="A command, a file, a turn"
        role="combobox"
        aria-label="A command, a file, a turn"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found.length ? `palette-${chosen}` : undefined}
        data-focus
        value={words}
        onInput={event => {
          setWords(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKey}
      />
      <ul id="palette-list" role="listbox" aria-label="Found">
        {found.map((thing, index) => (
          <li
            key={thing.id}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === chosen}
            aria-label={`${visible(thing.title)}, ${thing.kind}`}
            ref={element => {
              if (index === chosen) element?.scrollIntoView({ block: "nearest" });
            }}
            onClick={() => run(thing)}
          >
            <Shown text={thing.title} class="title" />
            <span class="kind">{thing.kind}</span>
            {thing.keys && <kbd>{thing.keys}</kbd>}
          </li>
        ))}
      </ul>
      {!found.length && <p class="empty">Nothing is called that.</p>}
    </Dialog>
  );
}
