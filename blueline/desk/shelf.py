"""The ledger's source: the index, with documents turned into values and back."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, fields
from functools import partial
from itertools import chain, pairwise
from typing import Any

from blueline.desk.documents import hunk_rows
from blueline.journal.event_bytes import load_parts, load_writes
from blueline.journal.index import Index, IndexDamaged, IndexState
from blueline.journal.log import Bookmark
from blueline.journal.rows import DroppedFile, FileRow, HunkRow, IndexRow, NoteRow, TableRow
from blueline.model.answer import UNDECIDED
from blueline.model.call_about import load_about
from blueline.model.verdict import WHY_PUT_OFF
from blueline.review.choices import Choices
from blueline.review.deciding.shown_hunks import shown_file
from blueline.review.file import File
from blueline.review.file_values import dump_file, load_file
from blueline.review.ledger import (
    Beginning,
    Call,
    Counters,
    Decision,
    GitPosition,
    Ledger,
    Note,
    NumberOf,
    NumbersOf,
    Subagent,
    Turn,
)

MOST_ROWS = 500
"""Made and put at a time: those of a long history would not all fit into memory."""


class Shelf:
    """What the index knows, as the ledger wants it."""

    def __init__(self, index: Index) -> None:
        self.turn = partial(index.turns.made, load_turn)
        self.subagent = partial(index.subagents.made, lambda document: Subagent(**document))
        self.call = partial(index.calls.made, load_call)
        self.decision = partial(index.decisions.made, load_decision)
        self.note = partial(index.notes.made, lambda document: Note(**document))
        self.file = partial(index.files.made, load_file)
        self.files_at: NumbersOf = index.files.at
        self.call_named: NumberOf = lambda key: index.calls.last(key=key)
        self.last_call_on: NumberOf = lambda path: index.calls.last(path=path)
        self.subagent_named: NumberOf = lambda key: index.subagents.last(key=key)
        self.last_turn_of: NumberOf = lambda conversation: index.turns.last(conversation=conversation)


def ledger_over(index: Index, known: IndexState) -> tuple[Ledger, Bookmark]:
    """A ledger that goes on where the index was saved, and how far the journal was read for that."""
    try:
        counters = Counters(**known.counters)
    except TypeError as error:
        raise IndexDamaged(f"no counters: {error}") from error
    beginning = Beginning(
        counters, known.turns, known.subagents, known.calls, known.decisions, GitPosition(*known.git)
    )
    return Ledger(Shelf(index), beginning), Bookmark(known.cursor, known.event)


def load_turn(document: Mapping[str, Any]) -> Turn:
    """A turn from the index."""
    process = document["process"]
    return Turn(**{**document, "process": None if process is None else tuple(process)})


def load_call(document: Mapping[str, Any]) -> Call:
    """A call from the index."""
    return Call(**{**document, "about": load_about(document["about"])})


def load_decision(document: Mapping[str, Any]) -> Decision:
    """A decision from the index."""
    tuples = {name: tuple(document[name]) for name in ("hunks", "files", "turns")}
    choices = Choices(**document["choices"])
    read = {"writes": load_writes(document["writes"]), "parts": load_parts(document["parts"])}
    return Decision(**{**document, **tuples, **read, "choices": choices})


def save(
    ledger: Ledger,
    index: Index,
    mark: Bookmark,
    looks: Iterable[tuple[str, list[int] | None]] = (),
) -> None:
    """Put everything that changed in the ledger into the index, how far the journal was read, and what files
    looked like."""
    changed = sorted(ledger.changed)
    batches = (changed[at : at + MOST_ROWS] for at in range(0, len(changed), MOST_ROWS))
    rows = ([_row(ledger, *one) for one in some] for some in batches)
    # Mostly these are all: then nobody waits for the index while rows are made.
    first = next(rows, [])
    index.save(
        chain([first], rows),
        cursor=mark.cursor,
        event=mark.event,
        counters=asdict(ledger.counters),
        git=ledger.git,
        looks=looks,
    )
    ledger.changed.clear()
    ledger.folded.clear()


def _row(ledger: Ledger, kind: str, number: int) -> IndexRow:
    if kind == "turn":
        turn = ledger.turns[number]
        about = {"agent": turn.agent, "conversation": turn.conversation}
        return TableRow("turns", number, asdict(turn), {"running": turn.ended is None, **about})
    if kind == "subagent":
        subagent = ledger.subagents[number]
        known = {"turn": subagent.turn, "key": subagent.key, "open": subagent.ended is None}
        return TableRow("subagents", number, asdict(subagent), known)
    if kind == "call":
        return _call_row(ledger.calls[number])
    if kind == "decision":
        return _decision_row(ledger.decisions[number])
    if kind == "note":
        return _note_row(ledger.notes[number])
    return DroppedFile(number) if number in ledger.purged else _file_row(ledger, ledger.files[number])


def _call_row(call: Call) -> TableRow:
    columns = {
        "turn": call.turn,
        "subagent": call.subagent,
        "key": call.key,
        "path": call.path,
        "open": call.ended is None,
        "tool": call.tool,
        # Something says that we could not see all it did.
        "doubtful": call.about.gap is not None or call.about.unseen,
    }
    return TableRow("calls", call.number, _plain(call), columns)


def _decision_row(decision: Decision) -> TableRow:
    document = {**_plain(decision), "choices": asdict(decision.choices)}
    about = {
        "finished": decision.finished,
        "whole_turns": bool(decision.turns),
        "stands": decision.stands,
        "by_nobody": bool(decision.agent or decision.commit),
        "put_off": decision.verdict == "queued" and decision.reason in WHY_PUT_OFF,
        "turned": decision.of,
        "at": decision.at,
        "request": decision.request,
    }
    return TableRow("decisions", decision.number, document, about)


def _note_row(note: Note) -> NoteRow:
    columns = {"file": note.file, "open": note.is_open, "kind": note.kind, "key": note.key}
    # Sent once more after it was changed, it is heard once more.
    word = f"note:{note.changes}" if note.status == "sent" else ""
    return NoteRow(TableRow("notes", note.number, asdict(note), columns), note.conversation, word)


def _plain(kept: Call | Decision) -> dict[str, Any]:
    """Its fields, and in them values that the index writes as the journal does."""
    return {field.name: getattr(kept, field.name) for field in fields(kept)}


def _folded_rows(ledger: Ledger, files: list[File]) -> Iterator[HunkRow]:
    """The hunks of a file that became part of its baseline, as they were: nobody has to hear of them."""
    for before, after in pairwise(files):
        for row in hunk_rows(before, shown_file(ledger, before, UNDECIDED)):
            if row.op <= after.folded:
                yield row._replace(hears=[])


def _file_row(ledger: Ledger, file: File) -> FileRow:
    # Decided hunks without their text, which few ever ask for.
    shown = shown_file(ledger, file, UNDECIDED)
    earlier = ledger.folded.get(file.number, ())
    undecided = file.is_open
    (ledger.settled.discard if undecided else ledger.settled.add)(file.number)
    return FileRow(
        id=file.number,
        path=file.live.path,
        places=list(dict.fromkeys(str(setting.value) for setting in file.paths)),
        undecided=undecided,
        kind=file.live.node.kind,
        doc=dump_file(file),
        operations=[
            # One without a hunk has given out no number.
            (op.number, call, op.hunk if op.hunks else 0)
            for one in (*earlier, file)
            for op in one.operations.values()
            if op.number
            for call in (op.call, *op.others)
        ],
        hunks=[*_folded_rows(ledger, [*earlier, file]), *hunk_rows(file, shown)],
        folded=file.folded,
    )
