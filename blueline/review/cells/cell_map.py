"""Where the cells of a notebook are in the text that it is reviewed by."""

from bisect import bisect_right
from itertools import accumulate

from blueline.model.notebook import MARK
from blueline.model.projection import CellBlock, blocks


class CellMap:
    """Where the cells of a projection are."""

    def __init__(self, text: str) -> None:
        found = blocks(text)
        self.cells = [
            block for block in found if block.kind == "cell" or (block.kind == "loose" and block.source)
        ]
        self._blocks = found
        self._lines = [*accumulate((line_count(block.text) for block in found), initial=0)]

    def at(self, line: int) -> tuple[CellBlock | None, int, int]:
        """The block that holds a line, the number of its cell (0: none), and its first line of source."""
        number = min(bisect_right(self._lines, line) - 1, len(self._blocks) - 1)
        if number < 0:
            return None, 0, 0
        block = self._blocks[number]
        index = self.cells.index(block) + 1 if block in self.cells else 0
        marks = next(
            (n for n, one in enumerate(block.lines) if not one.startswith(MARK)), len(block.lines) - 1
        )
        return block, index, self._lines[number] + marks

    def index_of(self, identifier: str) -> int:
        """The number of the cell with an id; 0 if there is none."""
        return next((n for n, cell in enumerate(self.cells, 1) if cell.id == identifier), 0)


def line_count(text: str) -> int:
    """How many lines a text has, also if the last one is not ended."""
    return text.count("\n") + (not text.endswith("\n") and bool(text))
