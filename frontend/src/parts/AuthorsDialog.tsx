/** Who wrote a line that is no undecided change. */

import { closeDialog } from "../state/dialogs";
import { turns } from "../state/project";
import { proof } from "../state/proof";
import type { SpanDocument } from "../wire/contract";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { Shown } from "./Shown";

const PEOPLE: Record<string, string> = {
  person: "You, in the workbench",
  external: "An editor or a program",
};

export function AuthorsDialog({ path, line }: { path: string; line: number }) {
  const spans = proof.value?.authorsAt(line) ?? [];
  return (
    <Dialog title={`Who wrote line ${line}?`}>
      <p>
        <Shown text={path} />
      </p>
      <ul class="dependents">
        {spans.map(span => (
          <li>{described(span)}</li>
        ))}
        {!spans.length && <li>It was there before any agent came.</li>}
      </ul>
      <div class="sheet-verbs">
        <Button label="Close" onClick={closeDialog} />
      </div>
    </Dialog>
  );
}

function described(span: SpanDocument) {
  const turn = turns.value.find(one => one.id === span.turn);
  const call = turn?.calls.find(one => one.id === span.call);
  if (!span.call) return PEOPLE[span.actor.kind] ?? span.actor.kind;
  return (
    <>
      <Shown text={span.actor.name || span.actor.kind} />, {call?.tool ?? span.call} in turn{" "}
      {span.turn?.slice(1)}
      {turn?.prompt && (
        <>
          : <Shown text={turn.prompt} />
        </>
      )}
    </>
  );
}
