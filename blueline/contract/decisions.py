"""What was decided, what became of it, and what has to be chosen first."""

from typing import NotRequired, TypedDict

from blueline.model.actor import ActorKind
from blueline.model.verdict import HunkOutcome


class ResultDocument(TypedDict):
    """What became of one hunk."""

    hunk: str
    path: str
    outcome: HunkOutcome
    reason: str
    modified: bool
    """A person typed into it, or took away from it."""


class KeptActorDocument(TypedDict):
    """Whose text it is that was kept."""

    kind: ActorKind


class KeptDocument(TypedDict):
    """Text that stays although what it stood in goes."""

    path: str
    line: int
    text: str
    actor: KeptActorDocument
    blank: bool
    """There is nothing in it to read."""
    hunk: NotRequired[str]


class CorrectedLineDocument(TypedDict):
    """A line of a hunk that a person has corrected."""

    line: int
    """From one, in the file as it is."""
    now: str
    """The line as it is."""
    before: str | None
    """What stood in its place before the agent; null if nothing did."""


class NeedDocument(TypedDict, total=False):
    """Something that has to be chosen before anything is done."""

    hunk: str
    path: str
    why: str
    """moved-on, before-unknown, busy, shared or corrected."""
    built_on_by: list[str]
    """Hunks that stand on it."""
    shared_with: list[str]
    """Other calls that may have made it."""
    lines: list[CorrectedLineDocument]
    """The lines of it that a person has corrected."""
    now: list[str]
    """The ids that took the place of one that is no longer current."""


class RewindDocument(TypedDict):
    """How to take a turn out of an agent's own conversation."""

    command: str
    """What to type there."""
    message: str
    """The prompt to go back to."""
    resume: str
    """The command that takes the conversation up again."""
    text: str
    """All of it, for people."""


class TurnRewindDocument(RewindDocument):
    """The same, of one of several turns."""

    turn: str


class ExplainedDocument(TypedDict):
    """The answer to a reason that was given afterwards."""

    decision: str
    reason: str
    version: NotRequired[int]
    """In the workbench: grows with every event."""


class DecisionDocument(TypedDict):
    """The answer to accept, reject, undo and redo."""

    decision: str | None
    """Null if nothing was decided."""
    verdict: str
    """accept, reject, undo or redo."""
    results: list[ResultDocument]
    """What became of each hunk: `already`, it was decided so before; `skipped`, a later decision counts;
    `queued`, it is carried out as soon as the agent's call has ended."""
    written: list[str]
    """Files that were written, or would be."""
    kept: list[KeptDocument]
    """Text that stays although what it stood in goes."""
    needs: list[NeedDocument]
    """What has to be chosen; then nothing was written, and the exit code is 4."""
    linked: NotRequired[list[str]]
    """Undecided hunks of the same turns in other files that exchange the same words (accept and reject)."""
    of: NotRequired[str]
    """The decision that was taken back, or made to stand again (undo and redo)."""
    dry_run: NotRequired[bool]
    """True with `--dry-run`."""
    diff: NotRequired[str]
    """With `dry_run`: what would change in the files, as a patch."""
    error: NotRequired[str]
    """With `needs`: what is in the way."""
    hint: NotRequired[str]
    """With `needs`: what to try."""
    request: NotRequired[str]
    """At a hub: it waits there as this request, for the machine to carry it out."""
    conversations: NotRequired[list[str]]
    """Those from which turns were taken back."""
    rewind: NotRequired[list[TurnRewindDocument]]
    """How to take turns back that were held elsewhere."""
    version: NotRequired[int]
    """In the workbench: grows with every event."""
