/** The middle: the open file, always as a diff. */

import { concernsWholeFile } from "../rules/regions";
import { visible } from "../rules/visible";
import { openDialog } from "../state/dialogs";
import { decidedHere, isStarting, openPath, page } from "../state/place";
import { overview, progress, project } from "../state/project";
import { isTyping } from "../state/proof";
import type { FilePage } from "../wire/client";
import { AllReviewed } from "./AllReviewed";
import { Button } from "./Button";
import { DecidedRow } from "./DecidedRow";
import { FileHeader } from "./FileHeader";
import { contentOf } from "./contents";
import { SavingLine } from "./SavingLine";
import { WholeFileCard } from "./WholeFileCard";

export function EditorPane() {
  const found = page.value;
  return (
    <main
      class={`editor-pane ${isTyping.value ? "typing" : ""}`}
      aria-label={found ? `Editor, ${visible(found.path)}` : "Editor"}
      tabIndex={-1}
      data-home
      data-rail="editor"
    >
      {found && found.path === openPath.value ? <OpenFile page={found} /> : <NothingOpen />}
    </main>
  );
}

function OpenFile({ page: found }: { page: FilePage }) {
  const Content = contentOf(found);
  const whole = found.hunks.filter(hunk => hunk.status === "pending" && concernsWholeFile(hunk));
  // Of changes in the text, the row stands there.
  const decided = found.hunks.filter(
    hunk =>
      hunk.status !== "pending" &&
      concernsWholeFile(hunk) &&
      // Where no file is left, that is all there is to see.
      (decidedHere.value.has(hunk.id) || found.kind === "absent"),
  );
  return (
    <>
      <FileHeader page={found} />
      {whole.map(hunk => (
        <WholeFileCard key={hunk.id} hunk={hunk} page={found} />
      ))}
      {decided.map(hunk => (
        <DecidedRow key={hunk.id} hunks={[hunk]} />
      ))}
      <SavingLine />
      <Content page={found} />
    </>
  );
}

function NothingOpen() {
  if (openPath.value !== null) return <p class="empty">Opening {visible(openPath.value)} …</p>;
  if (!project.value && !isStarting.value) {
    return (
      <div class="empty">
        <h1>Choose a project</h1>
        <Button label="Inbox" command="inbox" onClick={() => openDialog({ kind: "inbox" })} />
      </div>
    );
  }
  if (!overview.value || isStarting.value) return <p class="empty">Opening the project …</p>;
  if (!progress.value.pending) return <AllReviewed />;
  return (
    <div class="empty">
      <h1>Choose a file</h1>
      <p>Press n to go to the first change.</p>
    </div>
  );
}
