/** The chat panel: conversations, one of them open. */

import { useEffect } from "preact/hooks";
import { Button } from "../parts/Button";
import { Dialog } from "../parts/Dialog";
import { Shown } from "../parts/Shown";
import { closeDialog, openDialog } from "../state/dialogs";
import { begin, follow, putAway } from "./acts";
import { ConversationView } from "./Conversation";
import { agents, isKnown, lastAgent, openId, shownConversations } from "./state";
import type { ConversationListed } from "../wire/contract";

export function Chat() {
  useEffect(follow, []);
  const all = shownConversations.value;
  const shown = all.find(one => one.id === openId.value);
  if (!isKnown.value) return <p class="empty">Reading the conversations …</p>;
  return (
    <>
      <NewConversation />
      {all.length > 1 && (
        <div class="conversation-tabs" role="tablist" aria-label="Conversations">
          {all.map(one => (
            <Tab key={one.id} one={one} isShown={one.id === shown?.id} />
          ))}
        </div>
      )}
      {shown ? (
        <>
          <div class="conversation-head">
            <strong>{shown.label}</strong>
            <span class="spring" />
            {all.length > 1 && <Button label="Side by side" onClick={sideBySide} />}
            <Button label="Put away" onClick={() => void putAway(shown.id)} />
          </div>
          <ConversationView key={shown.id} id={shown.id} />
        </>
      ) : (
        <p class="empty">
          Choose an agent, and talk to it here. What it changes is reviewed like anything else.
        </p>
      )}
    </>
  );
}

function NewConversation() {
  const ready = agents.value.filter(agent => !agent.missing);
  const wanted = ready.find(agent => agent.name === lastAgent.value) ?? ready[0];
  return (
    <div class="panel-verbs">
      <select
        aria-label="Agent"
        value={wanted?.name ?? ""}
        onChange={event => (lastAgent.value = event.currentTarget.value)}
      >
        {agents.value.map(agent => (
          <option value={agent.name} disabled={agent.missing !== ""} title={agent.missing}>
            {agent.label}
            {agent.missing && " (not installed)"}
          </option>
        ))}
      </select>
      <Button
        label="New chat"
        tone="main"
        disabled={!wanted}
        onClick={() => wanted && void begin(wanted.name)}
      />
      {!wanted && <Missing />}
    </div>
  );
}

function Missing() {
  return (
    <ul class="missing-agents">
      {agents.value.map(agent => (
        <li key={agent.name}>
          <Shown text={agent.missing} />
        </li>
      ))}
    </ul>
  );
}

function Tab({ one, isShown }: { one: ConversationListed; isShown: boolean }) {
  const state = one.waiting ? "asks" : one.running ? "working" : "";
  return (
    <button
      type="button"
      role="tab"
      aria-selected={isShown}
      class={state}
      title={one.title || one.label}
      onClick={() => (openId.value = one.id)}
    >
      {one.task && "◎ "}
      <Shown text={one.title || one.label} />
      {state && <span class="tab-state"> {state}</span>}
    </button>
  );
}

function sideBySide(): void {
  openDialog({ kind: "sheet", draw: () => <SideBySide /> });
}

/** All conversations at once. */
function SideBySide() {
  return (
    <Dialog title="Conversations" class="wide side-by-side">
      <div class="columns">
        {shownConversations.value.map(one => (
          <div class="column" key={one.id}>
            <h3>
              <Shown text={one.title || one.label} />
            </h3>
            <ConversationView id={one.id} />
          </div>
        ))}
      </div>
      <div class="sheet-verbs">
        <Button label="Close" onClick={closeDialog} />
      </div>
    </Dialog>
  );
}
