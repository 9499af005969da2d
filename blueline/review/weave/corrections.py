"""Edits that put something else in the place of undecided text, and so are decided with it (rule D1).

Found from the weave when somebody asks, in one pass over the runs of those who may have corrected: nothing is
stored, so it is judged as things are now.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass
from functools import cached_property

from blueline.model.answer import IN_EFFECT, REJECTED
from blueline.model.piece import Piece, PieceAnswer
from blueline.review.weave.mark import Mark, Segment
from blueline.review.weave.weave import IMAGINED, Run, Weave

Counts = Callable[[Mark], bool]
"""Whether a mark is one of those that may be corrected."""

Touched = set[tuple[int, str]]
"""Run numbers, each with what of it is corrected: its insertion or its deletion."""


@dataclass(frozen=True, slots=True)
class Correction:
    """One edit that corrects: its pieces, the runs it inserted and took away, and what it corrects."""

    segment: Segment
    pieces: tuple[Piece, ...]
    runs: tuple[int, ...]
    gone: tuple[int, ...]
    of: frozenset[Piece]
    touched: tuple[int, ...]
    """The runs that `of` are in."""


def corrections(
    weave: Weave, by: Set[int], is_corrected: Counts, stretch_of: Callable[[Segment], int]
) -> list[Correction]:
    """The edits of the operations `by` that correct what counts, oldest first.

    `stretch_of` numbers the stretches of lines in which an operation made its edits.
    """
    if not by:
        return []
    search = _Search(weave, by, is_corrected, stretch_of)
    found = {one.segment: one for one in search.found()}
    if later := search.hiding():
        # What a line held is seen as it was before somebody wrote it anew, who is asked about, too.
        away = [PieceAnswer(piece, REJECTED) for piece, mark in weave.pieces() if mark.op in later]
        earlier = _Search(weave.answer(away, IMAGINED), by, is_corrected, stretch_of)
        found = {one.segment: one for one in earlier.found()} | found
    return sorted(found.values(), key=lambda one: one.segment)


def is_word(character: str) -> bool:
    """Whether a character is part of a word: a letter, a digit or an underscore."""
    return character.isalnum() or character == "_"


@dataclass(slots=True)
class _Edit:
    inserted: list[int]
    deleted: list[int]


class _Search:
    def __init__(
        self, weave: Weave, by: Set[int], is_corrected: Counts, stretch_of: Callable[[Segment], int]
    ) -> None:
        self._weave = weave
        self._runs = weave.runs
        self._is_corrected = is_corrected
        self._stretch_of = stretch_of
        self._edits = self._made_by(by)
        self._found: dict[Segment, Touched] = {}

    def _made_by(self, by: Set[int]) -> dict[Segment, _Edit]:
        edits: dict[Segment, _Edit] = defaultdict(lambda: _Edit([], []))
        first = 0
        for block in self._weave.blocks:
            if not by.isdisjoint(block.ops):
                for number, run in enumerate(block.runs, first):
                    if run.insertion.op in by and run.insertion.state in IN_EFFECT:
                        edits[run.insertion.segment].inserted.append(number)
                    for mark in run.deletions:
                        if mark.op in by and mark.state in IN_EFFECT:
                            edits[mark.segment].deleted.append(number)
            first += len(block.runs)
        return edits

    def hiding(self) -> set[int]:
        """The operations that count and hide what these edits inserted."""
        hidden = (self._runs[number] for edit in self._edits.values() for number in edit.inserted)
        return {mark.op for run in hidden for mark in run.deletions if self._is_corrected(mark)}

    def found(self) -> list[Correction]:
        for _, segments in _by_operation(sorted(self._edits)):
            stretches: dict[int, list[Segment]] = defaultdict(list)
            for segment in segments:
                touched = self._touched(segment)
                if touched:
                    self._found[segment] = touched
                stretches[self._stretch_of(segment)].append(segment)
            for stretch in stretches.values():
                if any(segment in self._found for segment in stretch):
                    self._spread(stretch)
        return [self._correction(segment) for segment in self._found]

    def _correction(self, segment: Segment) -> Correction:
        edit, runs = self._edits[segment], self._runs
        own = [_insertion(runs[number]) for number in edit.inserted]
        own += [_deletion(runs[number], segment.op) for number in edit.deleted]
        of: set[Piece] = set()
        for number, kind in self._found[segment]:
            run = runs[number]
            if kind == "insert":
                of.add(_insertion(run))
            else:
                of |= {_deletion(run, mark.op) for mark in run.deletions if self._is_corrected(mark)}
        touched = tuple(sorted({number for number, _ in self._found[segment]}))
        return Correction(
            segment, tuple(own), tuple(edit.inserted), tuple(edit.deleted), frozenset(of), touched
        )

    # What an edit corrects

    def _touched(self, segment: Segment) -> Touched:
        """The runs that an edit corrects."""
        edit = self._edits[segment]
        if not any(self._is_solid(number) for number in edit.inserted):
            return set()
        touched = self._replaced(edit)
        for number in edit.inserted:
            if self._runs[number].live:
                if not self._runs[number].insertion.whole:
                    touched |= self._between(number)
                touched |= self._in_words(number) | self._on_lines(number) | self._joined_with(number)
        return touched

    def _replaced(self, edit: _Edit) -> Touched:
        """(a) Text stands in the place of theirs; but whole lines may take that of lines only added."""
        gone = [number for number in edit.deleted if self._is_solid(number) and self._theirs(number)]
        lines = all(self._runs[number].insertion.whole for number in edit.inserted)
        if lines and all(self._is_only_added(number) for number in gone):
            return set()
        return set().union(*(self._theirs(number) for number in gone))

    def _is_only_added(self, number: int) -> bool:
        mark = self._runs[number].insertion
        return self._is_corrected(mark) and mark.whole and mark.segment not in self._replacing

    @cached_property
    def _replacing(self) -> set[Segment]:
        """The edits that took something away."""
        return {mark.segment for run in self._runs for mark in run.deletions if mark.state in IN_EFFECT}

    def _between(self, number: int) -> Touched:
        """(b) It stands between two characters of theirs, with nothing but signs and blanks besides."""
        left, right = (self._nearest(number, step) for step in (-1, 1))
        if left is None or right is None:
            return set()
        ours = self._owners(left) & self._owners(right)
        return self._theirs(left) | self._theirs(right) if ours else set()

    def _nearest(self, number: int, step: int) -> int | None:
        for other, text in self._beside(number, step):
            theirs = bool(self._theirs(other))
            for character in text[::step]:
                if character == "\n":
                    return None
                if theirs and not character.isspace():
                    return other
                if not theirs and is_word(character):
                    return None
        return None

    def _in_words(self, number: int) -> Touched:
        """(c) A word holds text of both."""
        found: Touched = set()
        text = self._runs[number].text
        for step, edge in ((-1, text[0]), (1, text[-1])):
            if not is_word(edge):
                continue
            for other, beside in self._beside(number, step):
                length = next((n for n, c in enumerate(beside[::step]) if not is_word(c)), len(beside))
                if length:
                    found |= self._theirs(other)
                if length < len(beside):
                    break
        return found

    def _on_lines(self, number: int) -> Touched:
        """(c) A line that came as a line holds text of both."""
        found: Touched = set()
        text = self._runs[number].text
        for step, edge in ((-1, text.split("\n", 1)[0]), (1, text.rsplit("\n", 1)[-1])):
            if not edge.strip():
                continue
            for other, beside in self._beside(number, step):
                parts = beside.split("\n")
                part = parts[-1] if step < 0 else parts[0]
                if part.strip() and self._runs[other].insertion.whole:
                    found |= self._theirs(other)
                if len(parts) > 1:
                    break
        return found

    def _joined_with(self, number: int) -> Touched:
        """(c) A word would be made of it and of what comes back."""
        found: Touched = set()
        text = self._runs[number].text
        for step, edge in ((-1, text[0]), (1, text[-1])):
            other = number + step
            while is_word(edge) and 0 <= other < len(self._runs):
                run = self._runs[other]
                if run.live and not self._theirs(other):
                    break
                if self._comes_back(other):
                    if is_word(run.text[0 if step > 0 else -1]):
                        found.add((other, "delete"))
                    break
                other += step
        return found

    def _comes_back(self, number: int) -> bool:
        run = self._runs[number]
        gone = [mark for mark in run.deletions if mark.state in IN_EFFECT]
        stays = run.insertion.state in IN_EFFECT and not self._theirs(number)
        return stays and bool(gone) and all(self._is_corrected(mark) for mark in gone)

    # One stretch of lines that was put in the place of others counts as one

    def _spread(self, stretch: list[Segment]) -> None:
        waiting = [segment for segment in stretch if segment not in self._found]
        while waiting:
            more = {segment: touched for segment in waiting if (touched := self._along(segment))}
            if not more:
                return
            self._found |= more
            waiting = [segment for segment in waiting if segment not in more]

    def _along(self, segment: Segment) -> Touched:
        """What an edit corrects because one beside it does."""
        edit = self._edits[segment]
        gone: Touched = set().union(*(self._theirs(n) for n in edit.deleted if self._is_solid(n)))
        if gone:
            return gone
        if edit.deleted or not all(self._runs[number].insertion.whole for number in edit.inserted):
            return set()
        for number, step in ((edit.inserted[0], -1), (edit.inserted[-1], 1)):
            other, _ = next(self._beside(number, step), (None, ""))
            beside = self._runs[other].insertion.segment if other is not None else None
            if beside in self._found and beside.op == segment.op:
                return self._found[beside]
        return set()

    # Runs

    def _is_solid(self, number: int) -> bool:
        return not self._runs[number].text.isspace()

    def _theirs(self, number: int) -> Touched:
        """The runs that somebody who changes this one corrects: it, or what it corrects itself."""
        mark = self._runs[number].insertion
        return {(number, "insert")} if self._is_corrected(mark) else self._found.get(mark.segment, set())

    def _owners(self, number: int) -> set[int]:
        """The operations that a run of theirs belongs to."""
        found = set()
        for other, kind in self._theirs(number):
            run = self._runs[other]
            marks = (run.insertion,) if kind == "insert" else run.deletions
            found |= {mark.op for mark in marks if self._is_corrected(mark)}
        return found

    def _beside(self, number: int, step: int) -> Iterator[tuple[int, str]]:
        """What shows before or after a run that shows: run numbers with what shows of each, outward."""
        spans = self._weave.live.spans
        place = bisect_left(spans, (number,)) + step
        while 0 <= place < len(spans):
            other, start, end = spans[place]
            yield other, self._runs[other].text[start:end]
            place += step


def _by_operation(segments: list[Segment]) -> list[tuple[int, list[Segment]]]:
    found: dict[int, list[Segment]] = defaultdict(list)
    for segment in segments:
        found[segment.op].append(segment)
    return list(found.items())


def _insertion(run: Run) -> Piece:
    return Piece("insert", run.insertion.op, run.insertion.op, run.start, run.end)


def _deletion(run: Run, op: int) -> Piece:
    return Piece("delete", op, run.insertion.op, run.start, run.end)
