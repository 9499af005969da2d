"""A part of a hunk: some lines, one word, what stands beside a person's text."""

from __future__ import annotations

import itertools

import pytest

from blueline.model.file_state import Regular
from blueline.model.notice import CallBegan, CallFinished
from blueline.model.verdict import Verdict
from blueline.review.deciding.planning import plan
from blueline.review.deciding.selected_pieces import pieces_between
from blueline.review.file import File
from blueline.review.intake.taking import ObservedFiles, Taking
from blueline.review.ledger import Ledger
from tests.support.in_memory import MemoryBlobs, NoSource
from tests.support.project import POEM, Document, Make, Project

NEW = [f"new {number}\n" for number in range(1, 13)]


def with_twelve_lines(project: Make) -> Project:
    p = project({"a.md": "top\nend\n"})
    p.prompt()
    p.edit("a.md", "top\n", "top\n" + "".join(NEW))
    return p


@pytest.mark.parametrize(
    ("first", "last"), [(3, 5), (1, 1), (1, 4), (9, 12), (12, 12), (1, 12)], ids=lambda line: str(line)
)
def test_p01_some_lines_of_a_hunk_go_and_the_rest_is_pending(project: Make, first: int, last: int) -> None:
    p = with_twelve_lines(project)
    (whole,) = p.hunks()
    p.reject(f"a.md:{first + 1}-{last + 1}")  # below `top`
    left = NEW[: first - 1] + NEW[last:]
    assert p.text("a.md") == "".join(["top\n", *left, "end\n"])
    rest = p.hunks()
    assert "".join(hunk["new"] for hunk in rest) == "".join(left)
    assert len(rest) == (first > 1) + (last < 12)
    for hunk in rest:
        assert hunk["id"] != whole["id"]
        assert hunk["id"].startswith(whole["id"])
    p.undo()
    assert p.hunks() == [whole]


def test_p01_parts_can_be_divided_again(project: Make) -> None:
    p = with_twelve_lines(project)
    p.accept("a.md:2-4")
    p.reject("a.md:8-8")
    p.reject("a.md:10-11")
    left = NEW[:6] + NEW[7:9] + NEW[11:]
    assert p.text("a.md") == "".join(["top\n", *left, "end\n"])
    assert "".join(hunk["new"] for hunk in p.hunks()) == "".join(left[3:])
    p.reject()
    assert p.text("a.md") == "".join(["top\n", *NEW[:3], "end\n"])


def test_p03_after_one_word_of_a_line_is_accepted_only_the_rest_is_shown(project: Make) -> None:
    p = project({"a.md": "one two three four\nnext\n"})
    p.prompt()
    p.edit("a.md", "one", "ONE")
    p.edit("a.md", "four", "FOUR")
    first = next(hunk for hunk in p.hunks() if hunk["call"] == "c1")
    p.accept(first["id"])
    (rest,) = p.hunks()
    assert (rest["old"], rest["new"]) == ("ONE two three four\n", "ONE two three FOUR\n")
    p.reject(rest["id"])
    assert p.text("a.md") == "ONE two three four\nnext\n"


class Sheet:
    """One file, one call of an agent that changed it, and characters to choose from. No disk."""

    def __init__(self, old: str, new: str) -> None:
        self._blobs = MemoryBlobs()
        self._ledger = Ledger(NoSource())
        taking = Taking(self._ledger, "", self._blobs.get, self._blobs.put)
        taking.notice(CallBegan(conversation="c", key="c/1", tool="Write"), self._look(old))
        taking.notice(CallFinished(conversation="c", key="c/1", tool="Write", failed=False), self._look(new))

    def _look(self, text: str) -> ObservedFiles:
        state = Regular(mode=0o644, size=len(text), blob=self._blobs.put(text.encode()))
        return ObservedFiles(agent="one", path="a.md", outside=None, state=state, held=False, record=0)

    @property
    def _file(self) -> File:
        file = self._ledger.file_at("a.md")
        assert file is not None
        return file

    def decide(self, verdict: Verdict, word: str) -> None:
        """Answer about one word of the file as it is."""
        at = self.texts()[1].index(word)
        chosen = {1: (self._file, pieces_between(self._file, at, at + len(word)))}
        number = self._ledger.counters.decision + 1
        (planned,) = plan(chosen, verdict, decision=number, salt=0).files
        self._ledger.count(decision=number)
        self._ledger.put_file(planned.after)

    def texts(self) -> tuple[str, str]:
        """What is agreed, and the file as it is: the difference is what there is to decide."""
        return self._file.baseline.text or "", self._file.live.text or ""


def test_p03_so_it_is_for_one_word_of_a_hunk_with_two() -> None:
    sheet = Sheet("one two three four\nnext\n", "ONE two three FOUR\nnext\n")
    sheet.decide("accept", "ONE")
    assert sheet.texts() == ("ONE two three four\nnext\n", "ONE two three FOUR\nnext\n")
    sheet.decide("reject", "FOUR")
    assert sheet.texts() == ("ONE two three four\nnext\n", "ONE two three four\nnext\n")


