/** A task: words about a place in a file, for an agent that proposes what to do there. */

import { useEffect, useState } from "preact/hooks";
import { Button } from "../parts/Button";
import { Dialog } from "../parts/Dialog";
import { Shown } from "../parts/Shown";
import { closeDialog, openDialog } from "../state/dialogs";
import { say } from "../state/messages";
import { begin, follow, placeHere, send, showConversation, typed } from "./acts";
import { agents, lastAgent } from "./state";
import type { PlaceDocument } from "../wire/contract";

/** Asks for a task at the selected lines, or the line with the cursor. */
export function taskHere(): void {
  const place = placeHere();
  if (place) openDialog({ kind: "sheet", draw: () => <TaskSheet place={place} /> });
  else say("No file is open.");
}

function TaskSheet({ place }: { place: PlaceDocument }) {
  const [text, setText] = useState("");
  useEffect(follow, []);
  const ready = agents.value.filter(agent => !agent.missing);
  const [name, setName] = useState(lastAgent.peek());
  const agent = ready.find(one => one.name === name) ?? ready[0];
  const start = async () => {
    if (!agent || !text.trim()) return;
    closeDialog();
    const id = await begin(agent.name, place);
    if (id === null) return;
    typed(id, { text, context: [] });
    await showConversation(id);
    await send(id);
  };
  const lines =
    place.line === place.end_line ? `line ${place.line}` : `lines ${place.line} to ${place.end_line}`;
  return (
    <Dialog title="Task">
      <form
        method="dialog"
        onSubmit={event => {
          event.preventDefault();
          void start();
        }}
      >
        <p>
          An agent works on {lines} of <Shown text={place.path} />, and proposes what to change.
        </p>
        <textarea
          data-focus
          class="line-field"
          rows={4}
          aria-label="What is to be done"
          value={text}
          onInput={event => setText(event.currentTarget.value)}
        />
        <div class="sheet-verbs">
          <select
            aria-label="Agent"
            value={agent?.name ?? ""}
            onChange={event => setName(event.currentTarget.value)}
          >
            {ready.map(one => (
              <option value={one.name}>{one.label}</option>
            ))}
          </select>
          <Button label="Cancel" onClick={closeDialog} />
          <button type="submit" class="button main" disabled={!agent || !text.trim()}>
            Begin
          </button>
        </div>
      </form>
    </Dialog>
  );
}
