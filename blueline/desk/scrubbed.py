"""Facts without the contents that they name: for what was purged, and for what never leaves this machine."""

from __future__ import annotations

from dataclasses import replace

from blueline.model.fact import (
    DecisionMade,
    DecisionTurned,
    Fact,
    FileChanged,
    FileFolded,
    FileFormatted,
    FileGrew,
    FilePurged,
    FileSeen,
    NoteWritten,
)
from blueline.model.file_state import Absent

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
