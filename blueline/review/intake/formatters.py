"""Formatters: what they do to an agent's undecided text belongs to that text (rule D2).

Told from what people type by what came and went, token by token, and by nothing else: not by when it happened
or in which file. It is recorded as further edits of the operation that the text came with.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from blueline.diff.edits import common_lines
from blueline.diff.formatted_lines import Lines, paired_lines, same_text
from blueline.diff.import_lines import organised
from blueline.diff.token_runs import Same, Seam, compared, moved_lines, words_left_over
from blueline.model.answer import IN_EFFECT, PENDING
from blueline.model.edit import Edit, KeptLine
from blueline.model.piece import Piece
from blueline.review.file import File
from blueline.review.medium.medium import Medium
from blueline.review.operation import BASE, HunkPlace, Joins
from blueline.review.weave.mark import Mark
from blueline.review.weave.weave import Weave


class _Joined(NamedTuple):
    """Characters start:end became `text`, and that belongs to a hunk."""

    start: int
    end: int
    text: str
    owner: HunkPlace


@dataclass(frozen=True, slots=True)
class Formatting:
    """What belongs to undecided text, and the text with it."""

    text: str
    edits: tuple[Edit, ...]
    inserted: tuple[str, ...]
    joins: Joins

    def of(self, file: File, number: int) -> File | None:
        """The file after it; None if that would not show what it should."""
        after = file.joined(number, self.edits, self.inserted, self.joins)
        return after if after.live.text == self.text else None


def moved_text(file: File, new: str, medium: Medium) -> Formatting | None:
    """Lines with undecided text that stand elsewhere, put there by whoever wrote them; None if none do."""
    return _found(file, new, medium, _moves)


def organised_imports(file: File, new: str, medium: Medium) -> Formatting | None:
    """Undecided imports that were sorted, taken apart or put together with others; None if none were."""
    return _found(file, new, medium, _organises)


def formatting(file: File, new: str, medium: Medium) -> Formatting | None:
    """What a formatter did to undecided text on the way to a new one; None if it did nothing."""
    return _found(file, new, medium, _formats)


def kept_lines(file: File, new: str, medium: Medium) -> list[KeptLine]:
    """Lines that are still there, around something undecided: whatever else is compared, those with something
    undecided on or beside them stay whose they are (rule D2 (a))."""
    found: list[KeptLine] = []
    for one in _compared(file, new, medium):
        if not one.here.texts and not one.here.gone:
            continue
        found += one.kept()
    return found


@dataclass(frozen=True, slots=True)
class _Sides:
    """Two stretches of text that differ, and what is undecided in the old one."""

    old: Lines
    new: Lines
    here: "_Places"
    undecided: "_Undecided"
    at: int
    """Where they begin in the whole texts."""
    new_at: int

    def kept(self) -> Iterator[KeptLine]:
        """The lines that are the same but for formatting; and those that were split or joined, of what was
        there at first: of that, it is enough to know that it changed."""
        near = self._near_lines()
        i = j = 0
        for a, b in [*paired_lines(self.old, self.new), (len(self.old.keys), len(self.new.keys))]:
            for lines, new_lines in same_text(self.old, self.new, (i, a), (j, b)):
                if self._is_far(lines, near):
                    yield self._line(lines, new_lines, whole=True)
            if a < len(self.old.keys):
                lines = (a, a + 1)
                yield self._line(lines, (b, b + 1), whole=self._is_far(lines, near))
            i, j = a + 1, b + 1

    def _is_far(self, lines: tuple[int, int], near: set[int]) -> bool:
        if not near.isdisjoint(range(*lines)):
            return False
        start, end = (self.old.starts[line] + self.at for line in lines)
        return self.undecided.is_as_first_seen(start, end)

    def _line(self, old: tuple[int, int], new: tuple[int, int], *, whole: bool) -> KeptLine:
        start, end = (self.old.starts[line] + self.at for line in old)
        new_start, new_end = (self.new.starts[line] + self.new_at for line in new)
        return KeptLine(start, end, new_start, new_end, whole)

    def _near_lines(self) -> set[int]:
        """The lines with something undecided on or beside them."""
        held = self.here.by_line(self.old)
        near = {line + by for line in held for by in (-1, 0, 1)}
        for place, _ in self.here.gone:
            below = bisect_left(self.old.solid, self.old.at(place))
            near |= {*self.old.solid[max(below - 1, 0) : below + 1]}
        return near


def _compared(file: File, new: str, medium: Medium) -> Iterator[_Sides]:
    text = file.live.text
    if text is None:
        return
    undecided = _Undecided(file, file.weaves[int(file.live.node.value)])
    if not undecided.is_there:
        return
    for a, b, c, d in medium.stretches(text, new):
        before, after = text[a:b], new[c:d]
        if before == after:
            continue
        head, tail = _around(before, *common_lines(before, after))
        yield _Sides(
            Lines(before[head : len(before) - tail]),
            Lines(after[head : len(after) - tail]),
            undecided.between(a + head, b - tail),
            undecided,
            a + head,
            c + head,
        )


def _around(text: str, head: int, tail: int) -> tuple[int, int]:
    """How much is the same at the beginning and the end, but for the lines that blank lines may belong to."""
    while head > 0:
        start = text.rfind("\n", 0, head - 1) + 1
        line, head = text[start:head], start
        if line.strip():
            break
    while tail > 0:
        end = text.find("\n", len(text) - tail) + 1 or len(text)
        line, tail = text[len(text) - tail : end], len(text) - end
        if line.strip():
            break
    return head, tail


def _found(
    file: File, new: str, medium: Medium, look: Callable[[_Sides], "list[_Joined]"]
) -> Formatting | None:
    found = [
        _Joined(start + one.at, end + one.at, text, owner)
        for one in _compared(file, new, medium)
        for start, end, text, owner in look(one)
    ]
    return _as_edits(file.live.text or "", found) if found else None


def _as_edits(text: str, found: Iterable[_Joined]) -> Formatting:
    edits, inserted, joins, parts = [], [], [], []
    at = length = 0
    for start, end, new, owner in found:
        parts += [text[at:start], new]
        length += start - at
        edits.append(
            Edit(old_start=start, old_end=end, new_start=length, new_end=length + len(new), hunk=owner.hunk)
        )
        inserted.append(new)
        joins.append((owner.op, owner.log))
        length += len(new)
        at = end
    return Formatting("".join([*parts, text[at:]]), tuple(edits), tuple(inserted), tuple(joins))


# What is undecided


@dataclass(slots=True)
class _Places:
    """Where undecided text stands in a stretch, and where undecided deletions are."""

    texts: list[tuple[int, int, HunkPlace]] = field(default_factory=list)
    """From where to where, in order; a deletion inside a line is a place without a length."""
    gone: list[tuple[int, HunkPlace]] = field(default_factory=list)
    """Where whole lines are gone, in order."""

    def by_line(self, lines: Lines) -> dict[int, HunkPlace]:
        """The latest owner of what stands on each line."""
        found: dict[int, HunkPlace] = {}
        for start, end, owner in self.texts:
            _put(found, lines, start, end, owner)
        return found

    def by_new_line(self, new: Lines, same: list[Same]) -> dict[int, HunkPlace]:
        """The same for a new text, as far as it has the same tokens."""
        found: dict[int, HunkPlace] = {}
        starts = [one.old for one in same]
        for start, end, owner in self.texts:
            for one in same[max(bisect_right(starts, start) - 1, 0) : bisect_right(starts, end)]:
                low, high = max(start, one.old), min(end, one.old + one.length)
                if low < high or (low == high and start == end):
                    _put(found, new, low - one.old + one.new, high - one.old + one.new, owner)
        return found

    def gone_between(self, start: int, end: int) -> Iterator[HunkPlace]:
        """The owners of lines that are gone there, both ends included."""
        first = bisect_left(self.gone, start, key=lambda one: one[0])
        for place, owner in self.gone[first:]:
            if place > end:
                break
            yield owner


def _put(found: dict[int, HunkPlace], lines: Lines, start: int, end: int, owner: HunkPlace) -> None:
    for line in range(lines.at(start), lines.at(max(end - 1, start)) + 1):
        found[line] = max(found.get(line, owner), owner)


class _Undecided:
    """What agents did to a text that nobody has decided on."""

    def __init__(self, file: File, weave: Weave) -> None:
        self._file = file
        self._weave = weave
        self._all = _Places()
        before, text = weave.live.before_run, file.live.text or ""
        for number, run in enumerate(weave.runs):
            inserted, *deleted = run.marks()
            if run.live:
                if (owner := self._owner(*inserted)) is not None:
                    self._all.texts.append((before[number], before[number + 1], owner))
                continue
            gone = [
                (mark, owner)
                for piece, mark in deleted
                if mark.state in IN_EFFECT and (owner := self._owner(piece, mark)) is not None
            ]
            if gone:
                mark, owner = max(gone, key=lambda one: one[1])
                place = before[number]
                if mark.whole:
                    self._all.gone.append((place, owner))
                else:
                    # An end that another one took the place of is of the line above, not of the one below.
                    place -= run.text.endswith("\n") and text[place - 1 : place] == "\n"
                    self._all.texts.append((place, place, owner))
        self.is_there = bool(self._all.texts or self._all.gone)

    def _owner(self, piece: Piece, mark: Mark) -> HunkPlace | None:
        operation = self._file.operations.get(mark.op)
        if mark.state != PENDING or operation is None or operation.first != PENDING:
            return None
        return self._file.place_of(piece, mark)

    def is_as_first_seen(self, start: int, end: int) -> bool:
        """Whether all that stands there, and nothing hidden, stood there when the file was first seen."""
        spans = self._weave.live.spans_between(start, end)
        ((first, _, _), _), ((last, _, _), _) = spans[0], spans[-1]
        runs = self._weave.runs[first : last + 1]
        return all(run.insertion.op == BASE and not run.deletions for run in runs)

    def between(self, start: int, end: int) -> _Places:
        """What is undecided in a stretch, counted from its beginning."""
        found = _Places()
        for low, high, owner in self._all.texts:
            if low <= end and high >= start and (max(low, start) < min(high, end) or low == high):
                found.texts.append((max(low, start) - start, min(high, end) - start, owner))
        found.gone = [(place - start, owner) for place, owner in self._all.gone if start <= place <= end]
        return found


# What belongs to it


def _moves(sides: _Sides) -> list[_Joined]:
    old, new = sides.old, sides.new
    owners = sides.here.by_line(old)
    left = words_left_over(old.text, new.text)
    if not owners or not left:
        return []
    found = []
    for move in moved_lines(old, new, {*owners}):
        lines = range(old.at(move.start), old.at(move.end - 1) + 1)
        owner = max(owners[line] for line in lines if line in owners)
        found.append(_Joined(move.place, move.place, move.text, owner))
        found.append(_Joined(move.start, move.end, "", owner))
    found = _merged(sorted(found, key=lambda one: (one.start, one.end)))
    # Where lines are split and joined, one may look as if it stood elsewhere: words that are there tell.
    return found if words_left_over(_as_edits(old.text, found).text, new.text) < left else []


def _organises(sides: _Sides) -> list[_Joined]:
    old, owners = sides.old, sides.here.by_line(sides.old)
    found = organised(old, sides.new, {*owners}) if owners else []
    asked = [owners[line] for one in found for line in one.lines if line in owners]
    return [_Joined(one.start, one.end, one.text, max(asked)) for one in found]


def _merged(found: list[_Joined]) -> list[_Joined]:
    """Neighbouring insertions of one hunk as one, and neighbouring deletions."""
    merged: list[_Joined] = []
    for one in found:
        last = merged[-1] if merged else None
        same = last is not None and last.owner == one.owner and last.end == one.start
        if same and last is not None and bool(last.text) == bool(one.text):
            merged[-1] = _Joined(last.start, one.end, last.text + one.text, one.owner)
        else:
            merged.append(one)
    return merged


def _formats(sides: _Sides) -> list[_Joined]:
    old, new, here = sides.old, sides.new, sides.here
    owners = here.by_line(old)
    gone_before = sorted({old.at(place) for place, _ in here.gone})
    comparison = compared(old, new, {*owners}, gone_before)
    in_new = here.by_new_line(new, comparison.same)
    return [
        _Joined(seam.start, seam.end, seam.text, owner)
        for seam in comparison.seams
        if (owner := _owner_of(seam, old, owners, in_new, here)) is not None
    ]


def _owner_of(
    seam: Seam, old: Lines, in_old: dict[int, HunkPlace], in_new: dict[int, HunkPlace], here: _Places
) -> HunkPlace | None:
    (first, last), (new_first, new_last) = seam.old_lines, seam.new_lines
    owners = [in_old[line] for line in range(first, last + 1) if line in in_old]
    owners += [in_new[line] for line in range(new_first, new_last + 1) if line in in_new]
    start, end = seam.reach
    if not _is_between_lines(old, start, end) and ("\n" in seam.text or "\n" in old.text[start:end]):
        # Lines that were split or joined: what is gone directly above or below must not come back inside.
        start, end = old.starts[first], old.starts[last + 1]
    owners += here.gone_between(start, end)
    return max(owners, default=None)


def _is_between_lines(old: Lines, start: int, end: int) -> bool:
    """Whether blank lines came or went there, and those above and below are what they were."""
    return all(at > 0 and old.starts[old.at(at)] == at for at in (start, end))
