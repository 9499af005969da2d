"""What waits in a project, for whoever looks over all of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from blueline.desk.screens.project_overview import branch_of
from blueline.kernel import refs

if TYPE_CHECKING:
    from blueline.contract.groups import CountsDocument
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


NOTHING = Waiting({"hunks": 0, "files": 0, "calls": 0, "turns": 0}, "", None, "")


def waiting(root: Path, listing: ListingDocument) -> Waiting:
    """What a list comes to."""
    since = min((hunk["at"] for hunk in listing.get("hunks", [])), default="")
    return Waiting(listing["counts"], since, branch_of(root), _repository(root))


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
