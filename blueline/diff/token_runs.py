"""Two texts compared token by token: where only formatting came or went, and which lines stand elsewhere.

Tokens are words, numbers and single other characters; blanks and line ends are between them (rule D2). Lines
that are the same but for formatting are paired first, so that tokens have to be compared only in lines that
somebody asks about.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from blueline.diff.formatted_lines import (
    SOLID,
    TOKEN,
    WITHOUT_FORMATTING,
    Lines,
    paired_lines,
    same_text,
)
from blueline.diff.sequences import changes

_PAIRS = {")": "(", "}": "{"}

WIDEST = 200
"""How many lines that are the same on both sides something may have come past, to be found again."""


class Same(NamedTuple):
    """Characters that stand in both texts."""

    old: int
    new: int
    length: int


class Seam(NamedTuple):
    """A place where nothing but formatting came or went: characters start:end became `text`.

    What it touches, on both sides: the lines first:last, both included.
    """

    start: int
    end: int
    text: str
    old_lines: tuple[int, int]
    new_lines: tuple[int, int]
    reach: tuple[int, int]
    """From where to where it stands, before what is equal on both sides was cut off."""


_BothLines = tuple[tuple[int, int], tuple[int, int]]
"""Lines of the old text, first and last, and of the new one."""


class MovedLines(NamedTuple):
    """Lines start:end of the old text stand elsewhere as `text`: before character `place` of the old text."""

    start: int
    end: int
    place: int
    text: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is the same, and where formatting came or went, around the lines that were asked about."""

    same: list[Same]
    seams: list[Seam]


class _Block(NamedTuple):
    """Lines that have to do with each other: half-open, on both sides."""

    old: tuple[int, int]
    new: tuple[int, int]
    paired: bool
    """The same on both sides, but for formatting."""


def moved_lines(old: Lines, new: Lines, asked: set[int]) -> list[MovedLines]:
    """Of the old lines that are asked about, those that stand elsewhere in the new text, in its order."""
    pairs = paired_lines(old, new)
    taken_old, taken_new = {i for i, _ in pairs}, {j for _, j in pairs}
    there: dict[str, list[int]] = {}
    for j in new.solid:
        if j not in taken_new and new.starts[j + 1] < len(new.text) + new.text.endswith("\n"):
            there.setdefault(new.keys[j], []).append(j)
    came_from: dict[int, int] = {}
    for i in old.solid:
        places = there.get(old.keys[i])
        if i in asked and i not in taken_old and places and old.between(i, i + 1).endswith("\n"):
            came_from[places.pop(0)] = i
    found = []
    for j, i in sorted(came_from.items()):
        above = _blank_above(old, new, i, j, came_from)
        place = old.starts[_place(old, new, j, pairs, came_from)]
        found.append(
            MovedLines(old.starts[i - above], old.starts[i + 1], place, new.between(j - above, j + 1))
        )
    return found


def _blank_above(old: Lines, new: Lines, i: int, j: int, came_from: dict[int, int]) -> int:
    """How many blank lines came along between a line that moved and the one above it."""
    count = 0
    while i - count > 0 and not old.between(i - count - 1, i - count).strip():
        count += 1
    along = came_from.get(j - count - 1) == i - count - 1
    return count if along and old.between(i - count, i) == new.between(j - count, j) else 0


def _place(old: Lines, new: Lines, j: int, pairs: list[tuple[int, int]], came_from: dict[int, int]) -> int:
    """The old line before which a line stands that is new among the new ones.

    After the line that is paired above it; and after those between, if they make up what stands between.
    """
    number = bisect_left(pairs, j, key=lambda pair: pair[1])
    first, begin = (pairs[number - 1][0] + 1, pairs[number - 1][1] + 1) if number else (0, 0)
    last = pairs[number][0] if number < len(pairs) else len(old.keys)
    above = "".join(new.keys[n] for n in range(begin, j) if n not in came_from)
    moved, here = {*came_from.values()}, ""
    for line in range(first, last):
        if here == above:
            return line
        here += old.keys[line] if line not in moved else ""
    return first


# What came and went


def compared(old: Lines, new: Lines, asked: set[int], places: Sequence[int]) -> Comparison:
    """The texts compared around the old lines that are asked about, and the places before some lines."""
    blocks = _widened(old, new, _blocks(old, new, paired_lines(old, new)), asked, places)
    found = Comparison([], [])
    for window in _windows(blocks, asked, places):
        _compare(old, new, window, found)
    return found


