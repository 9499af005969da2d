"""The decisions that a journal tells of, and what each was about, character by character."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from blueline.model.fact import DecisionMade, DecisionQueued, DecisionTurned, Fact, QueueLeft
from blueline.model.piece import Kind, Piece
from blueline.review.deciding.hunks import hunks
from blueline.review.file import File


class Character(NamedTuple):
    """The smallest thing that can be decided: one character that came or went, or one setting."""

    file: int
    kind: Kind
    op: int
    target: int
    place: int


Held = frozenset[Character]
"""What a hunk holds."""

Names = dict[str, Held]
"""What each hunk holds, by its id."""


def characters(file: int, pieces: Iterable[Piece]) -> frozenset[Character]:
    """All that some pieces hold."""
    found = []
    for kind, op, target, start, end in pieces:
        found += [Character(file, kind, op, target, place) for place in range(start, max(end, start + 1))]
    return frozenset(found)


def names_of(file: File, salt: int) -> Names:
    """The hunks of a file."""
    names = {hunk.id: characters(file.number, hunk.pieces) for hunk in hunks(file, salt)}
    assert sum(map(len, names.values())) == len(frozenset[Character]().union(*names.values()))  # R09
    return names


def whole(name: str) -> str:
    """The id of the hunk that this one is, or is a part of."""
    return name.partition(".")[0]


@dataclass
class Verdict:
    """One decision; a queued one stands until it is carried out as another."""

    number: int
    verdict: str
    about: frozenset[Character]
    of: int | None = None
    stands: bool = True
    became: int | None = None
    """As what a queued one was carried out."""


class Chronicle:
    """All decisions in the order they were made."""

    def __init__(self) -> None:
        self.verdicts: dict[int, Verdict] = {}
        self._news: list[Verdict] = []

    def take(self, facts: Iterable[Fact]) -> list[Verdict]:
        """Follow these facts; the decisions among them."""
        made = []
        for fact in facts:
            if isinstance(fact, DecisionMade):
                about = [
                    characters(file, (change.piece for change in changes)) for file, changes in fact.changes
                ]
                verdict = Verdict(fact.decision, fact.verdict, frozenset[Character]().union(*about))
            elif isinstance(fact, DecisionTurned):
                verdict = self._turned(fact)
            else:
                self._waits(fact)
                continue
            self.verdicts[fact.decision] = verdict
            made.append(verdict)
        self._news += made
        return made

    def _waits(self, fact: Fact) -> None:
        if isinstance(fact, DecisionQueued):
            self.verdicts[fact.decision] = Verdict(fact.decision, "queued", frozenset())
        elif isinstance(fact, QueueLeft):
            self.verdicts[fact.decision].stands = False
            self.verdicts[fact.decision].became = fact.became

    def _turned(self, fact: DecisionTurned) -> Verdict:
        of = self.verdicts[fact.of]
        self.verdicts[fact.takes_back].stands = False
        of.stands = fact.stands
        return Verdict(fact.decision, "redo" if fact.stands else "undo", of.about, of=fact.of)

    def last(self, *verdicts: str) -> Verdict | None:
        """The latest that stands, of some kinds."""
        known = [one for one in self.verdicts.values() if one.stands and one.verdict in verdicts]
        return max(known, key=lambda one: one.number, default=None)

    def touched(self, *names: Names) -> set[str]:
        """The hunks of which something was answered since this was last asked, by their whole ids.

        By their names before and after: what is answered may pass from one to another (rule B2).
        """
        about = frozenset[Character]().union(*(verdict.about for verdict in self._news))
        self._news.clear()
        return {whole(name) for some in names for name, held in some.items() if held & about}
