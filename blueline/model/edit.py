"""Edits of a text."""

from dataclasses import dataclass
from typing import NamedTuple


class Edit(NamedTuple):
    """Characters old_start:old_end became new_start:new_end.

    Half-open, from zero. An empty old side is an insertion, an empty new side a deletion; both empty
    does not occur. Edits with the same `hunk` number are decided together unless somebody splits them.
    """

    old_start: int
    old_end: int
    new_start: int
    new_end: int
    hunk: int = 0


class Stretch(NamedTuple):
    """Characters old_start:old_end of one text have to do with new_start:new_end of another."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


class KeptLine(NamedTuple):
    """A line that is the same in two texts, but for formatting.

    `whole`: nobody has to know what changed in it.
    """

    old_start: int
    old_end: int
    new_start: int
    new_end: int
    whole: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """What an agent's edit tool said it would do."""

    old: str
    new: str
    every: bool = False
