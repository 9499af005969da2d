"""What is decided on the way, and counted."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any

from blueline.surfaces.cli.terminal import Screen
from blueline.surfaces.cli.walk_decisions import WalkDecisions
from blueline.surfaces.cli.walk_queue import WalkQueue
from blueline.surfaces.cli.walk_words import Order
from tests.support.fake_desk import Document, FakeDesk, decided, hunk


def result(name: str) -> Document:
    return {"hunk": name, "path": "src/a.py", "outcome": "applied", "reason": ""}


class Place:
    """A desk that answers one thing after the other, and a window that is looked at afterwards."""

    def __init__(self, *answers: Document) -> None:
        self.found = [hunk(id="h0000000a"), hunk(id="h0000000b", new_start=9)]
        self.queue = WalkQueue(self.found)
        self.queue.see(self.found)
        self.said: list[str] = []
        self.screen = Screen()
        self._answers = iter(answers)

    @contextmanager
    def open(self) -> Any:
        answer = next(self._answers)
        with FakeDesk(decide=answer, undo=answer, redo=answer) as desk:
            yield desk

    def undecided(self, desk: object) -> list[Document]:
        return self.found

    def renew(self, desk: object) -> list[Document]:
        return []

    def asked_about(self, desk: object, document: object) -> dict[str, Document]:
        return {}

    def say(self, lines: Any) -> None:
        self.said += lines


def test_what_was_taken_back_does_not_count_and_what_stands_again_does() -> None:
    accepted = {**decided(), "decision": "d1", "verdict": "accept", "results": [result("h0000000a")]}
    place: Any = Place(
        accepted,
        {**accepted, "decision": "d2", "verdict": "undo", "of": "d1"},
        {**accepted, "decision": "d3", "verdict": "redo", "of": "d1"},
    )
    decisions = WalkDecisions(place, place)
    assert decisions.decide(Order("accept"))
    assert decisions.count == 1
    assert decisions.take_back("undo")
    assert decisions.count == 0
    assert decisions.take_back("redo")
    assert decisions.made == {"d1": ("accept", 1)}


def test_what_looks_otherwise_than_it_did_is_not_decided() -> None:
    place: Any = Place(decided())
    decisions = WalkDecisions(place, place)
    place.found = [hunk(id="h0000000a", new="something else\n")]
    assert decisions.decide(Order("reject"))
    assert place.said == ["This changed while you looked at it; nothing was decided. It is now:"]
    assert decisions.made == {}
