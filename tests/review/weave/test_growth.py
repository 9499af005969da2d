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
from blueline.review.weave import weave as weave_module
from blueline.review.weave.growth import grown
from blueline.review.weave.mark import Mark, Segment
from blueline.review.weave.weave import Run, Weave
from tests.review.weave.letters import ALPHABET, History, Letter, hidden, is_whole, label, letters
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


def as_one(weave: Weave, segment: Segment, at: int, more: str) -> list[Letter] | None:
    """The letters of a weave in which more was inserted at once; None if there are reasons against it."""
    found = letters(weave)
    places = [number for number, one in enumerate(found) if one.segment == segment]
    if not places or places != [*range(places[0], places[-1] + 1)] or not more:
        return None
    own = [found[number] for number in places]
    if any(one.insertion.state != PENDING or one.insertion.log or one.deletions for one in own):
        return None
    last = max(one.name for one in found if one.name[0] == segment.op)
    before, after = found[: places[0]], found[places[-1] + 1 :]
    shown = "".join(one.text for one in before if one.shows)
    if len(shown) + len(own) != at or own[-1].name != last:
        return None
    text = "".join(one.text for one in own) + more
    ends = [one.name for one in after if one.shows and one.text == "\n"]
    made = []
    for number, letter in enumerate(text):
        whole = is_whole(text, number, at_line_start=shown[-1:] in ("", "\n"))
        line_end = ends[0] if ends else None
        if "\n" in text[number:]:
            line_end = segment.op, own[0].name[1] + text.index("\n", number)
        mark = label(Mark(segment.op, segment.edit, PENDING, whole=whole))
        name = segment.op, own[0].name[1] + number
        made.append(Letter(letter, name, mark, (), line_end, shows=True))
    return [*before, *made, *after]


@pytest.mark.parametrize("alphabet", [ALPHABET, "a\n"], ids=["text", "lines"])
@pytest.mark.parametrize("block", [1, weave_module.BLOCK])
def test_what_grows_is_as_if_it_had_come_at_once(
    monkeypatch: pytest.MonkeyPatch, block: int, alphabet: str
) -> None:
    monkeypatch.setattr(weave_module, "BLOCK", block)
    count = 0
    for seed in range(25):
        history = History(seed, alphabet)
        for _ in range(5):
            history.go_on()
            weave, more = history.weave, history.words(5)
            for segment in {*weave.inside, Segment(99, 0)}:
                for at in range(len(weave.live.text) + 1):
                    found, expected = grown(weave, segment, at, more), as_one(weave, segment, at, more)
                    assert (found is None) == (expected is None)
                    if found is not None and expected is not None:
                        assert hidden(letters(found)) == hidden(expected)
                        assert found.inside is weave.inside
                        count += 1
    assert count > 20
