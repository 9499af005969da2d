"""The ledger's source: the index, with documents turned into values and back."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from blueline.desk.documents import hunk_rows
from blueline.journal.event_bytes import dump_writes, load_writes
from blueline.journal.index import FileRow, Index
from blueline.model.choices import Choices
from blueline.model.mark import UNDECIDED
from blueline.review.file import File
from blueline.review.file_values import dump_file, load_file
from blueline.review.ledger import Call, Counters, Decision, Ledger, Note, Turn


class Shelf:
    """What the index knows, as the ledger wants it."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def counters(self) -> Counters:
        return Counters(**(self._index.meta("counters") or {}))

    def turn(self, number: int) -> Turn | None:
        found = self._index.turn(number)
        return None if found is None else Turn(**found)

    def call(self, number: int) -> Call | None:
        found = self._index.call(number)
        return None if found is None else Call(**found)

    def decision(self, number: int) -> Decision | None:
        found = self._index.decision(number)
        return None if found is None else load_decision(found)

    def note(self, number: int) -> Note | None:
        found = self._index.note(number)
        return None if found is None else Note(**found)

    def file(self, number: int) -> File | None:
        found = self._index.file(number)
        return None if found is None else load_file(found)

    def file_at(self, path: str) -> int | None:
        return self._index.file_at(path)

    def call_named(self, key: str) -> int | None:
        return self._index.call_named(key)

    def last_call_on(self, path: str) -> int | None:
        return self._index.last_call_on(path)

    def open_calls(self) -> list[int]:
        return self._index.open_calls()

    def running_turns(self) -> list[int]:
        return self._index.running_turns()

    def unfinished(self) -> list[int]:
        return self._index.unfinished()


def load_decision(document: Mapping[str, Any]) -> Decision:
    """A decision from the index."""
    tuples = {name: tuple(document[name]) for name in ("hunks", "files", "turns")}
    choices = Choices(**document["choices"])
    return Decision(**{**document, **tuples, "choices": choices, "writes": load_writes(document["writes"])})


def save(ledger: Ledger, index: Index, *, cursor: int, anchor: list[Any]) -> None:
    """Put everything that changed in the ledger into the index, and how far the journal was read."""
    with index.saving():
        for kind, number in sorted(ledger.changed):
            if kind == "turn":
                turn = ledger.turns[number]
                index.put_turn(number, running=turn.ended is None, doc=asdict(turn))
            elif kind == "call":
                call = ledger.calls[number]
                index.put_call(
                    number,
                    turn=call.turn,
                    key=call.key,
                    path=call.path,
                    is_open=call.ended is None,
                    doc=asdict(call),
                )
            elif kind == "decision":
                decision = ledger.decisions[number]
                doc = {
                    **_plain(decision),
                    "writes": dump_writes(decision.writes),
                    "choices": asdict(decision.choices),
                }
                index.put_decision(number, finished=decision.finished, doc=doc)
            elif kind == "note":
                note = ledger.notes[number]
                # Sent once more after it was changed, it is heard once more.
                word = f"note:{note.changes}" if note.status == "sent" else ""
                index.put_note(
                    number,
                    file=note.file,
                    is_open=note.is_open,
                    kind=note.kind,
                    hears=(note.conversation, word),
                    doc=asdict(note),
                )
            elif number in ledger.purged:
                index.drop_file(number)
            else:
                index.put_file(_file_row(ledger, ledger.files[number]))
        index.put_meta("counters", asdict(ledger.counters))
        index.put_meta("cursor", cursor)
        index.put_meta("anchor", anchor)
    ledger.changed.clear()


def _plain(decision: Decision) -> dict[str, Any]:
    return {field.name: getattr(decision, field.name) for field in fields(decision) if field.name != "writes"}


def _file_row(ledger: Ledger, file: File) -> FileRow:
    return FileRow(
        id=file.number,
        path=file.live.path,
        places=list(dict.fromkeys(str(setting.value) for setting in file.paths)),
        undecided=any(mark.state in UNDECIDED for _, mark in file.pieces()),
        kind=file.live.node.kind,
        doc=dump_file(file),
        operations=[
            # One without a hunk has given out no number.
            (op.number, call, op.hunk if op.hunks else 0)
            for op in file.operations.values()
            if op.number
            for call in (op.call, *op.others)
        ],
        hunks=hunk_rows(ledger, file),
    )