def _blocks(old: Lines, new: Lines, pairs: list[tuple[int, int]]) -> list[_Block]:
    """Lines that are the same but for formatting, and what stands between them."""
    blocks: list[_Block] = []
    i = j = 0

    def between(a: int, b: int) -> None:
        if (i, j) != (a, b):
            blocks.append(_Block((i, a), (j, b), paired=False))

    for a, b in [*pairs, (len(old.keys), len(new.keys))]:
        for (first, last), (new_first, new_last) in same_text(old, new, (i, a), (j, b)):
            while not old.keys[first]:
                first += 1
            while not new.keys[new_first]:
                new_first += 1
            between(first, new_first)
            blocks.append(_Block((first, last), (new_first, new_last), paired=True))
            i, j = last, new_last
        between(a, b)
        if a < len(old.keys):
            blocks.append(_Block((a, a + 1), (b, b + 1), paired=True))
        i, j = a + 1, b + 1
    return blocks


def _is_asked(block: _Block, asked: set[int], places: Sequence[int]) -> bool:
    first, last = block.old
    # What is gone below a line has to do with it only if the line was split.
    is_line = block.paired and last - first == block.new[1] - block.new[0] == 1
    at = bisect_left(places, first)
    gone = at < len(places) and places[at] <= last - is_line
    return gone or any(line in asked for line in range(first, last))


def _windows(blocks: list[_Block], asked: set[int], places: Sequence[int]) -> Iterator[list[_Block]]:
    """Blocks that are asked about, with what stands directly above and below, hanging together."""
    wanted = [_is_asked(block, asked, places) for block in blocks]
    window: list[_Block] = []
    for number, block in enumerate(blocks):
        beside = not block.paired and any(wanted[max(number - 1, 0) : number + 2])
        if wanted[number] or beside:
            window.append(block)
        elif window:
            yield window
            window = []
    if window:
        yield window


# What is left over is looked for in the neighbourhood


def _widened(
    old: Lines, new: Lines, blocks: list[_Block], asked: set[int], places: Sequence[int]
) -> list[_Block]:
    """The blocks, joined where words that are left over in one stand in the next."""
    found: list[_Block] = []
    last: int | None = None
    """The number in `found` of the last block that is not paired."""
    rests: dict[int, tuple[Counter[str], Counter[str]]] = {}

    def rest(number: int) -> tuple[Counter[str], Counter[str]]:
        if number not in rests:
            rests[number] = _rest(old, new, found[number])
        return rests[number]

    def may_join(number: int, other: int) -> bool:
        near = found[other].old[0] - found[number].old[1] <= WIDEST
        if not near or not any(_is_asked(one, asked, places) for one in found[number : other + 1]):
            return False
        (gone, came), (gone_there, came_there) = rest(number), rest(other)
        return bool(gone & came_there or came & gone_there)

    for block in blocks:
        found.append(block)
        if block.paired:
            continue
        here = len(found) - 1
        while last is not None and may_join(last, here):
            joined = _Block(
                (found[last].old[0], found[here].old[1]),
                (found[last].new[0], found[here].new[1]),
                paired=False,
            )
            left = _rest(old, new, joined)
            if _size(left) >= _size(rest(last)) + _size(rest(here)):
                break
            rests = {number: known for number, known in rests.items() if number < last}
            rests[last] = left
            found[last:] = [joined]
            here = last
            last = next((n for n in range(here - 1, -1, -1) if not found[n].paired), None)
        last = here
    return found


def _size(rest: tuple[Counter[str], Counter[str]]) -> int:
    return rest[0].total() + rest[1].total()


def _rest(old: Lines, new: Lines, block: _Block) -> tuple[Counter[str], Counter[str]]:
    return _left_over(old.between(*block.old), new.between(*block.new))


def words_left_over(old: str, new: str) -> int:
    """How many words are in one of two texts and not, at the same place, in the other."""
    return _size(_left_over(old, new))


def _left_over(old: str, new: str) -> tuple[Counter[str], Counter[str]]:
    """The words that only the old text has, and those that only the new one has."""
    sides = [SOLID.findall(old), SOLID.findall(new)]
    gone: Counter[str] = Counter()
    came: Counter[str] = Counter()
    for a, b, c, d in changes(*sides):
        gone.update(word for word in sides[0][a:b] if word[0] == "_" or word[0].isalnum())
        came.update(word for word in sides[1][c:d] if word[0] == "_" or word[0].isalnum())
    return gone, came


