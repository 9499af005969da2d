"""A person's words on lines, hunks, files, calls and turns."""

from typing import Literal, NotRequired, TypedDict

NoteKind = Literal["question", "change", "must-fix", "keep"]
NoteState = Literal["draft", "sent", "answered", "resolved", "outdated", "removed"]
NotePlace = Literal["line", "hunk", "file", "turn", "call"]


class NoteTargetDocument(TypedDict):
    """What a note is about."""

    kind: NotePlace
    id: NotRequired[str]
    """Of the hunk, the turn or the call."""
    path: NotRequired[str]
    line: NotRequired[int]
    """From one."""
    end_line: NotRequired[int]
    """Inclusive."""


class NoteDocument(TypedDict):
    """A note, where it is now."""

    id: str
    target: NoteTargetDocument
    """What it was written about."""
    kind: NoteKind
    text: str
    state: NoteState
    at: str
    quote: str
    """The lines as they were when it was written."""
    path: str | None
    """Where its lines are now."""
    line: int | None
    end_line: int | None
    version: NotRequired[int]
    """In the answer to writing or changing one: grows with every event."""


class NotesDocument(TypedDict):
    """All notes, oldest first."""

    notes: list[NoteDocument]
