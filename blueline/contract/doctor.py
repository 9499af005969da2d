"""Whether all is there that recording needs."""

from typing import TypedDict


class DoctorLine(TypedDict):
    """One thing that was looked at."""

    about: str
    """An agent's name, or: recording, versions, state, disk, clock, git, watcher, hub."""
    ok: bool
    says: str
    hint: str
    """What to type, if anything."""


class DoctorDocument(TypedDict):
    """The answer to `doctor`."""

    ok: bool
    lines: list[DoctorLine]
