"""Words about files that stay when their contents are purged: prompts, commands, reasons, notes.

A prompt may hold what was to be written, a command what was piped into a file. Whether it does, nobody can
say for certain. So whatever belongs to a change of the files, or names one of them, is told to the person,
who may have it taken out as well.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from blueline.kernel import disk
from blueline.model.call_about import DEFAULTS, CallAbout
from blueline.model.fact import (
    CallEnded,
    CallStarted,
    DecisionExplained,
    DecisionMade,
    DecisionQueued,
    Event,
    Fact,
    FileChanged,
    NoteChanged,
    NoteWritten,
    TurnEnded,
    TurnStarted,
)
from blueline.model.ids import CALL, DECISION, NOTE, TURN, Numbering

SPOKEN = ("reason", "command", "description", "error", "why")
"""What is somebody's own text of what is known of a call."""

NAME = "purged-words.json"
"""In the state folder."""

LONGEST_TIE = 100
"""Characters of what one agent says of its calls besides: names that tie them together are shorter."""

SHORTEST_NAME = 3
"""Characters of a file's name that is looked for in words."""


class Word(NamedTuple):
    """Whose words they are: a turn's, a call's, a decision's or a note's."""

    kind: Numbering
    number: int

    @property
    def id(self) -> str:
        return self.kind.id(self.number)


KINDS = {kind.letter: kind for kind in (TURN, CALL, DECISION, NOTE)}


class WordsLeft:
    """Whose words were left when files were purged: nobody could find out afterwards."""

    def __init__(self, state: Path) -> None:
        self._state = state

    def by_path(self) -> dict[str, list[str]]:
        """Ids, by what the file was called."""
        try:
            found = json.loads((self._state / NAME).read_bytes())
            return {str(path): [str(one) for one in ids if _word(str(one))] for path, ids in found.items()}
        except (OSError, ValueError, TypeError, AttributeError):
            return {}

    def of(self, paths: Iterable[str]) -> list[Word]:
        known = self.by_path()
        return [word for path in paths for one in known.get(path, ()) if (word := _word(one)) is not None]

    def keep(self, paths: Iterable[str], ids: list[str]) -> None:
        """These are left now; none if there are none."""
        known = self.by_path()
        known.update(dict.fromkeys(paths, ids))
        data = json.dumps({path: ids for path, ids in known.items() if ids}).encode()
        disk.place(os.fsencode(self._state / NAME), data, os.fsencode(self._state / "blobs" / "tmp"))


def _word(written: str) -> Word | None:
    kind, number = KINDS.get(written[:1]), written[1:]
    return Word(kind, int(number)) if kind is not None and number.isascii() and number.isdecimal() else None


class StoredWords:
    """All words in some events that may hold content of some files."""

    def __init__(
        self, events: Sequence[Event], files: set[int], paths: Iterable[str], left: Iterable[Word] = ()
    ) -> None:
        self._files = files
        names = {name for path in paths for name in (path, path.rpartition("/")[2])}
        self._names = [name for name in names if len(name) >= SHORTEST_NAME]
        facts = [fact for event in events for fact in event.facts]
        self._hunks = {hunk for fact in facts for hunk in self._decided(fact)}
        calls = {fact.call for fact in facts if isinstance(fact, FileChanged) and fact.file in files}
        turns = {fact.turn for fact in facts if isinstance(fact, CallStarted) and fact.call in calls}
        self._about = {Word(CALL, call) for call in calls if call is not None}
        self._about |= {Word(TURN, turn) for turn in turns}
        self._about |= {*left}
        self._about |= {whose for fact in facts if self._belongs(fact) and (whose := _whose(fact))}
        self.spoken = sorted({whose for fact in facts if (whose := self._has(fact)) is not None}, key=_order)
        self.sources = {
            event.source
            for event in events
            if event.source is not None and any(_whose(fact) in self._about for fact in event.facts)
        }
        """Where the observations stand that these words came from: an agent says a command twice."""

    @property
    def ids(self) -> list[str]:
        """Where such words stand."""
        return [whose.id for whose in self.spoken]

    def without(self, fact: Fact) -> Fact:
        """A fact with no such words in it."""
        if self._has(fact) is None:
            return fact
        match fact:
            case TurnStarted():
                return replace(fact, prompt="")
            case CallStarted() | CallEnded():
                return replace(fact, about=_silent(fact.about))
            case DecisionMade() | DecisionQueued() | DecisionExplained():
                return replace(fact, reason="")
            case NoteWritten() | NoteChanged():
                return replace(fact, text="")
            case _:
                return fact

    def _has(self, fact: Fact) -> Word | None:
        whose = _whose(fact)
        return whose if whose in self._about and _text(fact) else None

    def _decided(self, fact: Fact) -> Sequence[str]:
        is_theirs = isinstance(fact, DecisionMade) and any(file in self._files for file, _ in fact.changes)
        return fact.hunks if is_theirs and isinstance(fact, DecisionMade) else ()

    def _belongs(self, fact: Fact) -> bool:
        match fact:
            case DecisionMade() if self._decided(fact):
                return True
            case DecisionQueued() if not self._hunks.isdisjoint(fact.hunks):
                return True
            case NoteWritten() if fact.file in self._files:
                return True
            case _:
                text = _text(fact)
                return any(name in text for name in self._names)


def _whose(fact: Fact) -> Word | None:
    match fact:
        case TurnStarted() | TurnEnded():
            return Word(TURN, fact.turn)
        case CallStarted() | CallEnded():
            return Word(CALL, fact.call)
        case DecisionMade() | DecisionQueued() | DecisionExplained():
            return Word(DECISION, fact.decision)
        case NoteWritten() | NoteChanged():
            return Word(NOTE, fact.note)
        case _:
            return None


def _text(fact: Fact) -> str:
    """The words of a fact, all together."""
    match fact:
        case TurnStarted():
            return fact.prompt
        case CallStarted() | CallEnded():
            spoken = [getattr(fact.about, name) for name in SPOKEN]
            return "\n".join([*(one for one in spoken if one), *_long(fact.about)])
        case DecisionMade() | DecisionQueued() | DecisionExplained():
            return fact.reason
        case NoteWritten() | NoteChanged():
            return fact.text or ""
        case _:
            return ""


def _long(about: CallAbout) -> list[str]:
    return [text for value in about.others.values() if len(text := str(value)) > LONGEST_TIE]


def _silent(about: CallAbout) -> CallAbout:
    others = {name: value for name, value in about.others.items() if len(str(value)) <= LONGEST_TIE}
    order = tuple(name for name in about.order if name not in SPOKEN and (name in DEFAULTS or name in others))
    return replace(
        about, reason=None, command=None, description=None, error=None, why=None, others=others, order=order
    )


def _order(whose: Word) -> tuple[str, int]:
    return whose.kind.letter, whose.number
