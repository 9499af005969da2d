/** The gate: each requirement, how it stands, the way to what is missing; running a review; shipping. */

import { useEffect } from "preact/hooks";
import { Button } from "../parts/Button";
import { Dialog } from "../parts/Dialog";
import { Shown } from "../parts/Shown";
import { closeDialog } from "../state/dialogs";
import { news } from "../state/news";
import { Lamp } from "./Lamp";
import { LoopRow } from "./LoopRow";
import { OverrideForm } from "./OverrideForm";
import { ReasonRow } from "./ReasonRow";
import { ShipForm } from "./ShipForm";
import { gate, look, prepareShip, progress, proposal, runReview, shipped, trust } from "./state";
import { stopReview } from "./wire";

export function GateSheet() {
  const version = news.value?.version;
  useEffect(() => {
    void look();
  }, [version]);
  useEffect(
    () => () => {
      proposal.value = null;
      shipped.value = null;
    },
    [],
  );
  const found = gate.value;
  if (!found) {
    return (
      <Dialog title="The gate">
        <p role="status">Asking the gate…</p>
      </Dialog>
    );
  }
  const running = progress.value?.isRunning ?? false;
  return (
    <Dialog title={found.open ? "The gate is open" : "The gate is closed"} class="wide gate-sheet">
      {found.override && (
        <p class="override">
          Overridden by <Shown text={found.override.by} /> until{" "}
          {new Date(found.override.expires).toLocaleString()}: <Shown text={found.override.reason} />
        </p>
      )}
      <ul class="requirements" aria-label="Requirements">
        {found.reasons.map(reason => (
          <ReasonRow key={reason.code + reason.message} reason={reason} />
        ))}
        {!found.reasons.some(reason => reason.code === "undecided") && (
          <li>
            <Lamp state="met" />
            <span>Every change by an agent is decided</span>
          </li>
        )}
      </ul>
      <ul class="requirements" aria-label="Loops">
        {found.loops.map(loop => (
          <LoopRow key={loop.loop} loop={loop} isRunning={running && progress.value?.loop === loop.loop} />
        ))}
      </ul>
      {!found.trusted && (
        <p class="hint">
          These commands are new here. They run on this machine, as you: read them before you trust them.
        </p>
      )}
      <Running />
      {shipped.value && <Landed />}
      {proposal.value && <ShipForm proposal={proposal.value} />}
      {!found.open && !running && <OverrideForm />}
      <div class="sheet-verbs">
        {!found.trusted && <Button label="Trust these commands" onClick={() => void trust()} />}
        {running ? (
          <Button label="Stop the review" onClick={() => void stopReview()} />
        ) : (
          <Button
            label="Run review"
            tone={found.open ? "plain" : "main"}
            disabled={!found.trusted}
            onClick={() => void runReview()}
          />
        )}
        {!proposal.value && (
          <Button
            label="Ship…"
            tone={found.open ? "main" : "plain"}
            disabled={!found.open || running}
            onClick={() => void prepareShip()}
          />
        )}
        <Button label="Close" onClick={closeDialog} />
      </div>
    </Dialog>
  );
}

/** What the review is at. */
function Running() {
  const now = progress.value;
  if (!now?.isRunning && !now?.error) return null;
  return (
    <div class="under-way">
      <p role="status">
        {now.isRunning
          ? now.loop
            ? `Loop ${now.loop} is running`
            : "The review begins"
          : "The review did not come to its end"}
      </p>
      {now.isRunning && now.command && (
        <p class="command">
          <Shown text={now.command} />
        </p>
      )}
      {(now.isRunning ? now.line : now.error) && (
        <p class="output">
          <Shown text={now.isRunning ? now.line : now.error} />
        </p>
      )}
    </div>
  );
}

function Landed() {
  const done = shipped.value;
  if (!done) return null;
  const isNothing = !done.pushed && !done.committed;
  return (
    <div class="landed" role="status">
      <p>
        {isNothing ? "Nothing to ship since" : done.pushed ? "Shipped" : "Committed"}{" "}
        <code>{(done.commit ?? "").slice(0, 12)}</code>
        {done.pushed && (
          <>
            {" "}
            to <Shown text={`${done.remote}/${done.branch}`} />: what landed is what was approved.
          </>
        )}
      </p>
      {done.pull_request && (
        <p>
          <Shown text={done.pull_request} />
        </p>
      )}
      {done.notes.map(note => (
        <p key={note} class="hint">
          <Shown text={note} />
        </p>
      ))}
    </div>
  );
}
