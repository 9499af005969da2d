/** What stands where changes would stand when none is undecided. */

import { addressOfProject } from "../acts/starting";
import { counted } from "../rules/counting";
import { firstLine } from "../rules/visible";
import { openDialog } from "../state/dialogs";
import { elsewhere } from "../state/inbox";
import { files, overview, turns } from "../state/project";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { Shown } from "./Shown";

function NextProject() {
  const next = elsewhere.value[0];
  if (!next) return null;
  return (
    <p>
      <a href={addressOfProject(next.id)}>
        Next project: <Shown text={next.name} />, {counted(next.counts.hunks, "change")}
      </a>
    </p>
  );
}

/** Without these, nobody can say that all is reviewed (rule D6). */
const UNSEEN: Record<string, string> = {
  "not-recording": "Not recorded here",
  "corrupt-state": "Nothing that is known of",
};

export function AllReviewed() {
  const unseen = overview.value?.gate.reasons.find(reason => reason.code in UNSEEN);
  if (unseen) {
    return (
      <div class="empty">
        <h1>{UNSEEN[unseen.code]}</h1>
        <p>
          <Shown text={unseen.message.replace(/^not recorded here: /, "")} />
        </p>
        <p>
          To do: <Shown text={unseen.hint} />
        </p>
      </div>
    );
  }
  if (!files.value.length) {
    return (
      <div class="empty">
        <h1>Nothing to review yet</h1>
        <p>As soon as an agent changes a file in this project, it is here.</p>
      </div>
    );
  }
  return (
    <div class="empty">
      <h1>All reviewed</h1>
      <Outcome />
    </div>
  );
}

/** The same where a file is still open: asked for from the bar. */
export function finish(): void {
  openDialog({ kind: "sheet", draw: () => <Finished /> });
}

function Finished() {
  return (
    <Dialog title="All reviewed" class="finished">
      <Outcome />
    </Dialog>
  );
}

const MOST_TURNS = 8;

/** What was kept, what was taken back, and where to go on. */
function Outcome() {
  const gate = overview.value?.gate;
  const decided = turns.value.filter(turn => turn.counts.accepted || turn.counts.rejected);
  const sum = (name: "accepted" | "rejected") => decided.reduce((all, turn) => all + turn.counts[name], 0);
  return (
    <>
      <p class="outcome">
        <strong>{counted(sum("accepted"), "change")} accepted</strong>, {sum("rejected")} rejected
      </p>
      <ul class="outcome-turns">
        {decided.slice(0, MOST_TURNS).map(turn => (
          <li key={turn.id}>
            Turn {turn.id.slice(1)} <Shown text={firstLine(turn.prompt ?? "")} class="said" />:{" "}
            {turn.counts.accepted} accepted, {turn.counts.rejected} rejected
          </li>
        ))}
      </ul>
      <p>{gate?.open ? "The gate is open." : gate?.reasons[0]?.message}</p>
      <div class="sheet-verbs">
        <Button
          label={gate?.open ? "Ship…" : "Show the gate"}
          tone="main"
          command="gate"
          onClick={() => openDialog({ kind: "gate" })}
        />
      </div>
      <NextProject />
    </>
  );
}
