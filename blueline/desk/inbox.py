"""What waits in a project, for whoever looks over all of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from blueline.desk.screens.project_overview import branch_of
from blueline.kernel import refs
from blueline.model.risk import ChangedTogether, Level, Subject, assess, highest

if TYPE_CHECKING:
    from blueline.contract.groups import CountsDocument
    from blueline.contract.hunks import HunkDocument
    from blueline.contract.overview import ListingDocument
    from blueline.desk.desk import Desk

Glance = Callable[[Path], "ListingDocument | None"]


class Waiting(NamedTuple):
    """What is undecided in a project."""

    counts: CountsDocument
    since: str
    """When the change was made that waits longest; empty if nothing does."""
    branch: str | None
    repository: str
    """The same for all work trees of one repository."""
    risk: Level = "low"
    """The highest of all of it."""
    agents: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    """The first below the root; `.` for the root itself."""


NOTHING = Waiting({"hunks": 0, "files": 0, "calls": 0, "turns": 0}, "", None, "")


def waiting(root: Path, listing: ListingDocument) -> Waiting:
    """What a list comes to."""
    hunks = listing.get("hunks", [])
    return Waiting(
        listing["counts"],
        min((hunk["at"] for hunk in hunks), default=""),
        branch_of(root),
        _repository(root),
        _risk(hunks),
        tuple(sorted({hunk["actor"]["name"] or hunk["actor"]["kind"] for hunk in hunks})),
        tuple(sorted({hunk["path"].partition("/")[0] if "/" in hunk["path"] else "." for hunk in hunks})),
    )


def _risk(hunks: Sequence[HunkDocument]) -> Level:
    """By the usual rules: what a project says of its own, its gate goes by."""
    of_path: dict[str, list[HunkDocument]] = {}
    for hunk in hunks:
        of_path.setdefault(hunk["path"], []).append(hunk)
    beside = ChangedTogether(of_path)
    return highest([assess(_subject(path, several), beside) for path, several in of_path.items()])


def _subject(path: str, hunks: Sequence[HunkDocument]) -> Subject:
    kinds = {hunk["kind"] for hunk in hunks}
    return Subject(
        path=path,
        lines=sum(hunk["old_lines"] + hunk["new_lines"] for hunk in hunks),
        deleted="delete" in kinds,
        binary="binary" in kinds,
        executable=bool(kinds & {"mode", "symlink"}),
    )


def look(root: Path, glance: Glance, open_desk: Callable[[Path], Desk]) -> ListingDocument:
    """The list of a project that nobody has open: from the index, if nothing happened since."""
    found = glance(root)
    if found is not None:
        return found
    with open_desk(root) as desk:
        return desk.list()


def _repository(root: Path) -> str:
    found = refs.repository(os.fsencode(root))
    return os.path.realpath(os.fsdecode(found[1])) if found else str(root)
