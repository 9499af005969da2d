/** Why a hunk is there: the prompt, the call, the command, and who else touched these lines. */

import { useEffect, useState } from "preact/hooks";
import { fail } from "../acts/refreshing";
import { fullTime } from "../rules/times";
import { closeDialog } from "../state/dialogs";
import { hunksById } from "../state/project";
import * as server from "../wire/client";
import type { WhyDocument } from "../wire/contract";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { HunkLines } from "./HunkLines";
import { Shown } from "./Shown";

/** Of what is known about the call, what is shown by its own name. */
const SAID_ELSEWHERE = new Set(["prompt", "command"]);

export function WhyDialog({ id }: { id: string }) {
  const [why, setWhy] = useState<WhyDocument | null>(null);
  useEffect(() => {
    server.hunk(id).then(setWhy, error => {
      closeDialog();
      fail(error);
    });
  }, [id]);
  return (
    <Dialog title="Why is this here?" class="wide">
      {why ? <Reasons why={why} /> : <p>Looking …</p>}
      <div class="sheet-verbs">
        <Button label="Close" onClick={closeDialog} />
      </div>
    </Dialog>
  );
}

function Reasons({ why }: { why: WhyDocument }) {
  const about = Object.entries(why.about).filter(
    ([name, value]) => !SAID_ELSEWHERE.has(name) && typeof value !== "object" && value !== "",
  );
  return (
    <>
      <dl class="facts">
        <Fact name="Prompt" text={why.prompt} />
        <Fact
          name="By"
          text={[why.actor.name || why.actor.kind, why.turn && `turn ${why.turn.slice(1)}`]
            .filter(Boolean)
            .join(", ")}
        />
        <Fact name="Call" text={why.tool} />
        <Fact name="When" text={fullTime(why.at)} />
        <Fact name="File" text={`${why.path}, ${why.change}, ${why.status}`} />
        <Fact name="Command" text={why.command} />
        {about.map(([name, value]) => (
          <Fact name={titled(name)} text={String(value)} />
        ))}
        <Fact name="Builds on" text={named(why.builds_on)} />
        <Fact name="On top of it" text={named(why.built_on_by)} />
        <Fact
          name="Also here"
          text={why.related?.map(call => `${call.tool} (${fullTime(call.started)})`).join("; ")}
        />
      </dl>
      <HunkLines hunk={why} />
    </>
  );
}

/** Where changes stand, of those that are undecided. */
function named(ids: readonly string[]): string {
  const found = ids.map(id => hunksById.value.get(id));
  return found.map(hunk => (hunk ? `${hunk.path}:${hunk.new_start}` : "a decided change")).join(", ");
}

/** As it stands before a fact: "Description" for "description". */
function titled(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
}

function Fact({ name, text }: { name: string; text: string | null | undefined }) {
  if (!text) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {text.split("\n").map(line => (
          <div>
            <Shown text={line} />
          </div>
        ))}
      </dd>
    </>
  );
}
