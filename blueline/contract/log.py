"""What happened, newest first."""

from typing import Literal, TypedDict

from blueline.contract.gate import OverrideDocument
from blueline.contract.notes import NoteKind
from blueline.contract.turns import CallDocument, TurnDocument


class TurnLogged(TurnDocument):
    """A turn in the log."""

    kind: Literal["turn"]
    at: str


class CallLogged(CallDocument):
    """A call in the log."""

    kind: Literal["call"]
    at: str


class DecisionLogged(TypedDict):
    """A decision: in the log, and in `show`."""

    kind: Literal["decision"]
    id: str
    at: str
    verdict: str
    """accept, reject, by-hand, by-git, undo, redo or queued."""
    of: str | None
    """The decision that it takes back, or makes stand again."""
    stands: bool
    """False once it was taken back."""
    reason: str
    by: str
    """The account of whoever decided, or the person's name at the hub."""
    agent: str
    """The agent that decided under that account; empty if a person did."""
    commit: str
    """The commit that accepted it, as the config has it; empty if somebody decided."""
    request: str
    """The hub's request that it carries out; empty if it was made on this machine."""
    returns: bool
    """By hand or by git: what had been taken away stands in the file again."""
    hunks: list[str]
    paths: list[str]
    """The files that it is about, where they are now."""
    written: list[str]
    """Files that were written."""


class DecisionShown(DecisionLogged):
    """`show` of a decision."""

    overtaken: bool
    """All that it is about was decided anew since."""


class NoteLogged(TypedDict):
    """A note in the log."""

    kind: Literal["note"]
    id: str
    note: NoteKind
    at: str
    text: str
    status: str
    """draft, sent, resolved or removed."""
    path: str | None
    line: int
    """From one; zero if it is about no line."""
    of: str
    """The hunk, call or turn it is about; empty if none."""


class NoteShown(NoteLogged):
    """`show` of a note."""

    quote: str
    """The lines as they were when it was written."""


class OverrideLogged(OverrideDocument):
    """Somebody opened the gate although something spoke against it."""

    kind: Literal["override"]


LogEntry = TurnLogged | CallLogged | DecisionLogged | NoteLogged | OverrideLogged


class ToolTallyDocument(TypedDict):
    """How much of what an agent did with a tool was kept, and how much was taken back."""

    agent: str
    tool: str
    edits: int
    accepted: int
    rejected: int
    pending: int


class EntriesDocument(TypedDict):
    """Entries of the log."""

    entries: list[LogEntry]


class HunkPlaceDocument(TypedDict):
    """Where a hunk stands, or stood."""

    path: str
    line: int
    """From one, in the file as it is; zero for what concerns the whole file."""


class TimelineDocument(EntriesDocument):
    """Entries of the log as the workbench shows them."""

    places: dict[str, HunkPlaceDocument]
    """By its id: the first hunk of each decision among them."""


class LogDocument(EntriesDocument):
    """The answer to `log`."""

    tally: list[ToolTallyDocument]
