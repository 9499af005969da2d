"""Notes: a person's words on lines, hunks, files, calls and turns, kept until they are settled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from blueline.desk.documents import hunk_documents
from blueline.desk.project_store import Store
from blueline.desk.screens.pages import Pages
from blueline.desk.selectors import Selectors, UnknownSelector
from blueline.desk.talkback.note_status import status_of
from blueline.diff.edits import split_lines
from blueline.errors import BluelineError
from blueline.model.fact import NoteChanged, NoteWritten
from blueline.model.file_state import Absent, FileState, Regular
from blueline.model.ids import CALL, NOTE, TURN, whole_number
from blueline.review.file import File
from blueline.review.ledger import Note, Turn

if TYPE_CHECKING:
    from blueline.contract.hunks import HunkDocument
    from blueline.contract.notes import NoteDocument, NoteKind, NotePlace, NoteState, NoteTargetDocument

KINDS = ("question", "change", "must-fix", "keep")
TARGETS = ("line", "hunk", "file", "turn", "call")
STATES = ("draft", "sent", "resolved", "removed")

LONGEST_QUOTE = 20_000
"""Characters of the lines that are kept with a note."""


class NoSuchPlace(BluelineError):
    """There is nothing to write a note about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteTarget:
    """What a note is about."""

    kind: str
    id: str = ""
    path: str = ""
    line: int = 0
    end_line: int = 0


