"""Notebooks: the cells, what is pending in them, and what running them left."""

from typing import Literal, NotRequired, TypedDict

from blueline.contract.groups import GroupDocument

CellState = Literal["same", "edited", "added", "deleted", "moved"]


class HunkCellDocument(TypedDict):
    """Which cell a hunk is in, and what it does to it."""

    id: str
    """Empty if it has none."""
    index: int
    """From one, as the notebook is; of a deleted one, as it was."""
    type: str
    change: str
    """edited, added, deleted, moved, type, id, metadata or attachments."""


class CellNameDocument(TypedDict):
    """Which cell it is."""

    id: str
    """Empty if it has none."""
    type: str
    index: int
    """From one, as the notebook is on disk; zero for one that is not there."""
    outputs: int
    """How many characters its outputs take."""


class CellDocument(CellNameDocument):
    """A cell on the page of its notebook."""

    state: CellState
    hunks: list[str]
    """Ids of what is pending in it."""
    old: str | None
    """Its source as agreed; null if there was no such cell."""
    new: str | None
    """Its source were everything accepted; null if there would be no such cell."""
    live: str | None
    """Its source as it is on disk."""


class CellSides(TypedDict):
    """A cell as agreed, and as it is."""

    kind: Literal["cell"]
    path: str
    cell: str
    """Its id, or its number if it has none."""
    index: int
    """From one; zero for one that is not in the notebook."""
    type: str
    old: str | None
    """Its source as agreed."""
    new: str | None
    """Its source as it is."""


class CellShown(CellSides, GroupDocument):
    """`show` of a cell: what is pending in it."""


class OutputDocument(TypedDict):
    """One thing that running a cell left in it."""

    kind: Literal["text", "image", "other"]
    text: str
    """The text, the address of the picture, or which kinds there are."""
    cut: NotRequired[int]
    """How many characters were left out."""


class OutputsDocument(TypedDict):
    """What running a cell left in it."""

    outputs: list[OutputDocument]
    more: int
    """How many are not shown."""


class CellSavedDocument(TypedDict):
    """A cell that a person typed into was saved."""

    source: str
    version: int


class CellMergedDocument(CellSavedDocument):
    """The answer to a save of a cell."""

    merged: bool
    """Whether others had written to it meanwhile, so that it is not what was typed."""
