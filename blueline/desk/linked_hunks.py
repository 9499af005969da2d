"""Hunks that belong to others because they exchange the same names, in other files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from blueline.desk.same_change import exchanged
from blueline.journal.tables import load

if TYPE_CHECKING:
    from blueline.contract.hunks import HunkDocument
    from blueline.journal.rows import ExchangeRow
    from blueline.journal.screens import Screens


def linked_hunks(screens: Screens, chosen: Sequence[str]) -> Sequence[str]:
    """The undecided hunks of the same turns, in other files, that exchange the same names as some."""
    # Who decides about thousands mostly decides about all.
    ours = [] if screens.is_all(chosen) else screens.exchanges(chosen)
    names = {name for one in ours for name in _names(one)}
    places = {(one.turn, one.path) for one in ours if one.turn is not None}
    if not names or not places:
        return []
    paths = {path for _, path in places}
    beside = screens.exchanging(
        names, {turn for turn, _ in places}, but=paths.pop() if len(paths) == 1 else ""
    )
    known = {*chosen}
    return [
        one.id
        for one in beside
        if one.id not in known
        and any(turn == one.turn and path != one.path for turn, path in places)
        and not names.isdisjoint(_names(one))
    ]


def _names(one: ExchangeRow) -> Iterable[str]:
    if one.doc is None:
        return one.names
    hunk: HunkDocument = load(one.doc)
    return exchanged(hunk["old"], hunk["new"])