# Token by token


def _compare(old: Lines, new: Lines, window: list[_Block], found: Comparison) -> None:
    first, last = window[0], window[-1]
    ends = Same(old.starts[last.old[1]], new.starts[last.new[1]], 0)
    same = [Same(old.starts[first.old[0]], new.starts[first.new[0]], 0)]
    # Words first: a quote that is the same by chance must not come between two that belong together.
    for one in [*(one for block in window for one in _same(old, new, block)), ends]:
        i, j = same[-1].old + same[-1].length, same[-1].new + same[-1].length
        for sign in _signs(old.text[i : one.old], new.text[j : one.new]):
            same.append(Same(i + sign.old, j + sign.new, sign.length))
        same.append(one)
    seams: list[Seam] = []
    for one, other in pairwise(same):
        seams += _Gap(old, new, one.old + one.length, other.old, one.new + one.length, other.new).seams()
    found.same.extend(same)
    found.seams.extend(_with_pairs(old, seams))


def _signs(before: str, after: str) -> Iterator[Same]:
    """The signs that are the same between two words; where lines were typed there, above these first."""
    lead, tail = _around(after) if _is_solid(after) and not _is_solid(before) else ("", "")
    if not lead:
        yield from _matched(before, after, TOKEN)
        return
    end = 0
    for one in _matched(before, lead, TOKEN):
        yield one
        end = one.old + one.length
    for one in _matched(before[end:], tail, TOKEN):
        yield Same(end + one.old, len(after) - len(tail) + one.new, one.length)


def _same(old: Lines, new: Lines, block: _Block) -> Iterator[Same]:
    """The words and signs that both sides of a block have, but for what may be formatting."""
    before, after = old.between(*block.old), new.between(*block.new)
    at_old, at_new = old.starts[block.old[0]], new.starts[block.new[0]]
    if before == after:
        # Without the blanks around it: what stands there belongs to this line.
        blank = len(before) - len(before.lstrip())
        yield Same(at_old + blank, at_new + blank, len(before.strip()))
        return
    for one in _matched(before, after, SOLID):
        yield Same(at_old + one.old, at_new + one.new, one.length)


def _matched(old: str, new: str, token: re.Pattern[str]) -> Iterator[Same]:
    """The tokens of some kind that two texts have in common, in order."""
    ours, theirs = [*token.finditer(old)], [*token.finditer(new)]
    i = j = 0
    for a, b, c, d in [
        *changes([one[0] for one in ours], [one[0] for one in theirs]),
        (len(ours), len(ours), len(theirs), len(theirs)),
    ]:
        for one, other in zip(ours[i:a], theirs[j:c], strict=True):
            yield Same(one.start(), other.start(), len(one[0]))
        i, j = b, d


