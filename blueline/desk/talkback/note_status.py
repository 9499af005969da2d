"""Where a note is now, and what became of it."""

from typing import NamedTuple

from blueline.desk.project_store import Store
from blueline.desk.talkback.note_words import NoteItem
from blueline.diff.edits import split_lines
from blueline.diff.line_spans import placed
from blueline.model.ids import NOTE, BlobId
from blueline.model.secret import is_secret
from blueline.model.text import as_text
from blueline.review.ledger import Note


class NoteStatus(NamedTuple):
    """Where the lines of a note are by now, and what became of it."""

    path: str | None
    line: int | None
    end_line: int | None
    state: str
    """draft, sent, answered, resolved, outdated or removed."""


def status_of(store: Store, note: Note) -> NoteStatus:
    """Find the lines of a note again."""
    file = store.ledger.file(note.file) if note.file is not None else None
    path = file.live.path if file is not None else note.path
    then = as_text(store.read(BlobId(note.blob))) if note.blob and note.line else None
    if then is None:
        return NoteStatus(path, None, None, note.status)
    now = file.live.plain if file is not None else None
    if now is None:
        return NoteStatus(path, None, None, _overtaken(note))
    place = placed(then, now, note.line - 1, note.end_line)
    if place.is_gone:
        line = min(place.first + 1, max(len(split_lines(now)), 1))
        return NoteStatus(path, line, None, _overtaken(note))
    state = "answered" if place.is_touched and note.status == "sent" else note.status
    return NoteStatus(path, place.first + 1, place.last, state)


def _overtaken(note: Note) -> str:
    """What a note is whose lines are gone."""
    return {"draft": "outdated", "sent": "answered"}.get(note.status, note.status)


def note_item(store: Store, note: Note) -> NoteItem:
    """A note as it is said to an agent."""
    now = status_of(store, note)
    is_quoted = note.path is None or not is_secret(note.path)
    return NoteItem(
        id=NOTE.id(note.number),
        kind=note.kind,
        text=note.text,
        path=now.path,
        line=now.line,
        end_line=now.end_line,
        of=note.of,
        quote=note.quote if is_quoted else "",
    )
