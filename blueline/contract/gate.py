"""Whether what is here may ship: the gate's answer, and what each loop of the review says."""

from typing import Literal, NotRequired, TypedDict

LoopState = Literal["passed", "failed", "missing", "partial", "unreported", "skipped"]


class IssueDocument(TypedDict):
    """Something that a loop found."""

    severity: str
    """error or warning."""
    message: str
    file: NotRequired[str]
    line: NotRequired[int]
    """From one."""
    column: NotRequired[int]
    rule: NotRequired[str]
    source: NotRequired[str]
    """The command, or whoever reported it."""


class LoopDocument(TypedDict):
    """One of the four loops of a review."""

    loop: int
    name: str
    passed: bool
    state: LoopState
    issues: list[IssueDocument]
    at: str | None
    by: str | None
    needs: list[str]
    """What is still missing."""
    commands: list[str]
    report: bool
    """Whether an agent's report is asked for besides the commands."""
    skip: str
    """Why this loop is not asked for at all; empty if it is."""


class ReasonDocument(TypedDict):
    """Why the gate is closed."""

    code: str
    """not-recording, undecided, agent-decided, commit-decided, no-review, stale-review, loop-failed,
    corrupt-state, incomplete, must-fix."""
    message: str
    hint: str
    """What to do about it."""
    about: NotRequired[list[str]]
    """Hunks, files or findings that it is about."""
    loop: NotRequired[int]


class OverrideDocument(TypedDict):
    """Somebody opened the gate for one tree, for a while."""

    id: str
    by: str
    reason: str
    at: str
    expires: str
    tree: str


class ReviewedDocument(TypedDict):
    """What the latest review was about."""

    tree: str
    head: str | None
    at: str


class GateStepDocument(TypedDict):
    """One thing that the answer depends on."""

    what: str
    met: bool
    how: str


class DecidedDocument(TypedDict):
    """What one person, or one agent, decided."""

    by: str
    """The account."""
    agent: str
    """The agent that decided under that account; empty if a person did."""
    accepted: int
    """Hunks."""
    rejected: int
    files: list[str]


class GateSummary(TypedDict):
    """The gate's answer in short."""

    open: bool
    reasons: list[ReasonDocument]
    override: OverrideDocument | None
    """Somebody opened it all the same."""


class GateDocument(GateSummary):
    """The gate's whole answer."""

    tree: str | None
    """What would ship, as git names it."""
    head: str | None
    config: str
    """The digest of the loops as they are configured."""
    loops: list[LoopDocument]
    overrides: list[OverrideDocument]
    reviewed: ReviewedDocument | None
    steps: list[GateStepDocument]
    decided: list[DecidedDocument]
    """Who decided how much of what differs from what others have."""


class LoopDetails(TypedDict):
    """One loop in `loop-state.json`."""

    passed: bool
    issues: list[IssueDocument]


class LoopStateDocument(TypedDict):
    """What programs expect in `.claude/skills/code-review/loop-state.json`."""

    head_commit: str
    timestamp: str
    loop_1_passed: bool
    loop_2_passed: bool
    loop_3_passed: bool
    loop_4_passed: bool
    ship_allowed: bool
    blockers: list[str]
    loop_details: dict[str, LoopDetails]
    """By `loop_1` to `loop_4`."""