@dataclass(frozen=True, slots=True)
class _Gap:
    """What stands between two tokens that are the same."""

    old: Lines
    new: Lines
    start: int
    end: int
    new_start: int
    new_end: int

    def seams(self) -> Iterator[Seam]:
        """Where formatting came or went; not what has anything else in it, from line end to line end."""
        before = self.old.text[self.start : self.end]
        after = self.new.text[self.new_start : self.new_end]
        if before == after:
            return
        at = 0
        if _is_line_start(self.old.text, self.start) and _is_line_start(self.new.text, self.new_start):
            # With the end of the line above: that of a line which was typed here is its own.
            before, after, at = f"\n{before}", f"\n{after}", -1
        everywhere = self._lines(self.start, self.end, self.new_start, self.new_end)
        if not _is_solid(after):
            if not _is_solid(before):
                yield from self._cut(at, before, after, everywhere)
            return
        lead, tail = _around(after)
        if _is_solid(before):
            old_lead, old_tail = _around(before)
            # What stands on the other side of lines that are gone, and came, has nothing to do with it.
            if _has_room(before, old_lead, after, lead):
                end, new_end = self.start + at + len(old_lead), self.new_start + at + len(lead)
                lines = self._lines(self.start, end, self.new_start, new_end)
                yield from self._cut(at, old_lead, lead, lines)
            if _has_room(before, old_tail, after, tail):
                start, new_start = self.end - len(old_tail), self.new_end - len(tail)
                lines = self._lines(start, self.end, new_start, self.new_end)
                yield from self._cut(start - self.start, old_tail, tail, lines)
            return
        if "\n" not in before and self.end == len(self.old.text):
            return  # the line end is for what was typed below a last line that had none
        if lead and tail:
            wanted = lead + tail[1:]
        elif lead:
            wanted = lead + before[before.rfind("\n") + 1 :]
        elif tail:
            wanted = before[: before.find("\n")] + tail if "\n" in before else tail
        else:
            return
        yield from self._cut(at, before, wanted, everywhere)

    def _cut(self, at: int, before: str, after: str, lines: _BothLines) -> Iterator[Seam]:
        """One seam, or, where there are line ends on both sides, three: the end of a line, the lines between,
        and the beginning of a line. All that these may have to do with are some `lines`."""
        if before == after:
            return
        if "\n" not in before or "\n" not in after:
            yield self._seam(at, before, after, *lines)
            return
        (head, rest), (new_head, new_rest) = before.split("\n", 1), after.split("\n", 1)
        middle, new_middle = rest[: rest.rfind("\n") + 1], new_rest[: new_rest.rfind("\n") + 1]
        (first, last), (new_first, new_last) = lines
        if head != new_head:
            yield self._seam(at, head, new_head, (first, first), (new_first, new_first))
        at += len(head) + 1
        if middle != new_middle:
            yield self._seam(at, middle, new_middle, *lines)
        at += len(middle)
        tail, new_tail = rest[len(middle) :], new_rest[len(new_middle) :]
        if tail != new_tail:
            yield self._seam(at, tail, new_tail, (last, last), (new_last, new_last))

    def _lines(self, start: int, end: int, new_start: int, new_end: int) -> _BothLines:
        """The lines from one character to another, both included, of both texts."""
        return (self.old.at(start), self.old.at(end)), (self.new.at(new_start), self.new.at(new_end))

    def _seam(
        self, at: int, before: str, after: str, old_lines: tuple[int, int], new_lines: tuple[int, int]
    ) -> Seam:
        head = tail = 0
        shorter = min(len(before), len(after))
        while head < shorter and before[head] == after[head]:
            head += 1
        while tail < shorter - head and before[-1 - tail] == after[-1 - tail]:
            tail += 1
        start = self.start + at
        return Seam(
            start + head,
            start + len(before) - tail,
            after[head : len(after) - tail],
            old_lines,
            new_lines,
            (start, start + len(before)),
        )


def _is_line_start(text: str, at: int) -> bool:
    return at == 0 or text[at - 1] == "\n"


def _is_solid(text: str) -> bool:
    """Whether there is anything but formatting in a text."""
    return bool(text.translate(WITHOUT_FORMATTING).strip("\n"))


def _around(text: str) -> tuple[str, str]:
    """The lines of a text before and after those that hold more than formatting."""
    lines = text.split("\n")
    solid = [number for number, line in enumerate(lines) if _is_solid(line)]
    lead, tail = "\n".join(lines[: solid[0]]), "\n".join(lines[solid[-1] + 1 :])
    return lead + "\n" if solid[0] else "", "\n" + tail if solid[-1] + 1 < len(lines) else ""


def _has_room(before: str, part: str, after: str, new_part: str) -> bool:
    """Whether lines may have come or gone before, or after, what is more than formatting in two texts.

    If only one of them has any there, and the other still has a line end, that is the one of the line.
    """
    return bool(part) == bool(new_part) or "\n" not in (after if part else before)


def _with_pairs(old: Lines, seams: list[Seam]) -> list[Seam]:
    """The seams but for those with brackets that came or went alone."""
    while True:
        alone: set[int] = set()
        for came in (False, True):
            opened: list[tuple[str, int]] = []
            for number, seam in enumerate(seams):
                text = seam.text if came else old.text[seam.start : seam.end]
                for sign in text:
                    if sign in "({":
                        opened.append((sign, number))
                    elif sign in _PAIRS:
                        if opened and opened[-1][0] == _PAIRS[sign]:
                            opened.pop()
                        else:
                            alone.add(number)
            alone |= {number for _, number in opened}
        if not alone:
            return seams
        seams = [seam for number, seam in enumerate(seams) if number not in alone]
