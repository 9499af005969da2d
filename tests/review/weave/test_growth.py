"""Text that arrives in pieces is one insertion: the same as if it had come at once (T01, T07)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blueline.model.answer import ACCEPTED, PENDING, REJECTED
from blueline.model.file_state import Regular
from blueline.model.notice import CallBegan, CallGrew
from blueline.review.deciding.hunks import hunks
from blueline.review.file import File
from blueline.review.intake.taking import ObservedFiles, Taking
from blueline.review.ledger import Ledger
from blueline.review.weave.growth import grown
from blueline.review.weave.mark import Mark, Segment
from blueline.review.weave.weave import Run, Weave
from tests.support.in_memory import MemoryBlobs, NoSource

LETTERS = st.text("ab \n", max_size=8)
KEY = "one/call"


class Growing:
    """One file, into which a call writes piece by piece."""

    def __init__(self, before: str) -> None:
        self.ledger = Ledger(NoSource())
        self.blobs = MemoryBlobs()
        self.text = before
        self._notice(CallBegan(conversation="one", key=KEY, tool="stream", about={"exact": True}))

    def _notice(self, notice: CallBegan | CallGrew) -> None:
        data = self.text.encode()
        state = Regular(mode=0o644, size=len(data), blob=self.blobs.put(data))
        look = ObservedFiles(agent="agent", path="a.md", outside=None, state=state, held=False, record=0)
        Taking(self.ledger, "", self.blobs.get, self.blobs.put).notice(notice, look)

    def insert(self, at: int, piece: str) -> None:
        """A piece arrives."""
        self.text = self.text[:at] + piece + self.text[at:]
        self._notice(CallGrew(conversation="one", key=KEY, tool="stream", inserted=(at, len(piece))))

    def type(self, text: str) -> None:
        """Somebody else has changed the file."""
        self.text = text
        self._notice(CallGrew(conversation="one", key=KEY, tool="stream", by_others=True))

    @property
    def file(self) -> File:
        file = self.ledger.file_at("a.md")
        assert file is not None
        return file


def runs(file: File) -> list[tuple[object, ...]]:
    return [
        (run.text, run.start, run.insertion.op, run.insertion.whole, run.line_end)
        for weave in file.weaves
        for run in weave.runs
    ]


@given(before=LETTERS, pieces=st.lists(LETTERS.filter(bool), min_size=1, max_size=6), data=st.data())
def test_t01_pieces_are_the_same_as_the_whole(before: str, pieces: list[str], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(before)))
    one_by_one, at_once = Growing(before), Growing(before)
    place = at
    for piece in pieces:
        one_by_one.insert(place, piece)
        place += len(piece)
        assert one_by_one.file.live.text == one_by_one.text
        assert one_by_one.file.baseline.text == before
    at_once.insert(at, "".join(pieces))
    assert runs(one_by_one.file) == runs(at_once.file)
    assert [hunk.pieces for hunk in hunks(one_by_one.file, 0)] == [h.pieces for h in hunks(at_once.file, 0)]


def test_t04_what_somebody_types_between_two_pieces_is_theirs() -> None:
    growing = Growing("top\nend\n")
    growing.insert(4, "agent ")
    growing.type("top\nagent mine end\n")
    growing.insert(len("top\nagent mine "), "again ")
    assert growing.file.live.text == "top\nagent mine again end\n"
    assert len(hunks(growing.file, 0)) == 3
    assert growing.file.baseline.text == "top\nmine end\n"


# What does not grow

OURS = Mark(1, 0, PENDING)
AGENT = Run("agent ", 0, OURS)


OLD = Mark(0, 0, ACCEPTED)


def between(*runs: Run) -> Weave:
    """Some runs between two lines that were there."""
    return Weave.of([Run("top\n", 0, OLD), *runs, Run("end\n", 4, OLD)], {Segment(1, 0): None})


def test_an_insertion_that_nobody_touched_grows_at_its_end() -> None:
    found = grown(between(AGENT), Segment(1, 0), 10, "again ")
    assert found is not None
    assert (found.live.text, found.baseline.text) == ("top\nagent again end\n", "top\nend\n")
    assert found.inside == {Segment(1, 0): None}


def test_the_line_end_that_comes_next_may_be_all_that_shows_of_a_line() -> None:
    gone = Run("gone\n", 4, OLD, (Mark(2, 0, PENDING, whole=True),))
    weave = Weave.of([Run("top\n", 0, OLD), Run("agent ", 0, OURS, (), (0, 8)), gone], {})
    assert weave.live.text == "top\nagent \n"
    found = grown(weave, Segment(1, 0), 10, "again")
    assert found is not None
    assert [run.line_end for run in found.runs if run.insertion.op == 1] == [(0, 8)]


@pytest.mark.parametrize(
    ("weave", "segment", "at", "more"),
    [
        pytest.param(between(AGENT), Segment(9, 0), 10, "again ", id="unknown"),
        pytest.param(between(AGENT), Segment(1, 0), 10, "", id="nothing"),
        pytest.param(between(AGENT), Segment(1, 0), 9, "again ", id="not its end"),
        pytest.param(
            between(AGENT, Run("later ", 6, Mark(1, 1, PENDING))),
            Segment(1, 0),
            10,
            "again ",
            id="more of its operation follows",
        ),
        pytest.param(
            between(Run("agent ", 0, OURS.answered(1, ACCEPTED))), Segment(1, 0), 10, "again ", id="decided"
        ),
        pytest.param(
            between(Run("agent ", 0, OURS.answered(1, ACCEPTED).answered(2, PENDING))),
            Segment(1, 0),
            10,
            "again ",
            id="decided once, and open again",
        ),
        pytest.param(
            between(Run("agent ", 0, OURS, (Mark(2, 0, REJECTED),))),
            Segment(1, 0),
            10,
            "again ",
            id="deleted once",
        ),
        pytest.param(
            between(Run("ag", 0, OURS), Run("x", 0, Mark(2, 0, PENDING)), Run("ent ", 2, OURS)),
            Segment(1, 0),
            11,
            "again ",
            id="another stands in it",
        ),
    ],
)
def test_anything_else_does_not_grow(weave: Weave, segment: Segment, at: int, more: str) -> None:
    assert grown(weave, segment, at, more) is None
