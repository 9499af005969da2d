"""Hunks that belong to others because they exchange the same words, in other files."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from blueline.diff.words import word_changes
from blueline.journal.tables import load

if TYPE_CHECKING:
    from blueline.contract.hunks import HunkDocument
    from blueline.journal.screens import Screens


class WordExchange(NamedTuple):
    """What a hunk exchanges, and where."""

    id: str
    turn: str | None
    path: str
    words: frozenset[tuple[str, str]]
    """Pairs of a word that went and a word that came."""


def linked_hunks(screens: Screens, chosen: Sequence[str]) -> Sequence[str]:
    """The undecided hunks of the same turns, in other files, that exchange the same words as some."""
    # Who decides about thousands mostly decides about all.
    ours = [] if screens.is_all(chosen) else [_exchange(hunk) for hunk in screens.hunks_named(chosen)]
    exchanged = {pair for one in ours for pair in one.words}
    if not exchanged:
        return []
    places = {(one.turn, one.path) for one in ours}
    # Letters stand in a stored document as JSON writes them.
    words = [json.dumps(came)[1:-1] for _, came in exchanged]
    paths, whole = {path for _, path in places}, _whole(words)
    beside = screens.beside(chosen, words, paths.pop() if len(paths) == 1 else None)
    found = [_stored(doc) for doc in beside if whole.search(doc)]
    return [
        one.id
        for one in found
        if any(turn == one.turn and path != one.path for turn, path in places)
        and not exchanged.isdisjoint(one.words)
    ]


MOST_LOOKED_FOR = 20
"""To find out whether one of more words is whole would take longer than to read the document."""


def _whole(words: Sequence[str]) -> re.Pattern[str]:
    """Where one of some words is not only the beginning of a longer one. Whether it is the end of one cannot
    be seen in a document: before it may be the letter of a line end."""
    if len(words) > MOST_LOOKED_FOR:
        return re.compile("")
    return re.compile(rf"(?:{'|'.join(map(re.escape, words))})(?!\w)")


def _exchange(hunk: HunkDocument) -> WordExchange:
    old, new = hunk["old"] or "", hunk["new"] or ""
    pairs = ((old[a:b].strip(), new[c:d].strip()) for a, b, c, d in word_changes(old, new) if old and new)
    words = frozenset((gone, came) for gone, came in pairs if gone.isidentifier() and came.isidentifier())
    return WordExchange(hunk["id"], hunk["turn"], hunk["path"], words)


LONGEST_REMEMBERED = 4_000
"""Who decides about one hunk of a turn after the other looks at the same small ones each time."""


def _stored(doc: str) -> WordExchange:
    return _remembered(doc) if len(doc) <= LONGEST_REMEMBERED else _read(doc)


def _read(doc: str) -> WordExchange:
    return _exchange(load(doc))


_remembered = functools.lru_cache(maxsize=4096)(_read)
