"""What the journal holds: facts, each true for ever."""

from dataclasses import dataclass

from blueline.model.actor import Actor
from blueline.model.answer import Answer
from blueline.model.call_about import NOTHING_KNOWN, CallAbout
from blueline.model.dependents import Dependents, FileChoice
from blueline.model.edit import Edit
from blueline.model.file_state import FileState
from blueline.model.piece import Passed, Piece, PieceAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectOpened:
    """The first fact of every journal."""

    salt: int
    """Mixed into the ids of hunks, so that those of another project are not known here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStarted:
    """Somebody asked an agent for something."""

    turn: int
    conversation: str
    agent: str
    prompt: str
    chat: str = ""
    """The chat that it was held in, if it was one of ours."""
    process: tuple[int, int] | None = None
    """The agent: process number and start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnResumed:
    """Work that the turn had started goes on in it, after other turns or its own end."""

    turn: int
    process: tuple[int, int] | None = None
    """As in `TurnStarted`: the agent may have been started anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnded:
    """The agent stopped, or was found to have stopped."""

    turn: int
    waits: bool = False
    """Sub-agents go on, and the turn ends with the last of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubagentStarted:
    """A sub-agent was seen at work for a turn, for the first time or again, or more became known of it."""

    subagent: int
    turn: int
    key: str
    """What the agent calls it, unique in the conversation."""
    type: str
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SubagentEnded:
    """A sub-agent stopped, or was found to have stopped."""

    subagent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CallStarted:
    """An agent began to use a tool."""

    call: int
    turn: int
    key: str
    """What the agent calls it. The same can come again: then the later call is meant."""
    tool: str
    path: str | None
    """The file it names."""
    subagent: int | None = None
    """The sub-agent that made it."""
    about: CallAbout = NOTHING_KNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class CallEnded:
    """A tool call came to its end: `done`, `failed`, `held`, or `lost` when no end was seen."""

    call: int
    outcome: str
    about: CallAbout = NOTHING_KNOWN
    """What became known of it since it began."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSeen:
    """A file was looked at for the first time; what stood there is agreed."""

    file: int
    path: str
    state: FileState
    digest: str = ""
    """Of the lines that it is reviewed by, if these are made of what stands in the file: of a notebook's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChanged:
    """One operation: a file went from one content to the next, by one actor in one call.

    The edits were computed when this was recorded, against the text as it showed then. They are never
    computed again: a better diff later changes nothing that was agreed.
    """

    op: int
    file: int
    actor: Actor
    call: int | None
    hunk: int
    """The number of its first hunk; others follow. Stored, so that ids outlive the loss of a record."""
    path: str
    before: str
    """The content it was computed against, as a key: tells when a record between is lost."""
    after: FileState
    first: Answer
    edits: tuple[Edit, ...] | None
    """None when the file did not go from one text to another."""
    inserted: tuple[str, ...] | None
    """The text each edit inserts; None when it is read from the blob because it is long."""
    fresh: bool = False
    """The text is not woven into what was there, but replaces it (a deleted path written again)."""
    missing: str = ""
    """For a file that came to be: the outermost folder that was not there before."""
    gone: str = ""
    """For a file that was renamed: the outermost folder that was gone then from where it had been."""
    complete: bool = True
    others: tuple[int, ...] = ()
    """Calls besides `call` that were open, and may have done it."""
    digest: str = ""
    """As in `FileSeen`. The edits are those of these lines; without any, what is not reviewed has changed: a
    notebook's outputs, say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileGrew:
    """What the last operation on a file inserted has more text at its end: the same operation goes on."""

    op: int
    file: int
    before: str
    """As in `FileChanged`."""
    start: int
    """Where in the text as it showed the new text stands, and how long it is."""
    length: int
    text: str | None
    """None when it is read from the blob because it is long."""
    after: FileState


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFormatted:
    """A program went over undecided text of agents: further edits of the operations that it came with.

    They are undecided with that text, and go back with it (rule D2).
    """

    op: int
    """Its number, counted with those of operations."""
    file: int
    before: str
    """As in `FileChanged`."""
    after: FileState
    edits: tuple[Edit, ...]
    """As in `FileChanged`; the hunks are those of the operations that they join."""
    inserted: tuple[str, ...]
    joins: tuple[tuple[int, tuple[tuple[int, Answer], ...]], ...]
    """For each edit: the operation that it joins, and the answers that what it joins has got already, by the
    numbers of the decisions."""
    digest: str = ""
    """As in `FileSeen`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """What a decision makes of one file on disk."""

    path: str
    old_path: str
    before: FileState
    after: FileState
    missing: str = ""
    """When the file goes: the outermost folder to remove with it, if empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionMade:
    """Somebody's answer about pieces of files, and the writes that follow from it."""

    decision: int
    verdict: str
    """accept, reject, or by-hand or by-git (the file itself said so)."""
    reason: str
    changes: tuple[tuple[int, tuple[PieceAnswer, ...]], ...]
    """File number and its changes."""
    hunks: tuple[str, ...]
    writes: tuple[Write, ...]
    by: str = ""
    """Who decided: the name of their account. Empty if the file itself said so, or it was not recorded."""
    agent: str = ""
    """The agent that decided under that account; empty if a person did."""
    turns: tuple[int, ...] = ()
    """The turns that were decided about as such: a conversation follows what becomes of its turns."""
    commit: str = ""
    """The commit that said so, as the config has it, and nobody else."""
    request: str = ""
    """The request of a hub that it carries out; `by` is then who asked for it there."""
    passes: tuple[tuple[int, tuple[Passed, ...]], ...] = ()
    """File number, and which of the pieces are another hunk's as long as the decision stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionTurned:
    """An earlier decision was taken back (undo) or made to stand again (redo)."""

    decision: int
    of: int
    stands: bool
    takes_back: int
    """The decision that somebody named: `of` itself, or an earlier undo or redo of it."""
    files: tuple[int, ...]
    writes: tuple[Write, ...]
    by: str = ""
    """As in `DecisionMade`."""
    agent: str = ""
    """As in `DecisionMade`."""
    changes: tuple[tuple[int, tuple[PieceAnswer, ...]], ...] = ()
    """Pieces that stay hidden, because a later call made the same change again in that place."""
    request: str = ""
    """As in `DecisionMade`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionFinished:
    """All writes of a decision are on disk."""

    decision: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionExplained:
    """Somebody said afterwards why they had decided so."""

    decision: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionQueued:
    """A decision waits for the end of a call that has the file open."""

    decision: int
    verdict: str
    reason: str
    hunks: tuple[str, ...]
    dependents: Dependents
    choices: tuple[tuple[str, FileChoice], ...] = ()
    """What was chosen for single files, by path."""
    parts: tuple[tuple[str, tuple[Piece, ...]], ...] = ()
    """Of `hunks`, those that are parts of larger ones, or will be once this is carried out: id and pieces."""
    turns: tuple[int, ...] = ()
    """As in `DecisionMade`."""
    agent: str = ""
    """As in `DecisionMade`."""
    by: str = ""
    """As in `DecisionMade`."""
    request: str = ""
    """As in `DecisionMade`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueLeft:
    """A queued decision was carried out as `became`, or could not be (then `why` says so)."""

    decision: int
    became: int | None
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModeSet:
    """Somebody chose review, hold or direct."""

    mode: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteWritten:
    """Somebody wrote something about lines, a hunk, a file, a call or a turn."""

    note: int
    kind: str
    """question, change, must-fix, or keep."""
    text: str
    on: str
    """What it is about: line, hunk, file, call or turn."""
    of: str
    """The id of the hunk, call or turn; empty for lines and files."""
    file: int | None
    path: str | None
    line: int
    """The first and the last line that it is about, from one; 0 when it is not about lines."""
    end_line: int
    quote: str
    """These lines."""
    state: FileState
    """The file as it was then, so that the lines are found again."""
    conversation: str
    """Who is to be told; empty when nobody has anything to do with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteChanged:
    """A note got another text, or another status: draft, sent, resolved or removed."""

    note: int
    text: str | None
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitsSeen:
    """Git's current commit became another one, outside any call (rule D3), or its stash did."""

    head: str
    stash: str = ""
    """The commit that the stash is at; empty if there is none."""
    committed: tuple[tuple[int, str, tuple[Piece, ...]], ...] = ()
    """Files by number, a commit that has something undecided as it stands in the file, and what that is.
    Without a commit: what an earlier one had is not in the current one any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFolded:
    """What was decided long ago in a file is its baseline from here on, and is not decided about again."""

    file: int
    path: str
    op: int
    """The last operation that is folded, with all before it."""
    state: FileState
    """All that is left of the file, as a blob."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePurged:
    """Everything stored about a file was removed for good."""

    file: int
    op: int = 0
    """The last number of an operation, and of a hunk, that were given out for it: none is given out twice."""
    hunk: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRemoved:
    """Of some files, the contents that only folded history names were removed for good."""

    folds: tuple[tuple[int, int], ...]
    """Files by number, and the event by which each was folded: what was before that is not known."""


Fact = (
    ProjectOpened
    | TurnStarted
    | TurnResumed
    | TurnEnded
    | SubagentStarted
    | SubagentEnded
    | CallStarted
    | CallEnded
    | FileSeen
    | FileChanged
    | FileGrew
    | FileFormatted
    | DecisionMade
    | DecisionTurned
    | DecisionFinished
    | DecisionExplained
    | DecisionQueued
    | QueueLeft
    | ModeSet
    | NoteWritten
    | NoteChanged
    | CommitsSeen
    | FileFolded
    | FilePurged
    | HistoryRemoved
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One record of the journal: when, from which observation, and the facts that it established."""

    number: int
    at: str
    source: int | None
    """Where the observation stands in the journal; None when a person or a look at the disk is the cause."""
    facts: tuple[Fact, ...]
