"""Which lines of a text became which, and how a change is carried over to a text that has moved on."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import pairwise

from blueline.diff.edits import split_lines
from blueline.diff.sequences import changes


@dataclass(frozen=True, slots=True, kw_only=True)
class LineHunk:
    """Lines old_start:old_end became new_start:new_end. Half-open, from zero; lines with their ends."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int
    old: tuple[str, ...]
    new: tuple[str, ...]


def line_hunks(old: str, new: str) -> tuple[LineHunk, ...]:
    """Where two texts differ, in order; at least one line that stayed stands between two of them."""
    old_lines, new_lines = split_lines(old), split_lines(new)
    return tuple(
        LineHunk(
            old_start=a,
            old_end=b,
            new_start=c,
            new_end=d,
            old=tuple(old_lines[a:b]),
            new=tuple(new_lines[c:d]),
        )
        for a, b, c, d in changes(old_lines, new_lines)
    )


def with_hunks(old: str, hunks: Iterable[LineHunk]) -> str:
    """The old text with some of its hunks done."""
    lines = split_lines(old)
    parts: list[str] = []
    at = 0
    for hunk in sorted(hunks, key=_place):
        parts += lines[at : hunk.old_start]
        parts += hunk.new
        at = hunk.old_end
    return "".join([*parts, *lines[at:]])


def chosen(old: str, new: str, indices: Collection[int]) -> str:
    """The old text with those hunks done that are named by their place among all."""
    if not indices:
        return old
    return with_hunks(old, (hunk for n, hunk in enumerate(line_hunks(old, new)) if n in indices))


def carried(old: str, new: str, now: str) -> str | None:
    """The change from `old` to `new`, made to `now`; None where others have changed the same lines.

    What stands in `now` already is not made twice.
    """
    if now == old:
        return new
    ours, others = line_hunks(old, new), line_hunks(old, now)
    known = {_key(hunk) for hunk in ours}
    every = sorted([*ours, *(one for one in others if _key(one) not in known)], key=_place)
    # Hunks of one side never touch each other: two that do come from both.
    if any(after.old_start <= before.old_end for before, after in pairwise(every)):
        return None
    return with_hunks(old, every)


def _key(hunk: LineHunk) -> tuple[int, int, tuple[str, ...]]:
    return hunk.old_start, hunk.old_end, hunk.new


def _place(hunk: LineHunk) -> tuple[int, int]:
    return hunk.old_start, hunk.old_end
