"""Cells by the words that people use for them: their ids, or their numbers."""

from collections.abc import Sequence

from blueline.model.ids import whole_number
from blueline.model.notebook import MARK
from blueline.model.projection import CellBlock
from blueline.review.cells.cell_map import CellMap
from blueline.review.deciding.hunks import Hunk
from blueline.review.file import File
from blueline.review.medium.section import NamedSection, SectionName, SectionText


def named_cell(file: File, name: str, known: Sequence[tuple[Hunk, SectionName]]) -> NamedSection | None:
    """The cell with an id, or with a number; None if there is none. `known` are hunks with their cells."""
    live, agreed = CellMap(file.live.text or ""), CellMap(file.baseline.text or "")
    number = live.index_of(name)
    if not number and not agreed.index_of(name):
        counted = whole_number(name) or 0
        number = counted if counted <= len(live.cells) else 0
    block = live.cells[number - 1] if number else None
    identifier = block.id if block is not None else name
    found = tuple(hunk for hunk, cell in known if _is_it(cell, identifier, number))
    was = agreed.index_of(identifier) if identifier else 0
    if block is None and not was and not found:
        return None
    sides = (_text(block), _text(agreed.cells[was - 1] if was else None))
    return NamedSection(identifier, number, *sides, found)


def _is_it(cell: SectionName, identifier: str, number: int) -> bool:
    if identifier or cell.id:
        return cell.id == identifier
    return cell.number == number and cell.change != "deleted"


def _text(block: CellBlock | None) -> SectionText | None:
    if block is None:
        return None
    at = block.start
    lines = []
    for line in block.lines:
        if not line.startswith(MARK):
            lines.append((at, at + len(line)))
        at += len(line)
    cell = block.wanted()
    return SectionText(cell.type, cell.source, tuple(lines))
