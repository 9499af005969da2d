"""Events as bytes. Names on disk outlive names in code: rename the class, never the key."""

import json
from dataclasses import fields
from typing import Any

from blueline.model import fact as facts
from blueline.model.actor import Actor
from blueline.model.call_about import CallAbout, dump_about, load_about
from blueline.model.edit import Edit
from blueline.model.fact import Event, Fact, Write
from blueline.model.file_state import Absent, FileState, Folder, Link, Other, Regular, Unknown
from blueline.model.ids import BlobId
from blueline.model.piece import Passed, Piece, PieceAnswer

STORED: dict[str, type[Fact]] = {
    "project.opened": facts.ProjectOpened,
    "turn.started": facts.TurnStarted,
    "turn.resumed": facts.TurnResumed,
    "turn.ended": facts.TurnEnded,
    "subagent.started": facts.SubagentStarted,
    "subagent.ended": facts.SubagentEnded,
    "call.started": facts.CallStarted,
    "call.ended": facts.CallEnded,
    "file.seen": facts.FileSeen,
    "file.changed": facts.FileChanged,
    "file.grew": facts.FileGrew,
    "file.formatted": facts.FileFormatted,
    "file.folded": facts.FileFolded,
    "file.purged": facts.FilePurged,
    "history.removed": facts.HistoryRemoved,
    "decision.made": facts.DecisionMade,
    "decision.turned": facts.DecisionTurned,
    "decision.finished": facts.DecisionFinished,
    "decision.explained": facts.DecisionExplained,
    "decision.queued": facts.DecisionQueued,
    "queue.left": facts.QueueLeft,
    "mode.set": facts.ModeSet,
    "note.written": facts.NoteWritten,
    "note.changed": facts.NoteChanged,
    "commits.seen": facts.CommitsSeen,
}
_NAMES = {kind: name for name, kind in STORED.items()}

_KEYS: dict[type[Any], dict[str, str]] = {}
"""By fact, once it was met."""
STORED_KEYS = {"digest": "cells"}
"""Fields that are called otherwise in the journal."""


def dump_event(event: Event) -> bytes:
    """An event as the payload of a journal record."""
    document = {
        "n": event.number,
        "at": event.at,
        "source": event.source,
        "facts": [{"fact": _NAMES[type(fact)], **_dump(fact)} for fact in event.facts],
    }
    return _ENCODER.encode(document).encode("ascii")


def load_event(payload: bytes) -> Event:
    """The event in a journal record. Raises ValueError when it is not one that this version knows."""
    document = json.loads(payload)
    try:
        return Event(
            number=document["n"],
            at=document["at"],
            source=document["source"],
            facts=tuple(_load(entry) for entry in document["facts"]),
        )
    except (KeyError, TypeError, IndexError) as error:
        raise ValueError(f"not an event of format 2: {error}") from error


def _dump(value: Any) -> dict[str, Any]:
    found = {key: getattr(value, name) for name, key in _keys(type(value)).items()}
    if "changes" in found:
        # A piece and its answer are one row. All other tuples are written as they are.
        changes = found["changes"]
        found["changes"] = [(file, [(*piece, answer) for piece, answer in some]) for file, some in changes]
    return found


def _keys(kind: type[Any]) -> dict[str, str]:
    """What the fields of a fact are called in the journal."""
    if (known := _KEYS.get(kind)) is None:
        known = _KEYS[kind] = {one.name: STORED_KEYS.get(one.name, one.name) for one in fields(kind)}
    return known


def plain(value: Any) -> Any:
    """A value of a fact that JSON has no form for, in one that it has."""
    match value:
        case CallAbout():
            return dump_about(value)
        case Regular() | Link() | Folder() | Absent() | Other() | Unknown():
            return dump_state(value)
        case Write():
            return _dump(value)
        case _:
            raise TypeError(f"nothing that events hold: {type(value).__name__}")


_ENCODER = json.JSONEncoder(separators=(",", ":"), default=plain, check_circular=False)
"""One for all: there are thousands of small events. That a value holds itself, which none does that never
changes, is not looked for: that would take two fifths of the time."""


def _load(entry: dict[str, Any]) -> Fact:
    kind = STORED[entry["fact"]]
    found = {name: key for name, key in _keys(kind).items() if key in entry}
    return kind(**{name: _LOADERS.get(name, _same)(entry[key]) for name, key in found.items()})


def _same(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _edits(value: Any) -> Any:
    if value is None:
        return None
    return tuple(Edit(*entry) for entry in value)


def _changes(value: Any) -> Any:
    return tuple(
        (file, tuple(PieceAnswer(Piece(*entry[:-1]), entry[-1]) for entry in entries))
        for file, entries in value
    )


def _passes(value: Any) -> Any:
    return tuple((file, tuple(Passed.of(entry) for entry in entries)) for file, entries in value)


def _committed(value: Any) -> Any:
    return tuple((file, commit, tuple(Piece(*entry) for entry in entries)) for file, commit, entries in value)


def load_parts(value: Any) -> tuple[tuple[str, tuple[Piece, ...]], ...]:
    """Parts of hunks from their plain values."""
    return tuple((name, tuple(Piece(*entry) for entry in entries)) for name, entries in value)


def _joins(value: Any) -> Any:
    return tuple((op, tuple((decision, answer) for decision, answer in log)) for op, log in value)


def _pairs(value: Any) -> Any:
    return tuple((one, other) for one, other in value)


def load_writes(value: Any) -> tuple[Write, ...]:
    """Writes from their plain values."""
    states = ("before", "after")
    entries: list[dict[str, Any]] = [
        {name: load_state(part) if name in states else part for name, part in entry.items()}
        for entry in value
    ]
    return tuple(Write(**entry) for entry in entries)


def dump_state(state: FileState) -> list[Any]:
    """What stood at a path, as plain values."""
    match state:
        case Regular():
            return ["file", state.mode, state.size, state.blob]
        case Link():
            return ["link", state.target]
        case Folder():
            return ["folder"]
        case Absent():
            return ["absent", state.missing_folder]
        case Other():
            return ["other", state.mode]
        case Unknown():
            return ["unknown", state.why]


def load_state(value: list[Any]) -> FileState:
    """The reverse of `dump_state`."""
    match value:
        case ["file", mode, size, blob]:
            return Regular(mode=mode, size=size, blob=BlobId(blob))
        case ["link", target]:
            return Link(target=target)
        case ["folder"]:
            return Folder()
        case ["absent", missing]:
            return Absent(missing_folder=missing)
        case ["other", mode]:
            return Other(mode=mode)
        case ["unknown", why]:
            return Unknown(why=why)
        case _:
            raise ValueError(f"not the state of a file: {value!r}")


_LOADERS: dict[str, Any] = {
    "actor": lambda value: Actor(*value),
    "about": load_about,
    "edits": _edits,
    "changes": _changes,
    "committed": _committed,
    "passes": _passes,
    "parts": load_parts,
    "joins": _joins,
    "folds": _pairs,
    "writes": load_writes,
    "state": load_state,
    "after": load_state,
}
