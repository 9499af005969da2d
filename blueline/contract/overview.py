"""A project at one look: status, list, the overview of the workbench, and news of it."""

from typing import Literal, NotRequired, TypedDict

from blueline.contract.actors import ActorDocument
from blueline.contract.agents import AgentPresence
from blueline.contract.cells import CellShown
from blueline.contract.decisions import DecisionDocument
from blueline.contract.files import FileDocument, FileEntry, FileGroup, FileShown, LinesShown
from blueline.contract.gate import GateSummary
from blueline.contract.groups import CountsDocument, HunkStatus
from blueline.contract.hunks import HunkDocument, HunkEntry, HunkShown
from blueline.contract.log import DecisionShown, NoteShown
from blueline.contract.notes import NoteDocument
from blueline.contract.turns import CallGroup, CallShown, SubagentShown, TurnEntry, TurnGroup, TurnShown
from blueline.model.risk import Level

Mode = Literal["review", "hold", "direct"]


class ModeDocument(TypedDict):
    """The answer to `mode`."""

    mode: Mode
    version: NotRequired[int]
    """In the workbench: grows with every event."""


class RecordingDocument(TypedDict):
    """Whether what agents do here is recorded."""

    recorded: bool
    by: Literal["", "project", "user"]
    """By hooks in the project, or by those in a person's own settings; empty if it is not."""
    why: str
    """Why it is not; empty if it is."""
    hint: str
    """What to type then."""


class StatusDocument(TypedDict):
    """Everything in one look."""

    mode: Mode
    recording: RecordingDocument
    counts: CountsDocument
    turns_running: int
    gate: GateSummary
    root: str
    warnings: list[str]
    reviews: NotRequired[bool]
    """Whether reviews were ever set up here, or run: without that, nobody has to be reminded of one."""
    agents: NotRequired[list[AgentPresence]]
    """In `status`: whose hooks were installed, and whether they do anything."""


class LostDocument(TypedDict):
    """What is not known any more, because records are damaged or gone."""

    why: str
    hint: str
    """What to do about it."""


class ListingDocument(TypedDict):
    """The answer to `list`. There is one of the four lists, by what was asked for."""

    mode: Mode
    recording: RecordingDocument
    counts: CountsDocument
    lost: NotRequired[LostDocument]
    """Only where there may have been more than is listed."""
    hunks: NotRequired[list[HunkDocument]]
    files: NotRequired[list[FileGroup]]
    calls: NotRequired[list[CallGroup]]
    turns: NotRequired[list[TurnGroup]]


class DiffFileDocument(TypedDict):
    """A file in a diff."""

    path: str
    added: int
    """In lines."""
    removed: int
    binary: bool
    """It is no text, and has no lines."""


class DiffDocument(TypedDict):
    """The answer to `diff`."""

    diff: str
    files: list[DiffFileDocument]
    """How much of each file is in it, in the same order."""


ShownDocument = (
    HunkShown
    | CallShown
    | TurnShown
    | SubagentShown
    | FileShown
    | LinesShown
    | CellShown
    | DecisionShown
    | NoteShown
)


class ChangeNews(TypedDict):
    """A change that was just taken in: a line of `watch`."""

    path: str
    actor: ActorDocument
    call: str | None


class ProjectDocument(TypedDict):
    """A project that the workbench was started for."""

    id: str
    name: str
    root: str


class ProjectsDocument(TypedDict):
    """All projects that the workbench was started for."""

    projects: list[ProjectDocument]
    person: NotRequired[str]
    """At a hub: whose browser it is."""


class WaitingProject(ProjectDocument):
    """A project in which something is undecided."""

    branch: str | None
    repository: str
    """The same for all work trees of one repository."""
    counts: CountsDocument
    since: str
    """When the change was made that waits longest."""
    risk: Level
    """The highest of what is undecided in it."""
    agents: list[str]
    """Whose changes these are."""
    folders: list[str]
    """The first below the root that they are in; `.` for the root itself."""
    looking: list[str]
    """At a hub: the people who look at it just now, but for oneself."""
    heard: NotRequired[str]
    """At a hub: when its machine was last heard from. `root` is the machine's name there."""
    error: str
    """Why nobody can look into it; empty if one can."""


class InboxDocument(TypedDict):
    """What is undecided: the riskiest first, then what waits longest; work trees of one repository are
    together."""

    projects: list[WaitingProject]


class ProjectPlace(TypedDict):
    """Where a project is."""

    name: str
    root: str
    """Empty at a hub: it is on another machine."""
    branch: str | None
    """The one that is checked out."""


class OutsideEntry(TypedDict):
    """An edit of a person, or of a program of theirs."""

    id: str
    actor: ActorDocument
    path: str
    at: str
    status: HunkStatus
    """Accepted as it arrived, or rejected since."""
    hunks: list[str]
    """By which it can be decided."""


class ProjectStanding(TypedDict):
    """How a project stands, whatever else is shown of it."""

    version: int
    """Grows with every event."""
    project: ProjectPlace
    mode: Mode
    counts: CountsDocument
    gate: GateSummary
    warnings: list[str]


class OverviewDocument(ProjectStanding):
    """The workbench's first look at a project."""

    files: list[FileEntry]
    turns: list[TurnEntry]
    outside: list[OutsideEntry]
    hunks: list[HunkEntry]
    """Those that are pending."""


class OverviewPatch(OverviewDocument):
    """What is different in an overview: only what belongs to some files."""

    since: int
    """The version of the overview that it is a patch for."""
    paths: list[str]
    """These files are as `files` and `hunks` say; one that is not there is gone. The turns have only calls
    that touched one of them: the others are as they were."""
    opened: str
    """One of them, of which `hunks` has none: they stand in the page of this file, which comes along. Empty
    if there is none."""


class DecidedScreen(DecisionDocument):
    """The answer to a decision in the workbench; with all that the page shows after it, if it asked."""

    overview: NotRequired[OverviewDocument]
    patch: NotRequired[OverviewPatch]
    """In the place of the overview, for a page that has an earlier one."""
    notes: NotRequired[list[NoteDocument]]
    file: NotRequired[FileDocument | None]
    """The one that is open; null if there is none."""


class ProgressDocument(TypedDict):
    """What happened after a place in the journal."""

    version: int
    cursor: int
    """The place to ask from the next time."""
    files: list[str]
    turns: list[str]


class FollowedDocument(ProgressDocument, StatusDocument):
    """What happened, and how things stand."""


class NewsDocument(TypedDict):
    """One message of the live channel."""

    everything: bool
    """Nobody knows any more what changed: all of it may have."""
    version: int
    files: list[str]
    turns: list[str]
    counts: CountsDocument
    gate: GateSummary
    mode: Mode


class FailureDocument(TypedDict):
    """What went wrong, and what to try."""

    error: str
    hint: str
