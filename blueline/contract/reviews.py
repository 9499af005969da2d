"""A review as it runs: what it would do, what happens, how it ended."""

from typing import Literal, NotRequired, TypedDict

from blueline.contract.gate import GateDocument, IssueDocument, LoopDocument


class PlannedCommand(TypedDict):
    """A command that a review would run."""

    run: str
    timeout: int
    """Seconds."""
    last: float | None
    """How many seconds it took the last time; null if it never ran here."""
    results: str
    """A file that it writes its findings to; empty if none."""


class PlannedLoop(TypedDict):
    """A loop that a review would run."""

    loop: int
    name: str
    commands: list[PlannedCommand]
    report: bool
    """Whether an agent's report is asked for besides the commands."""
    skip: str
    """Why this loop is not asked for at all; empty if it is."""


class ReviewPlan(TypedDict):
    """What a review would run, and on which files: the answer to `review --preview`."""

    tree: str
    head: str
    config: str
    """The digest of the loops as they are configured: what is trusted."""
    manifest: str
    """The digest of the list of files with their bytes."""
    trusted: bool
    """Whether somebody has agreed that these commands may run."""
    top: str
    """The folder of the repository."""
    scope: str
    """changed, all or paths."""
    files: list[str]
    covers: bool
    """Whether every file that would ship is in the scope."""
    seconds: float
    """How long all commands took the last time."""
    loops: list[PlannedLoop]


ReviewStep = Literal[
    "loop-started",
    "loop-skipped",
    "loop-waits",
    "loop-ended",
    "command-started",
    "command-ended",
    "line",
]


class ReviewEvent(TypedDict):
    """One thing that happened in a review: a line of `review --events`."""

    event: ReviewStep
    loop: NotRequired[int]
    name: NotRequired[str]
    """Of the loop."""
    run: NotRequired[str]
    """The command."""
    text: NotRequired[str]
    """A line that it printed."""
    passed: NotRequired[bool]
    code: NotRequired[int]
    """What the command ended with."""
    why: NotRequired[str]
    """Why it was skipped, or stopped."""
    seconds: NotRequired[float]
    issues: NotRequired[list[IssueDocument]]


class ReviewDocument(TypedDict):
    """The answer to `review`."""

    ran: list[int]
    """Loops whose commands were run."""
    gate: GateDocument
    passed: bool


class ReviewedEvent(ReviewDocument):
    """The last line of `review --events`."""

    event: Literal["reviewed"]


class EndedEvent(TypedDict):
    """The last of what the workbench says of a review."""

    event: Literal["ended"]
    code: int
    """What the command ended with."""
    error: str
    """Why it failed; empty if it did not."""


class RunningReview(TypedDict):
    """The review of a project that was started in the workbench."""

    run: int
    running: bool


class RunDocument(TypedDict):
    """A review was started."""

    run: int


class StoppedDocument(TypedDict):
    """A review was told to stop."""

    stopped: bool
    """Whether it still ran."""


class GateScreen(GateDocument):
    """The gate's answer, in the workbench."""

    trusted: bool
    """Whether the commands of the loops may run."""
    review: RunningReview | None


class LoopReported(TypedDict):
    """The answer to `loop`: what an agent reported of one."""

    recorded: LoopDocument
    gate: GateDocument


class TrustDocument(TypedDict):
    """The answer to `trust`."""

    trusted: bool
    config: NotRequired[str]
    """The digest of the loops that may run."""
