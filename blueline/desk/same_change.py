"""What a hunk exchanges, in a word, the same wherever the same is exchanged; and name by name.

Both are kept with the hunk: a list of a thousand would take longer for the one than for the rest, and whoever
decides about one hunk of a thousand longer for the other.
"""

from __future__ import annotations

import functools
import json
from typing import NamedTuple

from blueline.diff.edits import cut_end
from blueline.diff.words import word_changes
from blueline.kernel import disk

KINDS = ("modify", "cell-edit")

LONGEST = 2_000
"""A longer change is hardly made twice, and takes long to compare."""

DIGITS = 16


def same_change(kind: str, old: str | None, new: str | None) -> str:
    """The word for what goes and what comes, wherever that is; empty if it is the like of nothing."""
    before, after = old or "", new or ""
    if kind not in KINDS or before == after or is_long(old, new):
        return ""
    return _exchange(before, after).word


def exchanged(old: str | None, new: str | None) -> tuple[str, ...]:
    """The names that went, each with the one that came in its place."""
    if not old or not new:
        return ()
    return names_of(word_pairs(old, new)) if is_long(old, new) else _exchange(old, new).names


def is_long(old: str | None, new: str | None) -> bool:
    """Whether nobody compares it without being asked to."""
    return len(old or "") + len(new or "") > LONGEST


class _Exchange(NamedTuple):
    word: str
    names: tuple[str, ...]


@functools.lru_cache(maxsize=4096)
def _exchange(before: str, after: str) -> _Exchange:
    """Remembered: after a decision, the other hunks of its file are stored and shown as they were."""
    pairs = word_pairs(before, after)
    told = [pair for pair in pairs if pair != ("", "")]
    word = disk.blob_id(json.dumps(told).encode())[:DIGITS] if told else ""
    return _Exchange(word, names_of(pairs))


def word_pairs(before: str, after: str) -> list[tuple[str, str]]:
    """What went and what came in its place, without the blanks around."""
    # Whoever recorded it has compared these two lines without their ends.
    sides = cut_end(before), cut_end(after)
    is_line = sides[0][1] == sides[1][1] and not any("\n" in body for body, _ in sides)
    found = word_changes(sides[0][0], sides[1][0]) if is_line else word_changes(before, after)
    return [(before[a:b].strip(), after[c:d].strip()) for a, b, c, d in found]


def names_of(pairs: list[tuple[str, str]]) -> tuple[str, ...]:
    names = [f"{went} {came}" for went, came in pairs if went.isidentifier() and came.isidentifier()]
    return tuple(dict.fromkeys(names))
