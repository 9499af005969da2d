"""What an agent's message says happened."""

from dataclasses import dataclass, field

from blueline.model.edit import Replacement
from blueline.model.patch import Patch


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptGiven:
    """Somebody asked for something: a turn begins."""

    conversation: str
    prompt: str
    chat: str = ""
    """The chat that it was given in, if it was one of ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubagentSaid:
    """A sub-agent, as its agent tells of it."""

    id: str
    """Unique in the conversation."""
    type: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkReported:
    """What runs in the background told its agent something: the turn that started it goes on (rule D9)."""

    conversation: str
    calls: tuple[str, ...] = ()
    """Keys of calls that may have started it."""
    subagents: tuple[str, ...] = ()
    """Ids of sub-agents that it may come from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubagentBegan:
    """A sub-agent works for the turn, or for the sub-agent `parent`."""

    conversation: str
    subagent: SubagentSaid
    parent: str = ""
    is_over: bool = False
    """It has stopped already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubagentFinished:
    """A sub-agent has stopped."""

    conversation: str
    subagent: str
    """Its id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallBegan:
    """A tool is about to be used."""

    conversation: str
    key: str
    tool: str
    edits: tuple[Replacement, ...] | None = None
    content: str | None = None
    section: dict[str, object] | None = None
    """What it was asked to do to a section of its file, such as a cell of a notebook."""
    patches: tuple[Patch, ...] = ()
    """For a tool that says what it does to each of several files."""
    unnamed: bool = False
    """The agent gives its calls no names: begin and end are known by what they say."""
    unsigned: bool = False
    """The agent does not say whether a sub-agent makes it: if exactly one is at work, that one does."""
    by_us: bool = False
    """Said by the SDK or the chat. The hooks of the same agent may say the same once more."""
    about: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallFinished:
    """A tool was used, or failed."""

    conversation: str
    key: str
    tool: str
    failed: bool
    edits: tuple[Replacement, ...] | None = None
    content: str | None = None
    section: dict[str, object] | None = None
    """What it was asked to do to a section of its file, such as a cell of a notebook."""
    patches: tuple[Patch, ...] = ()
    """For a tool that says what it does to each of several files."""
    unnamed: bool = False
    """The agent gives its calls no names: begin and end are known by what they say."""
    unsigned: bool = False
    """The agent does not say whether a sub-agent makes it: if exactly one is at work, that one does."""
    by_us: bool = False
    """Said by the SDK or the chat. The hooks of the same agent may say the same once more."""
    about: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallGrew:
    """A tool that is still being used has changed its file so far, or somebody else has meanwhile."""

    conversation: str
    key: str
    tool: str
    by_others: bool = False
    inserted: tuple[int, int] | None = None
    """Where a text came into the file, and its length, in characters: if that is all that was done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStopped:
    """The agent has finished its turn."""

    conversation: str
    busy: tuple[SubagentSaid, ...] | None = ()
    """Sub-agents that go on; None if whoever says this does not know of any."""
    wakes: bool = True
    """Whether the agent goes on by itself when one of them has stopped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationEnded:
    """The agent has left."""

    conversation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Nothing:
    """A message that changes nothing, or that could not be read."""

    why: str


Notice = (
    PromptGiven
    | WorkReported
    | SubagentBegan
    | SubagentFinished
    | CallBegan
    | CallFinished
    | CallGrew
    | TurnStopped
    | ConversationEnded
    | Nothing
)
