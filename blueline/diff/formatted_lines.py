"""Texts line by line, without what formatters add and take away: which lines are the same but for that."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import accumulate, pairwise

from blueline.diff.edits import common_end, common_start
from blueline.diff.sequences import Change, changes

FORMATTING = " \t\r\f\v'\"`,;(){}"
"""What formatters add and take away, besides line ends."""

WITHOUT_FORMATTING = str.maketrans("", "", FORMATTING)
TOKEN = re.compile(r"\w+|[^\w\s]")
SOLID = re.compile(rf"\w+|[^\w\s{re.escape(FORMATTING)}]")


class Lines:
    """A text, line by line, with and without formatting."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.keys = text.translate(WITHOUT_FORMATTING).split("\n")
        self.starts = [*accumulate([len(line) + 1 for line in text.split("\n")], initial=0)]
        self.starts[-1] = len(text)
        self.solid = [number for number, key in enumerate(self.keys) if TOKEN.search(key)]

    def at(self, offset: int) -> int:
        """The line that a character is on."""
        return min(bisect_right(self.starts, offset) - 1, len(self.keys) - 1)

    def between(self, first: int, last: int) -> str:
        """The lines first:last, half-open, with their ends."""
        return self.text[self.starts[first] : self.starts[last]]


def paired_lines(old: Lines, new: Lines) -> list[tuple[int, int]]:
    """Lines that are the same but for formatting, in order.

    As far as both sides say the same, from the beginning and from the end, lines are told by where they stand
    in that, however many were split or joined: those that only look alike are others. Between, too, if lines
    may have been split there.
    """
    ours, theirs = ("".join(side.keys[n] for n in side.solid) for side in (old, new))
    head = common_start(ours, theirs)
    tail = common_end(ours, theirs, min(len(ours), len(theirs)) - head)
    ends, new_ends = (
        [*accumulate((len(side.keys[n]) for n in side.solid), initial=0)] for side in (old, new)
    )
    above = _in_step(ends, new_ends, range(head + 1), 0)
    below = _in_step(ends, new_ends, range(len(ours) - tail, len(ours) + 1), len(theirs) - len(ours))
    (first, new_first), (last, new_last) = above[-1], below[0]
    between = _by_line(old, new, old.solid[first:last], new.solid[new_first:new_last])
    found = [one for one, other in pairwise(above) if other == (one[0] + 1, one[1] + 1)]
    found += [(first + a, new_first + b) for a, b in between]
    found += [one for one, other in pairwise(below) if other == (one[0] + 1, one[1] + 1)]
    return [(old.solid[a], new.solid[b]) for a, b in found]


def _by_line(old: Lines, new: Lines, ours: list[int], theirs: list[int]) -> list[tuple[int, int]]:
    """Which of some lines are the same as which of others, by their numbers among these."""
    differ = changes([old.keys[n] for n in ours], [new.keys[n] for n in theirs])
    if any(min(b - a, d - c) > 0 and b - a != d - c for a, b, c, d in differ):
        return _by_token(old, new, ours, theirs)
    return [*_same(differ, len(ours), len(theirs))]


def _by_token(old: Lines, new: Lines, ours: list[int], theirs: list[int]) -> list[tuple[int, int]]:
    """The same, by what stands on all of them."""
    tokens, new_tokens = (
        [SOLID.findall(side.between(n, n + 1)) for n in numbers]
        for side, numbers in ((old, ours), (new, theirs))
    )
    ends, new_ends = ([*accumulate(map(len, side), initial=0)] for side in (tokens, new_tokens))
    sides = [token for line in tokens for token in line], [token for line in new_tokens for token in line]
    begins = {end: number for number, end in enumerate(new_ends[:-1])}
    there = dict(_same(changes(*sides), ends[-1], new_ends[-1]))
    found = []
    for number, (start, end) in enumerate(pairwise(ends)):
        other = begins.get(there.get(start, -1))
        if other is None or tokens[number] != new_tokens[other]:
            continue
        if there.get(end - 1) == new_ends[other + 1] - 1:
            found.append((number, other))
    return found


def _same(differ: list[Change], length: int, new_length: int) -> Iterator[tuple[int, int]]:
    """What did not change, by its numbers on both sides."""
    i = j = 0
    for a, b, c, d in [*differ, (length, length, new_length, new_length)]:
        yield from zip(range(i, a), range(j, c), strict=True)
        i, j = b, d


def _in_step(ends: list[int], new_ends: list[int], where: range, shift: int) -> list[tuple[int, int]]:
    """How many lines of both sides have ended, wherever lines of both end at the same place."""
    at = {end: number for number, end in enumerate(new_ends)}
    first, last = bisect_left(ends, where.start), bisect_left(ends, where.stop)
    found = ((number, at.get(ends[number] + shift)) for number in range(first, last))
    return [(number, other) for number, other in found if other is not None]


def same_text(
    old: Lines, new: Lines, lines: tuple[int, int], new_lines: tuple[int, int]
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """The lines of one side, from one to another, that were split or joined to lines of the other side."""
    (i, last), (j, new_last) = lines, new_lines
    first, new_first = i, j
    text = new_text = ""
    while i < last or j < new_last:
        if i < last and (len(text) <= len(new_text) or j == new_last):
            text, i = text + old.keys[i], i + 1
        else:
            new_text, j = new_text + new.keys[j], j + 1
        if text == new_text and text:
            yield (first, i), (new_first, j)
            first, new_first, text, new_text = i, j, "", ""
