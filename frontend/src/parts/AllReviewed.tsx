/** What stands where changes would stand when none is undecided. */

import { addressOfProject } from "../acts/starting";
import { counted } from "../rules/counting";
import { openDialog } from "../state/dialogs";
import { elsewhere } from "../state/inbox";
import { files, overview } from "../state/project";
import { Button } from "./Button";
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

export function AllReviewed() {
  const unseen = overview.value?.gate.reasons.find(reason => reason.code === "not-recording");
  if (unseen) {
    return (
      <div class="empty">
        <h1>Not recorded here</h1>
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
  const isOpen = overview.value?.gate.open;
  return (
    <div class="empty">
      <h1>All reviewed</h1>
      <p>
        {isOpen
          ? "Everything is decided and the gate is open."
          : "Everything is decided. The gate says what is still missing."}
      </p>
      <Button label="Show the gate" command="gate" onClick={() => openDialog({ kind: "gate" })} />
      <NextProject />
    </div>
  );
}
