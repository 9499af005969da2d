"""Which hunks somebody wants to see: by what they name, by agent, by age."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from blueline.desk.selectors import (
    WHERE_IDS_ARE,
    Meaning,
    NamedFiles,
    NamedGroup,
    NamedLines,
    NamedPart,
    Selectors,
    UnknownSelector,
)
from blueline.model.ids import CALL, whole_of
from blueline.review.deciding.hunks import Hunk
from blueline.review.deciding.planning import Need

if TYPE_CHECKING:
    from blueline.contract.hunks import HunkDocument
    from blueline.contract.log import LogEntry

Wanted = Callable[["HunkDocument"], bool]
Row = TypeVar("Row", bound="HunkDocument")


@dataclass(frozen=True, slots=True)
class HunkWish:
    """Hunks that any of the selectors names, and that all of the rest is true of."""

    selectors: tuple[str, ...] = ()
    agent: str = ""
    since: str = ""
    """A moment, as times are stored."""
    turn: str = ""

    def __bool__(self) -> bool:
        return self != ANYTHING


ANYTHING = HunkWish()


def narrowed(found: Iterable[Row], wish: HunkWish, selectors: Selectors) -> list[Row]:
    """Those of some hunks that are wished for, decided or not. A selector that means nothing is an error."""
    named = [_named(typed, selectors) for typed in wish.selectors]
    turn = _named(wish.turn, selectors) if wish.turn else None
    return [
        hunk
        for hunk in found
        if (not named or any(is_named(hunk) for is_named in named))
        and (turn is None or turn(hunk))
        and wish.agent in ("", hunk["actor"].get("name"))
        and hunk["at"] >= wish.since
    ]


def _named(typed: str, selectors: Selectors) -> Wanted:
    meaning = selectors.meaning(typed)
    if meaning is None:
        raise UnknownSelector(f"nothing here is called {typed!r}", hint=WHERE_IDS_ARE)
    return _wanted(meaning, selectors)


def _wanted(meaning: Meaning, selectors: Selectors) -> Wanted:
    match meaning:
        case Hunk(id=identifier):
            return lambda hunk: hunk["id"] == identifier
        case Need(now=now):
            return lambda hunk: hunk["id"] in now
        case NamedGroup(_, calls):
            names = {CALL.id(call) for call in calls}
            return lambda hunk: not names.isdisjoint({hunk["call"], *hunk["shared_with"]})
        case NamedFiles(numbers):
            paths = selectors.names(numbers)
            return lambda hunk: hunk["path"] in paths
        case NamedLines(numbers, first, last):
            paths = selectors.names(numbers)
            return lambda hunk: hunk["path"] in paths and is_on(hunk, first, last)
        case NamedPart(section=section):
            inside = {one.id for one in section.hunks}
            return lambda hunk: hunk["id"] in inside
        case _:
            return lambda hunk: False


def is_on(hunk: HunkDocument, first: int, last: int) -> bool:
    """Whether a hunk is on lines of the file as it is; a bare deletion stands on the line before it (B5)."""
    start = max(hunk["new_start"], 1)
    return start <= last and first <= start + max(hunk["new_lines"], 1) - 1


def is_about(entry: LogEntry, wish: HunkWish, hunks: Iterable[HunkDocument]) -> bool:
    """Whether an entry of the log has to do with the hunks that were wished for, and is of that time."""
    if entry["at"] < wish.since:
        return False
    if not replace(wish, since=""):
        return True
    match entry["kind"]:
        case "turn":
            return any(hunk["turn"] == entry["id"] for hunk in hunks)
        case "call":
            return any(entry["id"] in (hunk["call"], *hunk["shared_with"]) for hunk in hunks)
        case "decision":
            wholes = {whole_of(name) for name in entry["hunks"]}
            return any(whole_of(hunk["id"]) in wholes for hunk in hunks)
        case "note":
            return any(
                entry["path"] == hunk["path"] or entry["of"] in (hunk["id"], hunk["call"], hunk["turn"])
                for hunk in hunks
            )
        case _:
            return False
