"""What a file is reviewed by: its text, or the lines of the notebook that it is."""

from collections.abc import Callable
from typing import NamedTuple

from blueline.model.file_state import FileState, Regular
from blueline.model.ids import BlobId
from blueline.model.notebook import NotCells, is_notebook_path
from blueline.model.projection import blocks, digest, minor_for, outline, projection
from blueline.model.text import as_text
from blueline.review.cells.compose import composed
from blueline.review.file import Content
from blueline.review.ledger import Ledger

Read = Callable[[BlobId], bytes | None]
"""The bytes of a blob; None when they are lost or were purged."""


MOST_REMEMBERED = 16


class ReviewedText(NamedTuple):
    """The text that something is reviewed by; None if it is not text."""

    text: str | None
    cells: bool = False
    """Whether it is a notebook's projection."""

    @property
    def digest(self) -> str:
        """A short name for a projection; empty for a text."""
        return digest(self.text) if self.cells else ""


def projected_blob(ledger: Ledger, blob: BlobId, read: Read) -> str | None:
    """The lines of a stored notebook; None if it is none."""
    if blob not in ledger.projections:
        while len(ledger.projections) >= MOST_REMEMBERED:
            ledger.projections.pop(next(iter(ledger.projections)))
        try:
            ledger.projections[blob] = projection(read(blob))
        except NotCells:
            ledger.projections[blob] = None
    return ledger.projections[blob]


def lines_of(ledger: Ledger, state: FileState, path: str, live: Content | None, read: Read) -> ReviewedText:
    """What a state of a file is reviewed by. Once a notebook, it is one whatever it is called."""
    if not isinstance(state, Regular):
        return ReviewedText(None)
    if is_notebook_path(path) or (live is not None and live.node.kind == "notebook"):
        text = projected_blob(ledger, state.blob, read)
        if text is not None:
            return ReviewedText(text, cells=True)
    return ReviewedText(as_text(read(state.blob)))


def on_disk(content: Content, read: Read) -> bytes | None:
    """The bytes of a content that is text or a notebook; None if they are lost."""
    if content.node.kind == "notebook":
        found = composed(content.text or "", content.shells, read)
        return found if isinstance(found, bytes) else read(BlobId(found))
    return None if content.text is None else content.text.encode("utf-8")


def is_whole(text: str) -> bool:
    """Whether a projection is as a notebook gives it, and decisions have left nothing else."""
    if not all(block.kind == "notebook" or block.is_complete for block in blocks(text)):
        return False
    found = outline(text)
    ids = [cell.id for cell in found.cells if cell.id]
    return len(ids) == len({*ids}) and minor_for(found.about, found.cells) == found.about.get(
        "nbformat_minor"
    )


def shows_as(content: Content, text: str, read: Read) -> bool:
    """Whether a notebook, written down and read again, has these lines."""
    if content.text == text:
        return True
    if content.text is None or is_whole(content.text):
        return False
    try:
        return projection(on_disk(content, read)) == text
    except NotCells:
        return False
