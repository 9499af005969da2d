"""What is put into the index, row by row. Who only lists loads nothing of this."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple


class FileOperation(NamedTuple):
    """An operation, and the file that it changed."""

    file: int
    op: int


class HunkRow(NamedTuple):
    """A hunk as it is listed."""

    id: str
    file: int
    call: int | None
    turn: int | None
    path: str
    line: int
    op: int
    status: str
    listed: bool
    exchanged: tuple[str, ...] | None
    """The names that went, each with the one that came in its place; None if its document has to be read for
    that."""
    doc: str
    """Its document, as `tables.dump` writes it."""
    hears: list[tuple[str, str, str]]
    """The hunk as it was recorded, a conversation that may have made it, and what that should have heard."""


class ExchangeRow(NamedTuple):
    """What a hunk exchanges, and where."""

    id: str
    turn: int | None
    path: str
    """As it is stored."""
    names: Sequence[str]
    doc: str | None
    """In their place, where they are not known."""


class FileRow(NamedTuple):
    """A file, with what is needed to find it."""

    id: int
    path: str
    undecided: bool
    places: list[str]
    """All paths it ever had."""
    kind: str
    """What stands there: text, bytes, link, folder, absent or unknown."""
    doc: dict[str, Any]
    operations: list[tuple[int, int | None, int]]
    """Number, call and first hunk of each operation; again for each other call that may have done it."""
    hunks: list[HunkRow]
    folded: int = 0
    """The last operation that is part of the baseline for good."""


class TableRow(NamedTuple):
    """A document for a table, and the columns to find it by."""

    table: Literal["turns", "subagents", "calls", "decisions", "notes"]
    number: int
    document: Any
    columns: Mapping[str, object]


class NoteRow(NamedTuple):
    """A note, and the word that stands for what a conversation has to hear of it; empty for nothing new."""

    row: TableRow
    conversation: str
    word: str


class DroppedFile(NamedTuple):
    """A file of which nothing is to be known any more."""

    number: int


IndexRow = TableRow | NoteRow | FileRow | DroppedFile
