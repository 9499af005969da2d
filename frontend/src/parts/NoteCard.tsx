/** One note, in the text or in the list of notes. */

import { editNote, setNoteState } from "../acts/noting";
import { showNote } from "../acts/moving";
import { isAllowed } from "../hub/allowed";
import { fullTime, shortTime } from "../rules/times";
import type { NoteDocument, NoteKind } from "../wire/contract";
import { turns } from "../state/project";
import { Button } from "./Button";
import { Shown } from "./Shown";

export const NOTE_KINDS: Record<NoteKind, string> = {
  question: "Question",
  change: "Please change",
  "must-fix": "Must fix",
  keep: "Keep this",
};

/** A note on no file is on a turn or a call. */
function aboutOf({ target }: NoteDocument): string {
  if (target.kind === "turn") return `turn ${target.id?.slice(1)}`;
  const call = turns.value.flatMap(turn => turn.calls).find(one => one.id === target.id);
  return call ? [call.tool, call.path].filter(Boolean).join(" ") : target.kind;
}

export function NoteCard({ note, inText = false }: { note: NoteDocument; inText?: boolean }) {
  const isOpen = note.state !== "resolved" && note.state !== "removed";
  return (
    <article class={`note-card note-${note.kind} ${note.state} ${inText ? "in-text" : ""}`} aria-label="Note">
      <header>
        <strong>{NOTE_KINDS[note.kind]}</strong>
        <span class={`note-state ${note.state}`}>{note.state}</span>
        <time title={fullTime(note.at)}>{shortTime(note.at)}</time>
        {!inText && note.path !== null && (
          <button type="button" class="link" onClick={() => void showNote(note)}>
            <Shown text={note.line ? `${note.path}:${note.line}` : note.path} />
          </button>
        )}
        {!inText && note.path === null && <span>{aboutOf(note)}</span>}
      </header>
      {!inText && note.quote && (
        <pre class="quote">
          <Shown text={note.quote.trimEnd().split("\n").slice(0, 4).join("\n")} />
        </pre>
      )}
      <p>
        {note.text.split("\n").map((line, number) => (
          <>
            {number > 0 && <br />}
            <Shown text={line} />
          </>
        ))}
      </p>
      {isOpen && isAllowed("write") && (
        <footer>
          {note.state === "draft" && (
            <Button label="Send now" onClick={() => void setNoteState(note, "sent")} />
          )}
          <Button label="Edit" onClick={() => editNote(note)} />
          <Button label="Resolve" onClick={() => void setNoteState(note, "resolved")} />
          <Button label="Remove" onClick={() => void setNoteState(note, "removed")} />
        </footer>
      )}
    </article>
  );
}
