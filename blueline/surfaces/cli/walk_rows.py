"""A change line by line, with the numbers that its lines have in the file as it is, and its parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from blueline.diff.edits import paired, split_lines
from blueline.diff.sequences import changes

if TYPE_CHECKING:
    from blueline.contract.hunks import HunkDocument

AROUND = 3

Lines = tuple[int, int]
"""The first and the last, from one, both included."""


class Row(NamedTuple):
    """A line to be drawn."""

    sign: str
    """`+`, `-`, or a blank for one that is unchanged."""
    text: str
    """With its end, if it has one."""
    number: int
    """In the file as it is; 0 for a line that is not there."""
    at: int
    """The number by which it can be selected: of a removed line, that of what stands in its place (B5)."""


def rows(hunk: HunkDocument, live: Sequence[str] = ()) -> list[Row]:
    """The lines of a change, with a few around it from the file as it is, if they are known.

    A line that was replaced comes before the one in its place: the two are decided together.
    """
    old, new = split_lines(hunk["old"] or ""), split_lines(hunk["new"] or "")
    start = hunk["new_start"] + (not new)
    inside = [*_changed(old, new, max(start, 1))]
    first, end = start - 1, start - 1 + len(new)
    if not 0 <= first <= len(live) or [*live[first:end]] != new:
        return inside  # a proposal, or of a file that is no text: the numbers are not its
    before = [Row(" ", live[at], at + 1, at + 1) for at in range(max(first - AROUND, 0), first)]
    after = [Row(" ", live[at], at + 1, at + 1) for at in range(end, min(end + AROUND, len(live)))]
    return [*before, *inside, *after]


def whole_file_rows(before: str, now: str) -> list[Row]:
    """A change of the file as a whole, from and to: its name, its mode."""
    return [Row("-", f"{before}\n", 0, 1), Row("+", f"{now}\n", 0, 1)]


def _changed(old: list[str], new: list[str], start: int) -> Iterator[Row]:
    at = 0
    for a, b, c, d in changes(old, new):
        yield from (Row(" ", new[line], start + line, start + line) for line in range(at, c))
        number = start + c
        for before, now in paired(old[a:b], new[c:d]):
            if before is not None:
                yield Row("-", before, 0, number if now is not None else max(number - 1, 1))
            if now is not None:
                yield Row("+", now, number, number)
                number += 1
        at = d
    yield from (Row(" ", new[line], start + line, start + line) for line in range(at, len(new)))


def parts(found: Sequence[Row], within: Lines | None = None) -> list[Lines]:
    """What a change falls into: separate places, or else paragraphs, or else lines; itself if it is one."""
    changed = [row for row in found if row.sign != " " and (within is None or is_in(row, within))]
    blocks = _blocks(found, within)
    if len(blocks) > 1:
        return blocks
    numbers = [*dict.fromkeys(row.at for row in changed)]
    blank = {row.at for row in changed if not row.text.strip()}
    paragraphs: list[Lines] = []
    is_new = True
    for number in numbers:
        if is_new and number not in blank:
            paragraphs.append((number, number))
            is_new = False
        elif paragraphs:
            paragraphs[-1] = paragraphs[-1][0], number
        is_new = is_new or number in blank
    if len(paragraphs) > 1:
        # Blank lines before the first paragraph are decided with it.
        return [(numbers[0], paragraphs[0][1]), *paragraphs[1:]]
    return [(number, number) for number in numbers]


def _blocks(found: Sequence[Row], within: Lines | None) -> list[Lines]:
    """Lines that changed with none that is unchanged between them, by which each can be selected alone."""
    blocks: list[Lines] = []
    is_new = True
    for row in found:
        if row.sign == " " or not (within is None or is_in(row, within)):
            is_new = True
            continue
        if is_new and not (blocks and row.at <= blocks[-1][1]):
            blocks.append((row.at, row.at))
        blocks[-1] = blocks[-1][0], max(blocks[-1][1], row.at)
        is_new = False
    return blocks


def is_in(row: Row, lines: Lines) -> bool:
    return lines[0] <= row.at <= lines[1]


def spanned(found: Sequence[Row]) -> Lines:
    """The lines that a change is on, as they can be selected."""
    numbers = [row.at for row in found if row.sign != " "]
    return (min(numbers), max(numbers)) if numbers else (0, 0)
