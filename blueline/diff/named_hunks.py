"""A unified diff in which every place says whose change it is.

What stands after the second `@@` is for people: git applies the patch as it applies any other.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from blueline.diff.edits import split_lines
from blueline.diff.sequences import Change, changes

CONTEXT_LINES = 3
NO_LAST_NEWLINE = "\\ No newline at end of file\n"


class Owner(NamedTuple):
    """Who changed which lines of the old text: from zero, half-open; empty where something was inserted."""

    name: str
    start: int
    end: int


class Place(NamedTuple):
    """Changes that stand below one header."""

    names: tuple[str, ...]
    blocks: list[Change]


def named_hunks(old: str, new: str, owners: Sequence[Owner]) -> str:
    """The changed places of two texts, each with the names of its owners and the lines around it.

    Places of different owners are kept apart, unless nothing unchanged stands between them, or one line and
    then the end: a patch could not be applied then.
    """
    lines = split_lines(old), split_lines(new)
    places = _places(changes(*lines), owners, len(lines[0]))
    around = [*_around(places, len(lines[0]))]
    shown = zip(places, around, strict=True)
    return "".join(text for place, context in shown for text in _drawn(place, context, *lines))


def _places(blocks: Sequence[Change], owners: Sequence[Owner], length: int) -> list[Place]:
    found: list[Place] = []
    for block in blocks:
        names = _names(block, owners)
        gap = block[0] - found[-1].blocks[-1][1] if found else length
        if found and found[-1].names == names and gap <= 2 * CONTEXT_LINES:
            found[-1].blocks.append(block)
        elif found and gap == 1 and block[0] == block[1] == length:
            # The one line between them is shown by the place before, and git takes nothing without any line.
            both = tuple(dict.fromkeys((*found[-1].names, *names)))
            found[-1] = Place(both, [*found[-1].blocks, block])
        else:
            found.append(Place(names, [block]))
    return found


def _names(block: Change, owners: Sequence[Owner]) -> tuple[str, ...]:
    start, end = block[:2]
    if touching := [one for one in owners if one.start < end and start < one.end]:
        return tuple(dict.fromkeys(one.name for one in touching))
    if touching := [one for one in owners if one.start <= end and start <= one.end]:
        return tuple(dict.fromkeys(one.name for one in touching))
    # Of equal lines, a diff may take others than the agent did: the nearest change it is, then.
    near = min(owners, key=lambda one: max(one.start - end, start - one.end), default=None)
    return () if near is None else (near.name,)


def _around(places: Sequence[Place], length: int) -> Iterator[tuple[int, int]]:
    """How many unchanged lines each place shows before and after it; no line is shown twice.

    A place without a line after it would have to be the end of the file, so the one before comes first.
    """
    before = [min(CONTEXT_LINES, places[0].blocks[0][0])] if places else []
    after = []
    for one, other in pairwise(places):
        gap = other.blocks[0][0] - one.blocks[-1][1]
        after.append(min(CONTEXT_LINES, (gap + 1) // 2))
        before.append(min(CONTEXT_LINES, gap - after[-1]))
    if places:
        after.append(min(CONTEXT_LINES, length - places[-1].blocks[-1][1]))
    return zip(before, after, strict=True)


def _drawn(place: Place, context: tuple[int, int], old: list[str], new: list[str]) -> Iterator[str]:
    first, last = place.blocks[0], place.blocks[-1]
    old_range = first[0] - context[0], last[1] + context[1]
    new_range = first[2] - context[0], last[3] + context[1]
    names = f" {' '.join(place.names)}" if place.names else ""
    yield f"@@ -{_spelled(*old_range)} +{_spelled(*new_range)} @@{names}\n"
    at = old_range[0]
    for a, b, c, d in place.blocks:
        yield from (_line(" ", line) for line in old[at:a])
        yield from (_line("-", line) for line in old[a:b])
        yield from (_line("+", line) for line in new[c:d])
        at = b
    yield from (_line(" ", line) for line in old[at : old_range[1]])


def _spelled(start: int, end: int) -> str:
    count = end - start
    return f"{start + (count > 0)},{count}" if count != 1 else f"{start + 1}"


def _line(sign: str, line: str) -> str:
    return sign + line if line.endswith("\n") else f"{sign}{line}\n{NO_LAST_NEWLINE}"