def test_p03_and_for_one_word_of_a_line_that_is_new() -> None:
    sheet = Sheet("top\nend\n", "top\nsome new words\nend\n")
    sheet.decide("reject", "new ")
    assert sheet.texts() == ("top\nend\n", "top\nsome words\nend\n")
    sheet.decide("accept", "some words\n")
    assert sheet.texts() == ("top\nsome words\nend\n", "top\nsome words\nend\n")


def test_p04_a_selection_without_anything_pending_does_nothing_and_says_so(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "untouched\n"})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.accept()
    p.edit("a.md", "line 9\n", "NINE\n")
    known, on_disk, journal = p.known(), p.on_disk(), p.journal.read_bytes()
    for selector in ("a.md:3-3", "b.md", "c1", ".blueline"):
        for verdict in ("accept", "reject"):
            answer = p.decide(verdict, [selector])
            assert (answer["decision"], answer["results"], answer["written"]) == (None, [], []), selector
            assert answer["needs"] == []
    assert (p.known(), p.on_disk(), p.journal.read_bytes()) == (known, on_disk, journal)
    done = p.command("reject", "a.md:12-15")
    assert done.returncode == 1  # D8
    assert "nothing" in done.stderr.lower()


@pytest.mark.parametrize("verdict", ["accept", "reject"])
def test_p05_a_persons_text_in_the_selection_is_never_altered(project: Make, verdict: Verdict) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\nline 4\n", "three\nfour\n")
    p.edit("a.md", "line 8\n", "line 8\nnew 1\nnew 2\n")
    p.sub("a.md", "line 5\n", "five, by hand\n")
    p.sub("a.md", "new 1\n", "new 1\nmine\n")
    p.sub("a.md", "line 7\n", "")
    before = p.text("a.md")
    assert p.decide(verdict, ["a.md:2-12"])["needs"] == []
    mine = POEM.replace("line 5\n", "five, by hand\n").replace("line 7\n", "")
    expected = before if verdict == "accept" else mine.replace("line 8\n", "line 8\nmine\n")
    assert (p.text("a.md"), p.hunks()) == (expected, [])
    p.undo()
    assert p.text("a.md") == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("one\ntwo", "one\ntwo\nthree"),
        ("one\ntwo", "one\ntwo\nthree\n"),
        ("one\ntwo", "one\ntwo\n"),
        ("one\ntwo\n", "one\ntwo"),
        ("one\ntwo", "one\n"),
        ("one\ntwo", "one"),
        ("one", "one\r\ntwo"),
        ("", "one"),
        ("one", ""),
    ],
)
def test_p06_a_last_line_without_its_end_is_exact_after_reject(project: Make, old: str, new: str) -> None:
    p = project({"a.md": old})
    p.prompt()
    p.write("a.md", new)
    p.reject()
    assert p.text("a.md") == old
    p.undo()
    assert p.text("a.md") == new


def test_p06_so_it_is_when_a_person_went_on_typing_there(project: Make) -> None:
    p = project({"a.md": "one\ntwo"})
    p.prompt()
    p.write("a.md", "one\ntwo\nthree")
    p.put("a.md", "zero\none\ntwo\nthree")
    p.reject()
    assert p.text("a.md") == "zero\none\ntwo"


ANSWERS: list[tuple[Verdict, str]] = [
    ("reject", "THREE"),
    ("accept", "NINE"),
    ("reject", "new 2"),
    ("accept", "new 3"),
]


def statuses(p: Project) -> list[tuple[str, str, str]]:
    found: list[Document] = p.hunks(status="all")
    return sorted((hunk["status"], hunk["old"], hunk["new"]) for hunk in found if hunk["call"])


def test_p07_piece_by_piece_in_any_order_is_the_same_as_in_one_batch(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.edit("a.md", "line 4\nline 5\n", "")
    p.edit("a.md", "line 9\n", "NINE\n")
    p.edit("a.md", "line 12\n", "line 12\nnew 1\nnew 2\nnew 3\n")

    def place(word: str) -> str:
        line = p.text("a.md").splitlines().index(word) + 1
        return f"a.md:{line}-{line}"

    # The deletion of lines 4 and 5 stands on line 3, so it goes with it.
    batches: list[tuple[str, object]] = []
    for order in [None, *itertools.permutations(ANSWERS)]:
        if order is None:
            rejected = [place(word) for verdict, word in ANSWERS if verdict == "reject"]
            accepted = [place(word) for verdict, word in ANSWERS if verdict == "accept"]
            decisions = [p.accept(*accepted)["decision"]]
            decisions += [p.reject(*rejected)["decision"]]
        else:
            decisions = [p.decide(verdict, [place(word)])["decision"] for verdict, word in order]
        batches.append((p.text("a.md"), statuses(p)))
        for decision in reversed(decisions):
            p.undo(decision)
    expected = POEM.replace("line 9\n", "NINE\n").replace("line 12\n", "line 12\nnew 1\nnew 3\n")
    assert batches[0][0] == expected
    for batch in batches:
        assert batch == batches[0]
