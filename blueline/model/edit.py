"""Edits of a text."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """Characters old_start:old_end became new_start:new_end.

    Half-open, from zero. An empty old side is an insertion, an empty new side a deletion; both empty
    does not occur. Edits with the same `hunk` number are decided together unless somebody splits them.
    """

    old_start: int
    old_end: int
    new_start: int
    new_end: int
    hunk: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """What an agent's edit tool said it would do."""

    old: str
    new: str
    every: bool = False
