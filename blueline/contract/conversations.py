"""Conversations with agents: what was said, what the agent did, what waits for an answer."""

from typing import Literal, NotRequired, TypedDict

from blueline.contract.decisions import (
    CorrectedLineDocument,
    DecisionDocument,
    KeptDocument,
    ResultDocument,
    TurnRewindDocument,
)
from blueline.contract.hunks import HunkDocument
from blueline.contract.log import ToolTallyDocument
from blueline.model.dependents import FileChoice
from blueline.model.verdict import Verdict

EntryKind = Literal["user", "agent", "thought", "tool", "plan", "permission", "note"]


class PlaceDocument(TypedDict):
    """A place in a file that goes along with a prompt."""

    path: str
    line: NotRequired[int]
    """From one."""
    end_line: NotRequired[int]
    """Inclusive."""
    quote: NotRequired[str]
    """What stands there."""
    advice: NotRequired[str]
    """What else the agent is told: in a task, to propose and not to edit."""


class ChatAgentDocument(TypedDict):
    """An agent one can talk to."""

    name: str
    label: str
    """Its name, for people."""
    missing: str
    """Why it cannot be started; empty if it can."""


class ConversationListed(TypedDict):
    """A conversation in a list."""

    id: str
    seq: int
    """Grows with everything that is written down of it."""
    title: str
    agent: str
    label: str
    """The agent's name, for people."""
    running: bool
    waiting: int
    """Questions that nobody has answered."""
    turns: list[str]
    """Its turns, as the ledger calls them."""
    at: str
    """When something last happened in it."""
    task: PlaceDocument | None
    """The place in a file that it is about."""
    closed: bool


class ConversationsDocument(TypedDict):
    """All conversations, the latest first, and the agents one can talk to."""

    conversations: list[ConversationListed]
    agents: list[ChatAgentDocument]


class ChatNews(TypedDict):
    """How far each conversation has come: a message of the live channel."""

    conversations: dict[str, int]
    """For each id, its `seq`."""


class ChatStarted(TypedDict):
    """A conversation on the command line."""

    id: str
    agent: str
    composer: str
    """What was typed and not sent."""


class TouchedPath(TypedDict):
    """A file that a tool call is about."""

    path: str
    line: int | None


class ProposedDiff(TypedDict):
    """What an agent wants to do to a file."""

    path: str
    long: bool
    """Too long to be sent: there is no diff then."""
    diff: str
    """The lines that change and those around them, as in a unified diff."""
    line: int | None
    """The first line that changes, from one; null if the place is not known."""


class AnswerOption(TypedDict):
    """An answer that an agent offers."""

    id: str
    name: str
    kind: str
    """allow_once, allow_always, reject_once or reject_always."""


class PlanStep(TypedDict):
    """A step that an agent intends to take."""

    text: str
    status: str


class EntryAbout(TypedDict, total=False):
    """What there is to an entry besides its text; which keys there are depends on its kind."""

    title: str
    tool: str
    """What kind of tool: read, edit, execute, …"""
    name: str
    """What the agent calls the tool."""
    status: str
    """Of a call: pending, in_progress, completed or failed."""
    command: str
    output: str
    paths: list[TouchedPath]
    key: str
    """What the agent knows the call by; not sent."""
    ledger: str | None
    """The call, as the ledger calls it."""
    state: str
    """Of a question: waiting, answered or cancelled."""
    answer: str | None
    """The option that was chosen."""
    call: str
    """The call that the question is about."""
    diffs: list[ProposedDiff]
    options: list[AnswerOption]
    steps: list[PlanStep]
    """Of a plan."""
    context: list[PlaceDocument]
    """Of a prompt."""
    tone: str
    """Of a note."""


class EntryDocument(TypedDict):
    """One message, or one thing that an agent did."""

    number: int
    turn: int
    kind: EntryKind
    at: str
    text: str
    about: EntryAbout


class RoundDocument(TypedDict):
    """A turn of a conversation, by its number in it."""

    number: int
    turn: str | None
    """What the ledger calls it."""
    ended: str | None
    stop: str
    """end_turn, cancelled, failed, …; empty while it runs."""
    error: str
    hidden: bool
    """It was taken back."""


class ComposerDocument(TypedDict):
    """What stands in the box below the messages, and the places in files that go along."""

    text: str
    context: list[PlaceDocument]


class AgentCommand(TypedDict):
    """A command that the agent understands."""

    name: str
    description: str


class ConversationDocument(ConversationListed):
    """One conversation, or the part of it that was asked for."""

    entries: list[EntryDocument]
    first: int
    """The number of the first entry there is."""
    count: int
    """How many entries there are."""
    hidden: list[int]
    """Turns that were taken back."""
    composer: ComposerDocument
    rounds: list[RoundDocument]
    commands: list[AgentCommand]
    suggestions: list[str]
    """What the agent thinks may be said next."""
    waits_for: list[int]
    """Entries that wait for an answer."""
    round: int | None
    """The turn that is running."""


class ChatAnswer(ConversationDocument):
    """The answer to `chat` with a prompt."""

    pending: list[HunkDocument]
    """What is undecided of the turn."""


class PromptedDocument(TypedDict):
    """A prompt was sent."""

    id: str
    round: int
    seq: int


class ComposedDocument(TypedDict):
    """What stands in the composer was kept."""

    id: str
    seq: int


class ConversationNamed(TypedDict):
    """Something was done about a conversation."""

    id: str


class TurnNeed(TypedDict):
    """A file that something has to be chosen about before a turn is taken back."""

    path: str
    why: str
    choices: list[FileChoice]
    lines: list[CorrectedLineDocument]
    """The lines of it that a person has corrected, if that is why."""


class TurnDecision(TypedDict):
    """What became of a whole turn."""

    turn: str
    verdict: Verdict
    decisions: list[str]
    """What to undo; empty if nothing was left to decide."""
    edits: int
    files: list[str]
    skipped: list[ResultDocument]
    written: list[str]
    kept: list[KeptDocument]
    needs: list[TurnNeed]
    """What has to be chosen; then nothing was written."""
    error: NotRequired[str]
    hint: NotRequired[str]
    conversation: NotRequired[str | None]
    """The one that the turn was taken out of."""
    rewind: NotRequired[TurnRewindDocument | None]
    """How to take it out of a conversation that was held elsewhere."""


class UndoneDocument(TypedDict):
    """Decisions about a turn were taken back."""

    undone: list[DecisionDocument]


class TalliesDocument(TypedDict):
    """How much of what agents did was kept."""

    tally: list[ToolTallyDocument]
