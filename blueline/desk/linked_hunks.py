"""Hunks that belong to others because they exchange the same words, in other files."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING

from blueline.diff.words import word_changes

if TYPE_CHECKING:
    from blueline.contract.hunks import HunkDocument


def linked_hunks(every: Sequence[HunkDocument], chosen: Sequence[str]) -> Sequence[str]:
    """Of every hunk of some turns, the undecided ones in other files that exchange the same words."""
    known = set(chosen)
    ours = [hunk for hunk in every if hunk["id"] in known]
    places = {(hunk["turn"], hunk["path"]) for hunk in ours}
    others = [
        hunk
        for hunk in every
        if hunk["status"] == "pending"
        and hunk["id"] not in known
        and any(turn == hunk["turn"] and path != hunk["path"] for turn, path in places)
    ]
    exchanged = {words for hunk in ours for words in _exchanged(hunk)} if others else set()
    if not exchanged:
        return []
    return [hunk["id"] for hunk in others if not exchanged.isdisjoint(_exchanged(hunk))]


def _exchanged(hunk: HunkDocument) -> frozenset[tuple[str, str]]:
    """Pairs of a word that went and a word that came."""
    old, new = hunk["old"] or "", hunk["new"] or ""
    if not old or not new:
        return frozenset()
    if len(old) + len(new) > LONGEST_REMEMBERED:
        return _words_exchanged(old, new)
    return _remembered(old, new)


LONGEST_REMEMBERED = 2_000
"""Who decides about one hunk of a turn after the other looks at the same small ones each time."""


def _words_exchanged(old: str, new: str) -> frozenset[tuple[str, str]]:
    pairs = ((old[a:b].strip(), new[c:d].strip()) for a, b, c, d in word_changes(old, new))
    return frozenset((gone, came) for gone, came in pairs if gone.isidentifier() and came.isidentifier())


_remembered = functools.lru_cache(maxsize=8192)(_words_exchanged)
