/** Writing a note. */

import { useState } from "preact/hooks";
import { keepNote } from "../acts/noting";
import { visible } from "../rules/visible";
import { closeDialog } from "../state/dialogs";
import type { NoteDocument, NoteKind, NoteTargetDocument } from "../wire/contract";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { NOTE_KINDS } from "./NoteCard";

interface Props {
  target: NoteTargetDocument;
  about: string;
  note: NoteDocument | undefined;
}

export function NoteDialog({ target, about, note }: Props) {
  const [text, setText] = useState(note?.text ?? "");
  const [kind, setKind] = useState<NoteKind>(note?.kind ?? "change");
  const keep = (send: boolean) => {
    if (!text.trim()) return;
    closeDialog();
    void keepNote(target, kind, text, { note, send });
  };
  return (
    <Dialog title={`Note on ${visible(about)}`}>
      {!note && (
        <div class="switch" role="group" aria-label="Kind of note">
          {(Object.keys(NOTE_KINDS) as NoteKind[]).map(name => (
            <button type="button" aria-pressed={kind === name} onClick={() => setKind(name)}>
              {NOTE_KINDS[name]}
            </button>
          ))}
        </div>
      )}
      <textarea
        class="note-field"
        aria-label="Note"
        rows={4}
        data-focus
        value={text}
        onInput={event => setText(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          event.stopPropagation();
          keep(event.shiftKey);
        }}
      />
      {kind === "must-fix" && <p class="hint">The gate stays closed until this is resolved.</p>}
      <div class="sheet-verbs">
        <Button label="Cancel" onClick={closeDialog} />
        <button type="button" class="button" onClick={() => keep(true)}>
          Send now <kbd>Ctrl+Shift+Enter</kbd>
        </button>
        <button type="button" class="button main" onClick={() => keep(false)}>
          Save <kbd>Ctrl+Enter</kbd>
        </button>
      </div>
    </Dialog>
  );
}
