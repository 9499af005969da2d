"""Pending changes of cells as records that other programs read: cells edited, added and deleted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from blueline.model.answer import ACCEPTED, REJECTED, UNDECIDED, Answer
from blueline.model.piece import PieceAnswer
from blueline.model.projection import Wanted, outline
from blueline.review.deciding.hunks import Hunk, hunks
from blueline.review.file import File
from blueline.review.medium.file_views import sections_of
from blueline.review.medium.section import SectionName
from blueline.review.weave.weave import IMAGINED

if TYPE_CHECKING:
    from blueline.contract.exports import PendingEdit


def notebook_records(file: File, op: int, call: int, path: str, salt: int) -> Iterator[PendingEdit]:
    """One record for each cell in which an operation left something to decide."""
    known = [hunk for hunk in hunks(file, salt, {op}) if hunk.state in UNDECIDED]
    by_cell: dict[tuple[str, int], list[SectionName]] = {}
    for _, cell in sections_of(file, known):
        by_cell.setdefault((cell.id, 0 if cell.id else cell.number), []).append(cell)
    with_it, without = (_cells(file, known, answer) for answer in (ACCEPTED, REJECTED))
    for number, cells in enumerate(by_cell.values()):
        cell = next((one for one in cells if one.change in ("added", "deleted")), cells[0])
        record = _record(cell, with_it, without)
        record["id"] = f"nb-{_word(cell)}-{call}-{op}-{number}"
        record["file_path"] = path
        record["status"] = "pending"
        yield record


def _cells(file: File, known: list[Hunk], answer: Answer) -> tuple[Wanted, ...]:
    """The cells that there would be, were all of this accepted, or rejected."""
    changes = [PieceAnswer(piece, answer) for hunk in known for piece in hunk.pieces]
    return outline(file.answered(changes, IMAGINED).live.text or "").cells


def _word(cell: SectionName) -> str:
    return {"added": "add", "deleted": "del"}.get(cell.change, "edit")


def _record(cell: SectionName, with_it: tuple[Wanted, ...], without: tuple[Wanted, ...]) -> PendingEdit:
    after, before = (_find(cell, cells) for cells in (with_it, without))
    (place, one) = (before if cell.change == "deleted" else after) or before or after or (0, None)
    about: PendingEdit = {
        "id": "",
        "tool": "NotebookEditCell",
        "file_path": "",
        "cell_id": cell.id,
        "cell_index": place,
    }
    if cell.change in ("added", "deleted"):
        tool = "NotebookAddCell" if cell.change == "added" else "NotebookDeleteCell"
        source = one.source if one is not None else ""
        return {**about, "tool": tool, "cell_type": cell.type, "cell_source": source}
    old, new = (None if side is None else side[1].source for side in (before, after))
    return {**about, "old_source": old, "new_source": new}


def _find(cell: SectionName, cells: tuple[Wanted, ...]) -> tuple[int, Wanted] | None:
    if not cell.id:
        return (cell.number - 1, cells[cell.number - 1]) if 0 < cell.number <= len(cells) else None
    return next(((place, one) for place, one in enumerate(cells) if one.id == cell.id), None)
