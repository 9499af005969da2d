"""What somebody may type to name something: an id, a path, lines of a file, a cell (rule B10)."""

import re
from typing import NamedTuple

from blueline.model.ids import CALL, DECISION, MOST_DIGITS, NOTE, SUBAGENT, TURN, Numbering, is_hunk_id

GROUPS = (CALL, TURN, SUBAGENT)
"""What can be decided about by its number."""

RECORDS = (*GROUPS, DECISION, NOTE)
"""What can be looked at by its number."""

_PREFIX = re.compile(r"h[0-9a-f]{1,8}(?:\.[0-9a-f]{0,6})?")
_NUMBER = rf"[1-9][0-9]{{0,{MOST_DIGITS - 1}}}"
_LINES = re.compile(rf"(.+):(0|{_NUMBER})(?:-({_NUMBER}))?", re.DOTALL)
_CELL = re.compile(rf"(.+)#([^#:]+)(?::({_NUMBER})(?:-({_NUMBER}))?)?", re.DOTALL)


class HunkSelector(NamedTuple):
    id: str


class HunkPrefix(NamedTuple):
    """The beginning of a hunk's id: it means the hunk, if no other begins so."""

    start: str


class NumberSelector(NamedTuple):
    """A call, a turn, a sub-agent, a decision or a note."""

    kind: Numbering
    number: int


class PathSelector(NamedTuple):
    """A file, or all below a folder."""

    path: str


class LinesSelector(NamedTuple):
    """Lines of a file, from one, both ends included."""

    path: str
    first: int
    last: int


class CellSelector(NamedTuple):
    """A cell of a notebook by its id or its number, or lines of it as in `LinesSelector`."""

    path: str
    cell: str
    lines: tuple[int, int] | None


Selector = HunkSelector | HunkPrefix | NumberSelector | PathSelector | LinesSelector | CellSelector


def readings(typed: str, kinds: tuple[Numbering, ...] = GROUPS) -> list[Selector]:
    """All that a word may mean, in the order of rule B10: the first that names something counts."""
    found: list[Selector] = [HunkSelector(typed)] if is_hunk_id(typed) else []
    found += [NumberSelector(kind, number) for kind in kinds if (number := kind.number(typed)) is not None]
    if typed:
        found.append(PathSelector(typed))
    if match := _LINES.fullmatch(typed):
        found.append(LinesSelector(match[1], int(match[2]), int(match[3] or match[2])))
    if match := _CELL.fullmatch(typed):
        lines = None if match[3] is None else (int(match[3]), int(match[4] or match[3]))
        found.append(CellSelector(match[1], match[2], lines))
    # Last, as it may become ambiguous at any time: a name that somebody gave to a file means that file.
    if _PREFIX.fullmatch(typed) and not is_hunk_id(typed):
        found.append(HunkPrefix(typed))
    return found
