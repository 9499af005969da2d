/** One entry of the timeline. A decision opens to show what it was about. */

import { useState } from "preact/hooks";
import { undoDecision } from "../acts/undoing";
import { decideEdits, decideHunk } from "../acts/wishing";
import { lightGroup, openAtFirst, showLine } from "../acts/moving";
import { fail } from "../acts/refreshing";
import { colourClass } from "../rules/colours";
import { counted } from "../rules/counting";
import { fullTime, shortTime } from "../rules/times";
import { firstLine } from "../rules/visible";
import * as server from "../wire/client";
import type {
  DecisionLogged,
  HunkPlaceDocument,
  LogEntry,
  OutsideEntry,
  TimelineDocument,
  WhyDocument,
} from "../wire/contract";
import { Button } from "./Button";
import { HunkLines } from "./HunkLines";
import { Icon, type IconName } from "./Icon";
import { NOTE_KINDS } from "./NoteCard";
import { Shown } from "./Shown";

const VERDICTS: Record<string, { said: string; icon: IconName }> = {
  accept: { said: "Accepted", icon: "accept" },
  reject: { said: "Rejected", icon: "reject" },
  undo: { said: "Undone:", icon: "undo" },
  redo: { said: "Redone:", icon: "redo" },
  queued: { said: "Put off", icon: "more" },
  "by-hand": { said: "Rejected by hand", icon: "reject" },
  "by-git": { said: "Rejected by git", icon: "reject" },
};

/** What had been taken away stands in the file again. */
const RETURNS: Record<string, { said: string; icon: IconName }> = {
  "by-hand": { said: "Undone by hand", icon: "redo" },
  "by-git": { said: "Undone by git", icon: "redo" },
};

type Places = TimelineDocument["places"];

export function TimelineEntry({ entry, places }: { entry: LogEntry; places: Places }) {
  switch (entry.kind) {
    case "turn":
      return (
        <li class={`entry turn ${colourClass(entry.id)}`}>
          <span class="swatch" />
          <button type="button" class="link" onClick={() => void lightGroup(entry.id)}>
            Turn {entry.id.slice(1)}
          </button>
          <When at={entry.at} />
          <p class="prompt">
            <Shown text={entry.prompt ?? ""} />
          </p>
        </li>
      );
    case "call":
      return (
        <li class={`entry call ${colourClass(entry.turn)}`}>
          <span class="swatch" />
          <button type="button" class="link" onClick={() => void lightGroup(entry.id)}>
            {entry.tool}
          </button>{" "}
          <Shown text={entry.path ?? firstLine(String(entry.about["command"] ?? ""))} class="said" />
          <When at={entry.at} />
        </li>
      );
    case "note":
      return (
        <li class="entry">
          <Icon name="note" />
          {NOTE_KINDS[entry.note]}: <Shown text={firstLine(entry.text)} class="said" />
          <When at={entry.at} />
        </li>
      );
    case "override":
      return (
        <li class="entry">
          <Icon name="why" />
          Gate overridden by <Shown text={entry.by} class="said" /> until {fullTime(entry.expires)}:{" "}
          <Shown text={entry.reason} class="said" />
          <When at={entry.at} />
        </li>
      );
    case "decision":
      return <Decision entry={entry} place={places[entry.hunks[0] ?? ""]} />;
  }
}

/** What a person typed, or a program of theirs did. */
export function EditEntry({ edit }: { edit: OutsideEntry }) {
  const isRejected = edit.status === "rejected";
  return (
    <li class={`entry edit ${isRejected ? "fallen" : ""}`}>
      <Icon name="type" />
      {edit.actor.kind === "person" ? "You typed in" : "Outside, in"}{" "}
      <button type="button" class="link" onClick={() => void openAtFirst(edit.path)}>
        <Shown text={edit.path} class="said" />
      </button>
      <When at={edit.at} />
      <span class="entry-verbs">
        <Button
          label={isRejected ? "Accept" : "Reject"}
          icon={isRejected ? "accept" : "reject"}
          needs="decide"
          onClick={() =>
            void decideEdits(isRejected ? "accept" : "reject", edit.hunks, `the edit of ${edit.path}`)
          }
        />
      </span>
    </li>
  );
}

function When({ at }: { at: string }) {
  return <time title={fullTime(at)}>{shortTime(at)}</time>;
}

function Decision({ entry, place }: { entry: DecisionLogged; place: HunkPlaceDocument | undefined }) {
  const [hunks, setHunks] = useState<WhyDocument[] | null>(null);
  const words = entry.returns ? RETURNS : VERDICTS;
  const { said, icon } = words[entry.verdict] ?? { said: entry.verdict, icon: "more" as const };
  const read = async () => {
    if (hunks) return setHunks(null);
    try {
      setHunks(await Promise.all(entry.hunks.map(id => server.hunk(id))));
    } catch (error) {
      fail(error);
    }
  };
  return (
    <li class={`entry decision ${entry.stands ? "" : "fallen"}`}>
      <Icon name={icon} />
      <span class="said">
        {said} {entry.hunks.length > 0 && counted(entry.hunks.length, "change")}
        {place ? (
          <Where place={place} count={entry.hunks.length} />
        ) : (
          entry.written.length > 0 && <Shown text={` in ${writtenIn(entry.written)}`} />
        )}
        {entry.agent && (
          <>
            {" by "}
            <Shown text={entry.agent} />
          </>
        )}
        {entry.commit && ` by commit ${entry.commit.slice(0, 10)}`}
        {!entry.stands && " (undone)"}
      </span>
      <When at={entry.at} />
      {entry.reason && (
        <p class="reason">
          <Shown text={entry.reason} />
        </p>
      )}
      <span class="entry-verbs">
        {entry.hunks.length > 0 && (
          <Button label={hunks ? "Close" : "Show"} pressed={hunks !== null} onClick={() => void read()} />
        )}
        {entry.stands && !(entry.verdict in RETURNS) && (
          <Button label="Undo" icon="undo" needs="decide" onClick={() => void undoDecision(entry.id)} />
        )}
      </span>
      {hunks?.map(hunk => (
        <DecidedHunk key={hunk.id} hunk={hunk} />
      ))}
    </li>
  );
}

/** Which file, and where in it: one click from there. */
function Where({ place: { path, line }, count }: { place: HunkPlaceDocument; count: number }) {
  return (
    <>
      {count > 1 ? ", the first in " : " in "}
      <button type="button" class="link" onClick={() => void showLine(path, line || 1)}>
        <Shown text={line ? `${path}, line ${line}` : path} />
      </button>
    </>
  );
}

function writtenIn([first = "", ...others]: readonly string[]): string {
  return others.length ? `${first} and ${counted(others.length, "more file")}` : first;
}

function DecidedHunk({ hunk }: { hunk: WhyDocument }) {
  return (
    <div class="decided-hunk">
      <div class="decided-hunk-head">
        <Shown text={hunk.path} class="said" />
        <span>{hunk.status}</span>
        {hunk.status === "rejected" && (
          <Button label="Accept" needs="decide" onClick={() => void decideHunk("accept", hunk)} />
        )}
        {hunk.status === "accepted" && (
          <Button label="Reject" needs="decide" onClick={() => void decideHunk("reject", hunk)} />
        )}
      </div>
      <HunkLines hunk={hunk} />
    </div>
  );
}
