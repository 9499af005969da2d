"""Cells of notebooks that wait for somebody's answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from blueline.errors import BluelineError

if TYPE_CHECKING:
    from blueline.contract.cells import HunkCellDocument
    from blueline.contract.hunks import HunkDocument


class CellAlreadyPending(BluelineError):
    """A cell waits for somebody's answer."""


def must_be_free(pending: Iterable[HunkDocument], path: str, cell: str) -> None:
    """One question about a cell at a time: a second edit would be made to what nobody agreed to."""
    for hunk in pending:
        place = hunk.get("cell")
        if hunk["path"] == path and hunk["held"] and place and _is_named(place, cell):
            raise CellAlreadyPending(
                f"cell {cell} of {path} already has a pending edit ({hunk['call']})",
                hint="wait until a person has accepted or rejected it",
            )


def _is_named(cell: HunkCellDocument, name: str) -> bool:
    """Whether a cell goes by a name; one without an id by its place, counted from zero."""
    return name == (cell["id"] or f"cell-{cell['index'] - 1}")
