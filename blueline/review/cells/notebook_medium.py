"""Notebooks, reviewed by the lines of their projection (`model/projection.py`)."""

from collections.abc import Sequence

from blueline.diff.cell_edits import cell_edits, source_stretches
from blueline.model.answer import UNDECIDED
from blueline.model.edit import Edit, KeptLine, Replacement, Stretch
from blueline.model.ids import BlobId
from blueline.model.medium_names import MediumName, WholeFile
from blueline.model.notebook import MARK, NotCells
from blueline.model.projection import END, NOTEBOOK, blocks, digest, minor_for, outline, projection
from blueline.review.cells.cell_map import CellMap
from blueline.review.cells.compose import composed
from blueline.review.cells.moved_cells import carried, only_moved
from blueline.review.file import File
from blueline.review.medium.medium import MoveStep, Read
from blueline.review.setting import Content
from blueline.review.weave.weave import Weave


class Cells:
    """A notebook, cell by cell. What is not in the projection, outputs above all, is not reviewed."""

    name: MediumName = "notebook"
    is_all = False

    def read(self, data: bytes | None) -> str | None:
        # Text that arrives in pieces is asked about after each: JSON is not read before its last brace is in.
        if data is None or not data.rstrip().endswith(b"}"):
            return None
        try:
            return projection(data)
        except NotCells:
            return None

    def digest(self, text: str) -> str:
        return digest(text)

    def edits(
        self,
        old: str,
        new: str,
        said: Sequence[Replacement] = (),
        weave: Weave | None = None,
        kept: Sequence[KeptLine] = (),
    ) -> list[Edit]:
        """What a tool says is about the file's own text, and no help here. Cells with something undecided
        stay where they are, if it can be said that others moved."""
        return cell_edits(old, new, _undecided(weave) if weave is not None else (), kept)

    def stretches(self, old: str, new: str) -> list[Stretch]:
        """The sources of cells that stay what they are."""
        return source_stretches(old, new)

    def compose(self, text: str, wholes: Sequence[WholeFile], read: Read) -> bytes | BlobId:
        return composed(text, wholes, read)

    def same(self, content: Content, text: str, read: Read) -> bool:
        if content.text == text:
            return True
        if content.text is None or _is_whole(content.text):
            return False
        found = composed(content.text, content.wholes, read)
        return self.read(found if isinstance(found, bytes) else read(found)) == text

    def moved(self, file: File, new: str, *, outside: bool) -> list[MoveStep]:
        """Cells that stand elsewhere.

        With something undecided in them, and moved outside any call: the mover takes along what was agreed of
        them, and what was not is its author's at the new place. Moved and edited in one call: first where
        they stand, then what they hold; two questions, not one.
        """
        old = file.live.text
        if old is None:
            return []
        edits = self.edits(old, new, weave=file.weaves[int(file.live.node.value)])
        return carried(file, old, new, edits) if outside else only_moved(old, new, edits)

    def seen(self, text: str, line: int, part: str) -> tuple[int, str]:
        """The line in its cell's source, and the part without what is not source."""
        own = "\n".join(one for one in part.split("\n") if not one.startswith(MARK))
        _, _, first = CellMap(text).at(line - 1)
        return max(line - first, 1), own

    hunk_kinds = ("modify", "cell-edit", "cell-add", "cell-delete", "cell-move")

    def hunk_kind(self, inserted: str, deleted: str) -> str:
        """What it does to a cell, which comes or goes with its last line."""
        if END in inserted:
            return "cell-move" if END in deleted else "cell-add"
        if END in deleted:
            return "cell-delete"
        return "modify" if NOTEBOOK in inserted or NOTEBOOK in deleted else "cell-edit"


def _undecided(weave: Weave) -> list[int]:
    """Where in the text that shows something is undecided, in order."""
    shown = weave.live.before_run
    return [
        shown[number]
        for number, run in enumerate(weave.runs)
        if any(mark.state in UNDECIDED for mark in (run.insertion, *run.deletions))
    ]


def _is_whole(text: str) -> bool:
    """Whether a projection is as a notebook gives it, and decisions have left nothing else."""
    if not all(block.kind == "notebook" or block.is_complete for block in blocks(text)):
        return False
    found = outline(text)
    ids = [cell.id for cell in found.cells if cell.id]
    return len(ids) == len({*ids}) and minor_for(found.about, found.cells) == found.about.get(
        "nbformat_minor"
    )
