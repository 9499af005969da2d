/** All notes, those that need something first. */

import { drafts, noteOnFile, sendAll } from "../acts/noting";
import { isAllowed } from "../hub/allowed";
import { page } from "../state/place";
import { notes } from "../state/project";
import type { NoteState } from "../wire/contract";
import { Button } from "./Button";
import { NoteCard } from "./NoteCard";

const ORDER: NoteState[] = ["answered", "draft", "outdated", "sent", "resolved"];

export function Notes() {
  const shown = notes.value.filter(note => note.state !== "removed");
  const sorted = shown.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
  const unsent = drafts().length;
  return (
    <>
      <div class="panel-verbs">
        <Button
          label={`Send ${unsent || "all"}`}
          tone="main"
          needs="write"
          disabled={!unsent}
          onClick={() => void sendAll()}
        />
        <Button label="Note on the file" disabled={!page.value} command="note-file" onClick={noteOnFile} />
      </div>
      {sorted.length ? (
        <div class="notes">
          {sorted.map(note => (
            <NoteCard key={note.id} note={note} />
          ))}
        </div>
      ) : (
        <p class="empty">
          {isAllowed("write")
            ? "No notes. Press c on a line to write one; the agent hears of it when you send it."
            : "No notes. They are written on the machine."}
        </p>
      )}
    </>
  );
}