class Notes:
    """The notes of one project."""

    def __init__(self, store: Store, pages: Pages, selectors: Selectors) -> None:
        self._store = store
        self._ledger = store.ledger
        self._screens = store.index.screens
        self._pages = pages
        self._selectors = selectors

    def all(self) -> list[NoteDocument]:
        """Every note that was not removed, oldest first."""
        found = [Note(**document) for document in self._store.index.notes.scan()]
        return [self._document(note) for note in found if note.status != "removed"]

    def write(self, target: NoteTarget, kind: str, text: str) -> NoteDocument:
        """Keep a new note."""
        number = self._ledger.counters.note + 1
        path, line, end_line, of, turn = self._about(target)
        file = self._file(path) if path or target.kind in ("line", "file") else None
        content = file.live.plain if file is not None else None
        lines = split_lines(content or "")
        if target.kind == "line" and not 1 <= line <= end_line <= max(len(lines), 1):
            raise NoSuchPlace(f"{path} has no line {end_line}", hint=f"it has {len(lines)} lines")
        quote = "".join(lines[line - 1 : end_line]) if line else ""
        self._store.record(
            [
                NoteWritten(
                    note=number,
                    kind=kind,
                    text=text,
                    on=target.kind,
                    of=of,
                    file=None if file is None else file.number,
                    path=path or None,
                    line=line,
                    end_line=end_line,
                    quote=quote[:LONGEST_QUOTE],
                    state=self._state(content),
                    conversation=turn.conversation if turn is not None else "",
                )
            ]
        )
        self._store.save()
        return self.named(number)

    def change(self, identifier: str, *, text: str | None, status: str | None) -> NoteDocument:
        """Give a note another text, which makes it a draft again, or another status."""
        number = NOTE.number(identifier) or whole_number(identifier)
        note = self._ledger.note(number) if number else None
        if note is None or note.status == "removed":
            raise UnknownSelector(f"there is no note {identifier!r}", hint="see the list of notes")
        text = None if text == note.text else text
        status = status or ("draft" if text is not None else note.status)
        if text is not None or status != note.status:
            self._store.record([NoteChanged(note=note.number, text=text, status=status)])
            self._store.save()
        return self.named(note.number)

    def named(self, number: int) -> NoteDocument:
        """The note with this number."""
        note = self._ledger.note(number)
        assert note is not None
        return self._document(note)

    def _state(self, content: str | None) -> FileState:
        if content is None:
            return Absent()
        data = content.encode("utf-8")
        return Regular(mode=0o644, size=len(data), blob=self._store.blobs.put(data))

    def _file(self, path: str) -> File:
        """The file at a path, looked at for the first time if need be."""
        known = self._ledger.file_at(path)
        if known is not None:
            return known
        taking = self._store.taking()
        file = taking.see(path, self._pages.unreviewed_state(path))
        self._store.keep(taking)
        return file

    def _about(self, target: NoteTarget) -> tuple[str, int, int, str, Turn | None]:
        """Path, lines, id and turn of what a note is about."""
        match target.kind:
            case "hunk":
                return self._hunk(target.id)
            case "turn":
                number = TURN.number(target.id)
                turn = None if number is None else self._ledger.turn(number)
                if turn is None:
                    raise UnknownSelector(f"there is no turn {target.id!r}")
                return "", 0, 0, target.id, turn
            case "call":
                number = CALL.number(target.id)
                call = None if number is None else self._ledger.call(number)
                if call is None:
                    raise UnknownSelector(f"there is no call {target.id!r}")
                path = call.path or ""
                known = path if self._ledger.file_at(path) else ""
                return known, 0, 0, target.id, self._ledger.turn(call.turn)
            case "file":
                return target.path, 0, 0, "", self._turn_of_path(target.path)
            case _:
                end = target.end_line or target.line
                return target.path, target.line, end, "", self._turn_of_line(target.path, target.line)

    def _hunk(self, identifier: str) -> tuple[str, int, int, str, Turn | None]:
        hunk = self._selectors.hunk(identifier)
        file = self._ledger.file(hunk.file) if hunk is not None else None
        if hunk is None or file is None:
            raise UnknownSelector(f"there is no hunk {identifier!r}", hint="it may have been split meanwhile")
        shown = next(one for one in self._shown(file) if one["id"] == identifier)
        first = max(shown["new_start"], 1) if file.live.plain is not None else 0
        last = max(first, first + shown["new_lines"] - 1) if first else 0
        last = min(last, max(len(split_lines(file.live.plain or "")), 1)) if first else 0
        return hunk.path, min(first, last), last, identifier, self._turn_of_call(hunk.operation.call)

    def _shown(self, file: File) -> list[HunkDocument]:
        return hunk_documents(self._ledger, file, include_hidden=True)

    def _turn_of_call(self, number: int | None) -> Turn | None:
        call = self._ledger.call(number) if number is not None else None
        return self._ledger.turn(call.turn) if call is not None else None

    def _turn_of_path(self, path: str) -> Turn | None:
        """The turn that last had to do with a file, or else the last one there was."""
        call = self._ledger.last_call_on(path)
        return self._ledger.turn(self._ledger.counters.turn if call is None else call.turn)

    def _turn_of_line(self, path: str, line: int) -> Turn | None:
        file = self._ledger.file_at(path)
        spans = self._pages.spans(file) if file is not None else []
        writers = [
            one["call"] for one in spans if one["start_line"] <= line <= one["end_line"] and one["call"]
        ]
        return self._turn_of_call(CALL.number(writers[-1])) if writers else self._turn_of_path(path)

    def _document(self, note: Note) -> NoteDocument:
        now = status_of(self._store, note)
        return {
            "id": NOTE.id(note.number),
            "target": _target(note),
            "kind": cast("NoteKind", note.kind),
            "text": note.text,
            "state": cast("NoteState", now.state),
            "at": note.at,
            "quote": note.quote,
            "path": now.path,
            "line": now.line,
            "end_line": now.end_line,
        }


def _target(note: Note) -> NoteTargetDocument:
    """What a note was written about, without what does not apply."""
    target: NoteTargetDocument = {"kind": cast("NotePlace", note.on)}
    if note.of:
        target["id"] = note.of
    if note.path:
        target["path"] = note.path
    if note.line:
        target["line"] = note.line
    if note.end_line:
        target["end_line"] = note.end_line
    return target
