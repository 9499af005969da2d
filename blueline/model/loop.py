"""Reviews in four loops: what they are configured to run, what they found, and for which bytes."""

from collections.abc import Mapping
from dataclasses import dataclass, field

LOOPS = (1, 2, 3, 4)
NAMES = {
    1: "builds and basic checks",
    2: "standards",
    3: "security and performance",
    4: "integration and end to end",
}

ERROR, WARNING = "error", "warning"

USUAL_SECONDS = 900
"""How long a command may take where the config does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopCommand:
    """One command of a loop."""

    run: str
    """For a shell. `{files}` stands for the files in scope."""
    seconds: int = USUAL_SECONDS
    """It is stopped after that long."""
    results: str = ""
    """A file that it writes its findings to (SARIF or JUnit XML), relative to the root."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """What one loop asks for."""

    number: int
    commands: tuple[LoopCommand, ...] = ()
    report: bool = False
    """Whether an agent's report is asked for besides the commands. Without commands it always is."""
    skip: str = ""
    """Why this loop is not asked for at all."""

    @property
    def needs_report(self) -> bool:
        return self.report or not self.commands


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """All that a project's config says about reviews."""

    loops: Mapping[int, Loop] = field(default_factory=lambda: {n: Loop(number=n) for n in LOOPS})
    shipped: tuple[str, ...] = ()
    """Patterns of files that git ignores and that are shipped all the same."""
    digest: str = ""
    """Of exactly this content; what is trusted, and what a review is bound to."""

    @property
    def commands(self) -> tuple[LoopCommand, ...]:
        return tuple(command for n in LOOPS for command in self.loops[n].commands)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that a loop found."""

    severity: str
    """error or warning."""
    message: str
    file: str = ""
    line: int = 0
    """From one; 0 when it is about no line."""
    column: int = 0
    rule: str = ""
    source: str = ""
    """The command, or whoever reported it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopOutcome:
    """How a loop's commands ended, or what an agent reported of it."""

    passed: bool
    at: str
    by: str
    """Who ran it, or reported."""
    findings: tuple[Finding, ...] = ()
    dropped: int = 0
    """Findings beyond those that are kept."""
    scope: str = "changed"
    covers: bool = True
    """Whether every file that would ship was in its scope."""
    seconds: float = 0.0
    commands: tuple[str, ...] = ()

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(found for found in self.findings if found.severity == ERROR)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopResult:
    """What is known of one loop for one tree."""

    run: LoopOutcome | None = None
    report: LoopOutcome | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """What loops said about exactly these bytes, under exactly this config."""

    tree: str
    head: str
    """The commit that was checked out; for people, nothing depends on it."""
    config: str
    extra: str
    """The digest of files that git ignores and that are shipped."""
    at: str
    manifest: str
    """The digest of the list of files with their bytes."""
    loops: Mapping[int, LoopResult] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Override:
    """Somebody opened the gate for one tree, for a while."""

    number: int
    by: str
    reason: str
    at: str
    expires: str
    tree: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GateReason:
    """Why the gate is closed, and what to do about it."""

    code: str
    message: str
    hint: str
    about: tuple[str, ...] = ()
    """Hunks, files or findings that it is about."""
    loop: int = 0
