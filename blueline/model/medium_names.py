"""The media that files are reviewed in, by name."""

from typing import Literal, NamedTuple, get_args

from blueline.model.ids import BlobId

MediumName = Literal["text", "notebook"]
"""As a text, line by line; or as a notebook, cell by cell."""

MEDIA: tuple[MediumName, ...] = get_args(MediumName)


class WholeFile(NamedTuple):
    """A whole file that was seen, where only a part of it is reviewed: its bytes, with everything else."""

    blob: BlobId
    by: Literal["person", "agent", "held"]
    """Who wrote it; what is held was never on disk."""
    lines: str
    """A digest of the lines that it is reviewed by."""
