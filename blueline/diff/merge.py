"""Two changed one text, each without the other: both changes in one text."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from blueline.diff.edits import text_edits


class Swap(NamedTuple):
    """Characters start:end of a text became `text`."""

    start: int
    end: int
    text: str


def swaps(old: str, new: str) -> list[Swap]:
    """What turns one text into another, in order; neighbours as one."""
    found: list[Swap] = []
    for edit in text_edits(old, new):
        start, text = edit.old_start, new[edit.new_start : edit.new_end]
        if found and found[-1].end == start:
            last = found.pop()
            start, text = last.start, last.text + text
        found.append(Swap(start, edit.old_end, text))
    return found


def applied(old: str, changes: Iterable[Swap]) -> str:
    """A text after changes that stand in order and do not overlap."""
    parts, at = [], 0
    for start, end, text in changes:
        parts += [old[at:start], text]
        at = end
    return "".join([*parts, old[at:]])


def merged(base: str, mine: str, theirs: str) -> str:
    """`mine` and `theirs`, both made from `base`, in one.

    What either inserted stands in it, and what either deleted does not. At one place, theirs comes first.
    What both inserted alike at one place stands there once: it may well be the same keystrokes, sent again.
    Two answers for the same words become two lines.
    """
    if theirs in (base, mine):
        return mine
    if mine == base:
        return theirs
    ours, others = swaps(base, mine), swaps(base, theirs)
    for first, last in _contested(base, ours, others):
        ours, others = (_in_lines(base, side, first, last) for side in (ours, others))
    inserts = [*_inserts(others, 0), *_inserts(ours, 1)]
    inserts.sort(key=lambda one: (one.at, one.side))
    inserts = _told_once(inserts)
    gone = _Gone(base, ours, others, inserts)
    parts, at = [], 0
    for one in inserts:
        parts += [gone.kept(at, one.at), one.text]
        at = one.at
    return "".join([*parts, gone.kept(at, len(base))])


class Insert(NamedTuple):
    """A text that one side put at a place."""

    at: int
    side: int
    text: str


def _inserts(changes: Iterable[Swap], side: int) -> Iterator[Insert]:
    for start, _, text in changes:
        if text:
            yield Insert(start, side, text)


def _told_once(inserts: list[Insert]) -> list[Insert]:
    """Of two texts for one place, one of which begins with the other, only the longer."""
    found: list[Insert] = []
    for one in inserts:
        if found and found[-1].at == one.at:
            if found[-1].text.startswith(one.text):
                continue
            if one.text.startswith(found[-1].text):
                found.pop()
        found.append(one)
    return found


def _contested(base: str, ours: list[Swap], others: list[Swap]) -> list[tuple[int, int]]:
    """The lines in which both sides put something else into the place of the same words."""
    found = []
    waiting = iter(others)
    other = next(waiting, None)
    for one in ours:
        while other is not None and other.end <= one.start:
            other = next(waiting, None)
        while other is not None and other.start < one.end:
            if _clash(one, other):
                first, last = min(one.start, other.start), max(one.end, other.end)
                found.append(_lines(base, first, last))
            if other.end >= one.end:
                break
            other = next(waiting, None)
    return _joined(found)


def _clash(one: Swap, other: Swap) -> bool:
    short, long = sorted((one.text, other.text), key=len)
    return bool(short) and one != other and not (one.start == other.start and long.startswith(short))


def _lines(text: str, start: int, end: int) -> tuple[int, int]:
    first = text.rfind("\n", 0, start) + 1
    if end > first and text[end - 1] == "\n":
        return first, end
    return first, text.find("\n", end) + 1 or len(text)


def _in_lines(base: str, side: list[Swap], first: int, last: int) -> list[Swap]:
    """The same changes, with those in some lines as one that replaces these lines."""
    before = [swap for swap in side if swap.end <= first and swap.start < first]
    rest = side[len(before) :]
    inside = [swap for swap in rest if swap.start < last]
    after = rest[len(inside) :]
    if not inside:
        return side
    start, end = min(first, inside[0].start), max(last, inside[-1].end)
    moved = [Swap(swap.start - start, swap.end - start, swap.text) for swap in inside]
    return [*before, Swap(start, end, applied(base[start:end], moved)), *after]


class _Gone:
    """What is left of a text that two sides deleted from."""

    def __init__(self, text: str, ours: list[Swap], others: list[Swap], inserts: list[Insert]) -> None:
        self._text = text
        ranges = [(start, end) for start, end, _ in (*ours, *others) if start < end]
        self._ranges = _without(_joined(ranges), self._line_ends(ours, others, inserts))

    def _line_ends(
        self, ours: list[Swap], others: list[Swap], inserts: list[Insert]
    ) -> list[tuple[int, int]]:
        """Line ends that stay: one side deleted the line, the other put something on it."""
        found = []
        for one in inserts:
            if one.text.endswith("\n"):
                continue
            own, foreign = (others, ours) if one.side == 0 else (ours, others)
            end = self._text.find("\n", one.at)
            if end >= 0 and _deletes(foreign, end) and not _deletes(own, end):
                found.append((end - (self._text[end - 1 : end] == "\r"), end + 1))
        return found

    def kept(self, start: int, end: int) -> str:
        """What is left of characters start:end."""
        parts = []
        for low, high in self._ranges[max(0, bisect_right(self._ranges, (start,)) - 1) :]:
            if low >= end:
                break
            parts.append(self._text[start:low])
            start = max(start, high)
        return "".join([*parts, self._text[start:end]])


def _deletes(side: list[Swap], at: int) -> bool:
    place = bisect_right(side, at, key=lambda swap: swap.start) - 1
    # An insertion may stand exactly where a deletion begins, behind it in the list or before.
    return any(swap.start <= at < swap.end for swap in side[max(0, place - 1) : place + 2])


def _joined(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges in order, where they touch or overlap as one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def _without(ranges: list[tuple[int, int]], holes: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges but for what the holes take out of them."""
    found = []
    rest = _joined(holes)
    for start, end in ranges:
        for low, high in rest:
            if start < high and low < end:
                if start < low:
                    found.append((start, low))
                start = high
        if start < end:
            found.append((start, end))
    return found
