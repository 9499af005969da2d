"""Hunks counted together: those of a file, a call or a turn."""

from typing import Literal, TypedDict

HunkStatus = Literal["pending", "accepted", "rejected"]
GroupStatus = Literal["pending", "mixed", "accepted", "rejected"]


class CountsDocument(TypedDict):
    """How many hunks are undecided, and in how many files, calls and turns."""

    hunks: int
    files: int
    calls: int
    turns: int


class TallyDocument(TypedDict):
    """How many hunks of a group have each status."""

    pending: int
    accepted: int
    rejected: int


class CountedDocument(TypedDict):
    """What became of a group of hunks."""

    status: GroupStatus
    """`mixed` if not all of them have the same one."""
    counts: TallyDocument


class GroupDocument(CountedDocument):
    """What became of a group of hunks, and which they are."""

    hunks: list[str]
    """Their ids."""
