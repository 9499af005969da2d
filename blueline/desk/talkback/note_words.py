"""What is said to an agent about the notes that a person sent it."""

from collections.abc import Sequence
from dataclasses import dataclass

from blueline.desk.talkback.change_words import folded, joined, quoted, shown_path
from blueline.model.ids import TURN

LONGEST = 1_800
"""Characters. Notes that do not fit are said the next time."""

MOST_LINES = 4
MOST_NOTE_LINES = 12

HEAD = """\
Blueline, which records and reviews what agents change in this project, hands on notes that the person you \
work for wrote about it. Lines that begin with | are quotations: first of the lines that a note is about, \
where there are any, then of the person's own words.

"""

ASKED = {
    "question": "a question to answer",
    "change": "a change that is asked for",
    "must-fix": "something that must be fixed",
    "keep": "something to keep as it is",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteItem:
    """What an agent is told of a note."""

    id: str
    kind: str
    text: str
    path: str | None
    line: int | None
    end_line: int | None
    of: str
    """The call or turn that it is about, if it is about one."""
    quote: str


def worded(notes: Sequence[NoteItem]) -> tuple[str, list[str]]:
    """The text about as many notes as there is room for, and which those are."""
    text = HEAD
    said: list[str] = []
    for note in notes:
        words = _note(note)
        if said and len(text) + len(words) > LONGEST:
            break
        text += words
        said.append(note.id)
    return text + "\n" if said else "", said


def _note(note: NoteItem) -> str:
    lines = [f"- {ASKED.get(note.kind, note.kind)}, about {_place(note)} ({note.id})"]
    if note.quote:
        lines += [*quoted(MOST_LINES, note.quote.removesuffix("\n").split("\n")), "  The note:"]
    return joined([*lines, *quoted(MOST_NOTE_LINES, folded(note.text))])


def _place(note: NoteItem) -> str:
    if note.path is None:
        return f"your turn {note.of}" if TURN.number(note.of) is not None else f"your call {note.of}"
    path = shown_path(note.path)
    if note.line is None:
        return path
    if note.end_line is not None and note.end_line > note.line:
        return f"{path}, lines {note.line} to {note.end_line}"
    return f"{path}, line {note.line}"
