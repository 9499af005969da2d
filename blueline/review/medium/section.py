"""What hunks show of themselves where a medium has sections, as a notebook has cells."""

from typing import NamedTuple, Protocol

from blueline.review.deciding.hunks import Hunk
from blueline.review.deciding.sides import Side


class SectionName(NamedTuple):
    """Which section, and what is done to it."""

    id: str
    """Empty if it has none."""
    number: int
    """Counted from one; of a deleted one, as it was."""
    type: str
    change: str
    """edited, added, deleted, moved, or what else of it was changed."""


class SectionText(NamedTuple):
    """What a section holds, for people."""

    type: str
    source: str
    lines: tuple[tuple[int, int], ...]
    """Where its lines stand in the text that the file is reviewed by."""


class NamedSection(NamedTuple):
    """A section that somebody named, and all its hunks."""

    name: str
    number: int
    """Counted from one, as the file is now; 0 for one that is not there."""
    live: SectionText | None
    """As it is now."""
    agreed: SectionText | None
    hunks: tuple[Hunk, ...]


class View(NamedTuple):
    """A hunk as it is shown: line numbers are those of its section, if it is in one."""

    section: SectionName | None
    old: Side
    new: Side


class Views(Protocol):
    """Shows the hunks of one file."""

    def of(self, hunk: Hunk, old: Side, new: Side) -> View:
        """A hunk's section and sides, from its sides in the text."""


class PlainViews:
    """Hunks as they stand in the text."""

    def of(self, hunk: Hunk, old: Side, new: Side) -> View:
        return View(None, old, new)
