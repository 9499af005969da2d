"""What editors are shown: hunks where they stand in a text that may not be saved yet, and what to put in."""

from typing import NotRequired, TypedDict

from blueline.contract.decisions import DecisionDocument
from blueline.contract.files import FileKind
from blueline.contract.gate import GateSummary
from blueline.contract.groups import CountsDocument
from blueline.contract.hunks import FileHunkDocument
from blueline.contract.overview import Mode


class EditorPosition(TypedDict):
    """A place in a text, as the Language Server Protocol says it."""

    line: int
    """From zero."""
    character: int
    """Units of UTF-16, from zero."""


class EditorRange(TypedDict):
    """From one place to another."""

    start: EditorPosition
    end: EditorPosition


class EditorEdit(TypedDict):
    """What to put into the place of a range."""

    range: EditorRange
    newText: str


class GoneWordsDocument(TypedDict):
    """Words that went, and where: before what came instead."""

    at: EditorPosition
    text: str


class PlacedHunkDocument(FileHunkDocument):
    """A hunk, where it stands in the editor's text."""

    range: EditorRange | None
    """Its lines; empty where it only takes away; null if it has no place in a text."""
    touched: bool
    """What stands there in the editor is not what the file holds."""
    old_words: list[EditorRange]
    """What of `old` is not in `new`, counted from the beginning of `old`."""
    new_words: list[EditorRange]
    """What of its lines in the editor is not in `old`."""
    gone_words: list[GoneWordsDocument]
    """What of `old` is not in the editor's lines, where it stood in them; within a line only."""
    ahead: bool
    """It is in the file and not in the editor's text, where something is typed that is not saved."""


class EditorFileDocument(TypedDict):
    """A file in an editor: `blueline/file`."""

    uri: str
    path: str
    root: str
    """The folder of the project."""
    version: int
    """Grows with every event."""
    buffer: int | None
    """The version of the editor's text that the hunks are placed in; null if it has none open."""
    revision: str | None
    """Names what the file holds; null when nothing stands there."""
    kind: FileKind
    saved: bool
    """The editor's text is what the file holds."""
    hunks: list[PlacedHunkDocument]


class EditorHunksDocument(TypedDict):
    """Only the hunks of a file that are pending, where they stand: `blueline/hunks`."""

    buffer: int | None
    revision: str | None
    hunks: list[PlacedHunkDocument]


class BufferAnswer(TypedDict):
    """What became of a file that is open in the editor."""

    uri: str
    path: str
    buffer: int
    """The version of the editor's text that the edits are for."""
    revision: str | None
    """Names what the file holds now; null when nothing stands there any more."""
    edits: list[EditorEdit]
    """What makes the editor's text that of the file."""
    moved: NotRequired[str]
    """Where the file is now, if a decision moved it."""


class EditorDecisionDocument(DecisionDocument):
    """The answer to a decision in an editor."""

    files: list[BufferAnswer]
    """Open texts that are not what the files hold now."""


class EditorNews(TypedDict):
    """What became known of a project: the notification `blueline/changed`."""

    root: str
    everything: bool
    """Nobody knows any more what changed: all of it may have."""
    version: int
    files: list[str]
    turns: list[str]
    counts: CountsDocument
    gate: GateSummary
    mode: Mode


class AgreedDocument(TypedDict):
    """The bytes of a file as agreed on: `blueline/agreed`."""

    path: str
    bytes: str | None
    """In base64; null if there was no such file."""


class ProposedDocument(TypedDict):
    """The text of a file if everything undecided in it were accepted: `blueline/proposed`."""

    path: str
    text: str | None
    """Null if it is no text."""
    hunks: list[PlacedHunkDocument]
    """What is undecided, where it would stand."""
