"""One file: in a list, in the overview, on its page."""

from typing import Literal, NotRequired, TypedDict

from blueline.contract.actors import ActorDocument
from blueline.contract.cells import CellDocument
from blueline.contract.groups import GroupDocument
from blueline.contract.hunks import FileHunkDocument

FileKind = Literal["text", "notebook", "binary", "link", "folder", "absent"]
FileLetter = Literal["M", "A", "D", "R", "T"]
FileStatus = Literal["pending", "mixed", "accepted", "rejected", "conflict"]


class FileGroup(GroupDocument):
    """A file and its hunks."""

    path: str


class FileOperationDocument(TypedDict):
    """A file went from one content to the next."""

    at: str
    actor: ActorDocument
    call: str | None


class FileShown(GroupDocument):
    """`show` of a file."""

    kind: Literal["file"]
    path: str
    exists: bool
    mode: str
    """In octal."""
    operations: list[FileOperationDocument]
    """Oldest first. The first is no change: it is how the file was when it was first looked at."""


class LinesDocument(TypedDict):
    """Some lines of a file as it is."""

    kind: Literal["lines"]
    path: str
    line: int
    """From one."""
    end_line: int
    """Inclusive."""
    text: str


class LinesShown(LinesDocument, GroupDocument):
    """`show` of lines: what is pending on them."""


class FileEntry(TypedDict):
    """A file in the overview of a project."""

    path: str
    letter: FileLetter
    """Modified, added, deleted, renamed, or of another type."""
    status: FileStatus
    """`conflict` if a decision could not be carried out on it."""
    pending: int
    decided: int
    notes: int
    """Those that are not settled."""
    muted: bool
    """It looks like a file that programs make and nobody reads."""
    kind: FileKind
    running: bool
    """A call has it in its hands."""


class SpanDocument(TypedDict):
    """Who wrote some lines of the file as it is."""

    start_line: int
    """From one."""
    end_line: int
    """Inclusive."""
    actor: ActorDocument
    call: str | None
    turn: str | None


class MomentDocument(TypedDict):
    """A file after one change."""

    id: str
    at: str
    """When; empty before anybody changed it."""
    actor: ActorDocument | None
    call: str | None
    hunks: list[str]
    """What there is to decide, or was decided, of the change; also a step that a later one hides."""


class MomentsDocument(TypedDict):
    """All moments of a file, the latest first."""

    path: str
    moments: list[MomentDocument]


class MomentText(TypedDict):
    """A file without all that came after a moment."""

    path: str
    id: str
    text: str


class FileDocument(TypedDict):
    """The page of a file."""

    path: str
    version: int
    """Grows with every event."""
    revision: str | None
    """Names the content; null when nothing stands there."""
    kind: FileKind
    mode_bits: str | None
    """In octal."""
    baseline_mode_bits: NotRequired[str | None]
    """As agreed; left out if it is the same."""
    too_large: bool
    """Its text is not shown."""
    baseline: str | None
    """Its text as agreed."""
    live: str | None
    """Its text as it is."""
    original: NotRequired[str | None]
    """Its text were everything pending rejected; left out if that is the baseline."""
    final: NotRequired[str | None]
    """Its text were everything pending accepted; left out if that is the live text."""
    hunks: list[FileHunkDocument]
    spans: list[SpanDocument]
    as_text: NotRequired[str | None]
    """Why a notebook is shown as text."""
    cells: NotRequired[list[CellDocument]]
    """Of a notebook."""
    held: NotRequired[bool]
    """Of a notebook: whether proposals wait in it."""


class SavedDocument(TypedDict):
    """A file that a person typed into was saved."""

    revision: str
    text: str
    version: int


class MergedDocument(SavedDocument):
    """The answer to a save of a file."""

    merged: bool
    """Whether others had written to it meanwhile, so that it is not what was typed."""
