"""Cells by the words that people use for them: their ids, or their numbers."""

from typing import NamedTuple

from blueline.model.ids import whole_number
from blueline.model.notebook import MARK
from blueline.model.piece import Piece
from blueline.model.projection import CellBlock
from blueline.review.cells.cell_map import CellMap
from blueline.review.deciding.hunks import Hunk
from blueline.review.deciding.selected_pieces import pieces_between
from blueline.review.deciding.sides import Sides
from blueline.review.file import File
from blueline.review.medium.file_views import views_of
from blueline.review.medium.section import SectionName


class NamedCell(NamedTuple):
    """A cell and all its hunks."""

    name: str
    number: int
    """Counted from one, as the notebook is now; 0 for one that is not there."""
    block: CellBlock | None
    """Its lines, as they are now."""
    agreed: CellBlock | None
    """Likewise as agreed."""
    hunks: tuple[Hunk, ...]


def named_cell(file: File, name: str, known: list[Hunk]) -> NamedCell | None:
    """The cell with an id, or with a number; None if there is none."""
    live, agreed = CellMap(file.live.text or ""), CellMap(file.baseline.text or "")
    number = live.index_of(name)
    if not number and not agreed.index_of(name):
        counted = whole_number(name) or 0
        number = counted if counted <= len(live.cells) else 0
    block = live.cells[number - 1] if number else None
    identifier = block.id if block is not None else name
    found = tuple(hunk for hunk, cell in cells_of_hunks(file, known) if _is_it(cell, identifier, number))
    was = agreed.index_of(identifier) if identifier else 0
    if block is None and not was and not found:
        return None
    return NamedCell(identifier, number, block, agreed.cells[was - 1] if was else None, found)


def _is_it(cell: SectionName, identifier: str, number: int) -> bool:
    if identifier or cell.id:
        return cell.id == identifier
    return cell.number == number and cell.change != "deleted"


def cells_of_hunks(file: File, known: list[Hunk]) -> list[tuple[Hunk, SectionName]]:
    """The hunks that are about a cell, each with its cell."""
    sides, views = Sides(file), views_of(file)
    found = []
    for hunk in known:
        if hunk.inserted or hunk.deleted:
            cell = views.of(hunk, *sides.of(hunk)).section
            if cell is not None:
                found.append((hunk, cell))
    return found


def pieces_on_cell_lines(file: File, cell: NamedCell, first: int, last: int) -> list[Piece]:
    """What is pending on the lines first to last of a cell's source, as it is now (from zero, inclusive)."""
    if cell.block is None:
        return []
    at = cell.block.start
    starts = []
    for line in cell.block.lines:
        if not line.startswith(MARK):
            starts.append((at, at + len(line)))
        at += len(line)
    chosen = starts[first : last + 1]
    return pieces_between(file, chosen[0][0], chosen[-1][1]) if chosen else []
