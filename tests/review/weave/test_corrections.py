"""Who corrects what, held against rule D1 as it is written: slow, plain, and looked up anew each time."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest

from blueline.model.answer import ACCEPTED, IN_EFFECT, REJECTED
from blueline.model.piece import Piece, PieceAnswer
from blueline.review.weave import weave as weave_module
from blueline.review.weave.corrections import Correction, corrections
from blueline.review.weave.mark import Mark, Segment
from blueline.review.weave.stroke import woven
from blueline.review.weave.weave import IMAGINED, Run, Weave
from tests.review.weave.letters import ALPHABET, History, edits, is_word

Touched = set[tuple[int, str]]


class Corrected:
    """What the edits of some operations correct of those of others."""

    def __init__(self, weave: Weave, by: set[int], theirs: set[int]) -> None:
        self._theirs_ops = theirs
        self._runs = weave.runs
        self._shown = [""] * len(self._runs)
        for number, start, end in weave.live.spans:
            self._shown[number] = self._runs[number].text[start:end]
        self._edits = sorted({mark.segment for _, mark in weave.pieces() if self._counts(mark, by)})
        self.found: dict[Segment, Touched] = {}
        for op in sorted({edit.op for edit in self._edits}):
            edits = [edit for edit in self._edits if edit.op == op]
            for edit in edits:
                if touched := self._touched(edit):
                    self.found[edit] = touched
            for stretch in {stretch_of(edit): None for edit in edits}:
                self._spread([edit for edit in edits if stretch_of(edit) == stretch])

    def _counts(self, mark: Mark, ops: set[int]) -> bool:
        return mark.op in ops and mark.state in IN_EFFECT

    def counts(self, mark: Mark) -> bool:
        return mark.op in self._theirs_ops

    def inserted(self, edit: Segment) -> list[int]:
        return [number for number, run in enumerate(self._runs) if self._is_of(run.insertion, edit)]

    def deleted(self, edit: Segment) -> list[int]:
        return [
            number
            for number, run in enumerate(self._runs)
            for mark in run.deletions
            if self._is_of(mark, edit)
        ]

    def _is_of(self, mark: Mark, edit: Segment) -> bool:
        return mark.segment == edit and mark.state in IN_EFFECT

    def hiding(self) -> set[int]:
        """Who counts and hides what these edits inserted."""
        runs = [self._runs[number] for edit in self._edits for number in self.inserted(edit)]
        return {mark.op for run in runs for mark in run.deletions if self.counts(mark)}

    def _touched(self, edit: Segment) -> Touched:
        inserted = [self._runs[number] for number in self.inserted(edit)]
        if all(run.text.isspace() for run in inserted):
            return set()
        gone = [number for number in self.deleted(edit) if self._is_solid(number) and self._theirs(number)]
        lines = all(run.insertion.whole for run in inserted)
        found: Touched = set()
        if not lines or not all(self._is_only_added(number) for number in gone):
            found = self._all_theirs(gone)
        for number in self.inserted(edit):
            run = self._runs[number]
            if run.live:
                found |= set() if run.insertion.whole else self._between(number)
                for step in (-1, 1):
                    found |= self._word(number, step) | self._line(number, step) | self._comes(number, step)
        return found

    def _is_only_added(self, number: int) -> bool:
        mark = self._runs[number].insertion
        return self.counts(mark) and mark.whole and not self.deleted(mark.segment)

    def _between(self, number: int) -> Touched:
        ends = [self._next_to(number, step) for step in (-1, 1)]
        owners = [self._owners(end) if end is not None else set() for end in ends]
        both = owners[0] & owners[1]
        return self._all_theirs([end for end in ends if end is not None]) if both else set()

    def _next_to(self, number: int, step: int) -> int | None:
        for other, letter in self._line_letters(number, step):
            if self._theirs(other) and not letter.isspace():
                return other
            if not self._theirs(other) and is_word(letter):
                return None
        return None

    def _owners(self, number: int) -> set[int]:
        found = set()
        for other, kind in self._theirs(number):
            run = self._runs[other]
            marks = [run.insertion] if kind == "insert" else [*run.deletions]
            found |= {mark.op for mark in marks if self.counts(mark)}
        return found

    def _word(self, number: int, step: int) -> Touched:
        """Theirs in the word that a run begins or ends with."""
        found: Touched = set()
        if is_word(self._edge(self._runs[number], step)):
            for other, letter in self._letters(number, step):
                if not is_word(letter):
                    break
                found |= self._theirs(other)
        return found

    def _edge(self, run: Run, step: int) -> str:
        return run.text[0 if step < 0 else -1]

    def _line(self, number: int, step: int) -> Touched:
        """Theirs that came as lines, on the line that a run begins or ends on."""
        found: Touched = set()
        own = self._runs[number].text.split("\n")[0 if step < 0 else -1]
        if own.strip():
            for other, letter in self._line_letters(number, step):
                if self._runs[other].insertion.whole and not letter.isspace():
                    found |= self._theirs(other)
        return found

    def _comes(self, number: int, step: int) -> Touched:
        """What they took away and makes one word with a run, should it come back."""
        if not is_word(self._edge(self._runs[number], step)):
            return set()
        beyond = range(number - 1, -1, -1) if step < 0 else range(number + 1, len(self._runs))
        for other in beyond:
            run = self._runs[other]
            if run.live and not self._theirs(other):
                return set()
            gone = [mark for mark in run.deletions if mark.state in IN_EFFECT]
            stays = run.insertion.state in IN_EFFECT and not self._theirs(other)
            if stays and gone and all(self.counts(mark) for mark in gone):
                return {(other, "delete")} if is_word(self._edge(run, -step)) else set()
        return set()

    def _letters(self, number: int, step: int) -> Iterator[tuple[int, str]]:
        """What shows beside a run, letter by letter."""
        beyond = range(number - 1, -1, -1) if step < 0 else range(number + 1, len(self._runs))
        return ((other, letter) for other in beyond for letter in self._shown[other][::step])

    def _line_letters(self, number: int, step: int) -> Iterator[tuple[int, str]]:
        for other, letter in self._letters(number, step):
            if letter == "\n":
                return
            yield other, letter

    def _spread(self, stretch: list[Segment]) -> None:
        """What stands beside a correction, and came with it, is one."""
        while any(edit in self.found for edit in stretch):
            more = {edit: self._along(edit) for edit in stretch if edit not in self.found}
            more = {edit: touched for edit, touched in more.items() if touched}
            if not more:
                return
            self.found |= more

    def _along(self, edit: Segment) -> Touched:
        inserted, deleted = self.inserted(edit), self.deleted(edit)
        gone = self._all_theirs([number for number in deleted if self._is_solid(number)])
        if gone or deleted or not all(self._runs[number].insertion.whole for number in inserted):
            return gone
        for number, step in ((inserted[0], -1), (inserted[-1], 1)):
            other = next((other for other, _ in self._letters(number, step)), None)
            beside = None if other is None else self._runs[other].insertion.segment
            if beside is not None and beside.op == edit.op and beside in self.found:
                return self.found[beside]
        return set()

    def _is_solid(self, number: int) -> bool:
        return not self._runs[number].text.isspace()

    def _theirs(self, number: int) -> Touched:
        mark = self._runs[number].insertion
        return {(number, "insert")} if self.counts(mark) else self.found.get(mark.segment, set())

    def _all_theirs(self, numbers: list[int]) -> Touched:
        return {one for number in numbers for one in self._theirs(number)}

    def corrections(self) -> dict[Segment, Correction]:
        return {edit: self._correction(edit, touched) for edit, touched in self.found.items()}

    def _correction(self, edit: Segment, touched: Touched) -> Correction:
        inserted, deleted = self.inserted(edit), self.deleted(edit)
        pieces = [
            *(self._piece(number, "insert", edit.op) for number in inserted),
            *(self._piece(number, "delete", edit.op) for number in deleted),
        ]
        of = {
            self._piece(number, kind, mark.op)
            for number, kind in touched
            for mark in ([self._runs[number].insertion] if kind == "insert" else self._runs[number].deletions)
            if self.counts(mark)
        }
        runs = tuple(sorted({number for number, _ in touched}))
        return Correction(edit, tuple(pieces), tuple(inserted), tuple(deleted), frozenset(of), runs)

    def _piece(self, number: int, kind: str, op: int) -> Piece:
        run = self._runs[number]
        return Piece("insert" if kind == "insert" else "delete", op, run.insertion.op, run.start, run.end)


def stretch_of(edit: Segment) -> int:
    return edit.edit // 3


def is_of(ops: set[int], mark: Mark) -> bool:
    return mark.op in ops


def expected(weave: Weave, by: set[int], theirs: set[int]) -> list[Correction]:
    now = Corrected(weave, by, theirs)
    found = now.corrections()
    if later := now.hiding():
        away = [PieceAnswer(piece, REJECTED) for piece, mark in weave.pieces() if mark.op in later]
        found = Corrected(weave.answer(away, IMAGINED), by, theirs).corrections() | found
    return [found[edit] for edit in sorted(found)]


@pytest.mark.parametrize("block", [2, weave_module.BLOCK])
@pytest.mark.parametrize("alphabet", [ALPHABET, "ab \n", "ab"], ids=["text", "lines", "a word"])
@pytest.mark.parametrize("seed", range(3))
def test_d1_what_corrects_is_found_as_the_rule_says(
    monkeypatch: pytest.MonkeyPatch, seed: int, alphabet: str, block: int
) -> None:
    monkeypatch.setattr(weave_module, "BLOCK", block)
    for number in range(12):
        history = History(seed * 1000 + number, alphabet)
        for _ in range(7):
            history.go_on()
            ops = range(history.op + 1)
            by = {op for op in ops if op % 2}
            theirs = {op for op in ops if op % 2 == 0 and op % 3}
            found = corrections(history.weave, by, partial(is_of, theirs), stretch_of)
            assert found == expected(history.weave, by, theirs)


@pytest.mark.parametrize(
    ("text", "theirs", "ours", "of"),
    [
        (" \n", [(0, 0, "X"), (1, 1, "Y")], (1, 1, "-"), {"X", "Y"}),
        ("date\n", [(0, 4, "")], (0, 0, "x"), {"date"}),
    ],
    ids=["a blank besides", "the very first run"],
)
def test_d1_at_the_edges(
    text: str, theirs: list[tuple[int, int, str]], ours: tuple[int, int, str], of: set[str]
) -> None:
    weave = Weave.of([Run(text, 0, Mark(0, 0, ACCEPTED, whole=True))], {})
    weave = woven(woven(weave, edits(*theirs, op=2)), edits(ours, op=3))
    (found,) = corrections(weave, {3}, partial(is_of, {2}), stretch_of)
    assert [found] == expected(weave, {3}, {2})
    assert {weave.runs[number].text for number in found.touched} == of


def test_who_did_nothing_corrects_nothing() -> None:
    history = History(1)
    assert corrections(history.weave, set(), lambda mark: True, stretch_of) == []
