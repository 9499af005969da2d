"""Facts without the contents that they name: for what was purged, and for what never leaves this machine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from blueline.journal.event_bytes import STORED, load_event
from blueline.model.fact import (
    DecisionMade,
    DecisionTurned,
    Event,
    Fact,
    FileChanged,
    FileFolded,
    FileFormatted,
    FileGrew,
    FilePurged,
    FileSeen,
    HistoryRemoved,
    NoteWritten,
)
from blueline.model.file_state import Absent

HISTORY = FileSeen | FileChanged | FileGrew | FileFormatted | FileFolded
"""What is told of a file, and need not be told again once it is folded."""

_REMOVED = next(name.encode() for name, kind in STORED.items() if kind is HistoryRemoved)

MOST_SETTINGS = 3
"""Hunks that an operation can have besides those of its text: what the file is, its mode, its path."""


def without_content(fact: Fact, files: set[int], paths: set[str]) -> Fact:
    """A fact, with nothing left in it that names a content of these files."""
    match fact:
        case FileChanged() if fact.file in files:
            return FilePurged(
                file=fact.file, op=fact.op, hunk=fact.hunk + MOST_SETTINGS + len(fact.edits or ())
            )
        case FileSeen() | FileGrew() if fact.file in files:
            return FilePurged(file=fact.file)
        case FileFormatted() | FileFolded() if fact.file in files:
            return FilePurged(file=fact.file, op=fact.op)
        case NoteWritten() if fact.file in files:
            return replace(fact, quote="", state=Absent())
        case DecisionMade() | DecisionTurned():
            return replace(fact, writes=tuple(write for write in fact.writes if write.path not in paths))
        case _:
            return fact


def removed_history(payloads: Iterable[bytes]) -> dict[int, int]:
    """Of events, the files whose history was removed, each with the event by which it was folded."""
    found: dict[int, int] = {}
    for payload in payloads:
        if _REMOVED in payload:
            for fact in load_event(payload).facts:
                if isinstance(fact, HistoryRemoved):
                    found |= {file: max(event, found.get(file, 0)) for file, event in fact.folds}
    return found


def is_removed(event: int, fact: Fact, removed: Mapping[int, int]) -> bool:
    """Whether a fact is about what a file was before it was folded, and that is gone."""
    return isinstance(fact, HISTORY) and event < removed.get(fact.file, 0)


def without_history(event: Event, removed: Mapping[int, int]) -> Event:
    """An event as it is told where history was removed: nothing is known of a file until it is folded."""
    if not any(is_removed(event.number, fact, removed) for fact in event.facts):
        return event
    facts = (
        without_content(fact, {*removed}, set()) if is_removed(event.number, fact, removed) else fact
        for fact in event.facts
    )
    return replace(event, facts=tuple(facts))
