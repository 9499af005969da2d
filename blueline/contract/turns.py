"""What an agent was asked for, and each tool that it called."""

from typing import Annotated, Literal, TypedDict

from blueline.contract.groups import CountedDocument, GroupDocument

CommitMoved = TypedDict(
    "CommitMoved",
    {
        "from": str,
        "to": str,
        "from_branch": str,
        "to_branch": str,
        "files": Annotated[int, "How many went with it."],
    },
)
"""The current commit became another one."""


class CallAboutDocument(TypedDict, total=False):
    """What is known of a call besides its tool and its file. What else an agent says of its own stands there
    under the agent's names."""

    command: str
    """What a shell was given."""
    description: str
    """What the agent says that it is for."""
    background: bool
    """The command goes on when the call has ended."""
    reason: str
    """Why the agent wants it, in its words."""
    cell: str
    """Of a notebook: the cell that it names."""
    paths: list[str]
    """The files that an edit names, if several."""
    outside: str
    """A file outside the project, which was not looked at."""
    counted: list[list[str | int]]
    """Folders in which files came or went that are not itemised: path, number before, number now."""
    git: CommitMoved
    """The current commit became another."""
    stays: int
    """How many processes it left behind, which may change more."""
    gap: str
    """What could not be looked at, and why."""
    closed: list[str]
    """Folders that could not be looked into."""
    unseen: bool
    """Its end was not seen, and a file it names has changed since."""
    why: str
    """Why no proposal could be made of it."""
    error: str
    """How it failed, as the agent says."""
    interrupted: bool
    """Somebody stopped it."""
    incomplete: bool
    """The stream that it wrote broke off."""
    model: str
    """The model that the agent says it works with."""
    subagent: dict[str, str]
    """The sub-agent that made it, as the agent names it: id and type."""
    user_modified: bool
    """Somebody changed it in the agent's own dialogue."""
    staged: bool
    """The agent itself held it back."""
    prompt: str
    """Ties calls together, as the next five do: Claude Code's name of the prompt."""
    turn: str
    """Of Codex: its name of the turn."""
    message: str
    """Of opencode: its name of the message."""
    generation: str
    """Of Cursor: its name of the answer."""
    execution: str
    """Of Windsurf: its name of what it does for a prompt."""
    parent: str
    """Of Cursor: the call that it belongs to."""


class CallDocument(TypedDict):
    """One tool that an agent called, and what became of it."""

    id: str
    turn: str
    subagent: str | None
    """The sub-agent that made it; null if the agent itself did."""
    tool: str
    path: str | None
    """The file that it named."""
    started: str
    ended: str | None
    """Null while it runs."""
    outcome: str
    """done, failed, held, lost; empty while it runs."""
    about: CallAboutDocument
    """What the agent said of it, and what was found out at its end."""


class CallGroup(CallDocument, GroupDocument):
    """A tool call and its hunks."""


class CallShown(CallGroup):
    """`show` of a call."""

    kind: Literal["call"]


class SubagentDocument(TypedDict):
    """One that an agent has working for it in a turn."""

    id: str
    turn: str
    type: str
    """As its agent calls it: general-purpose, say."""
    description: str
    """What it is for, in the agent's words; empty if that is not known."""
    started: str
    ended: str | None
    """Null while it works."""


class SubagentGroup(SubagentDocument, GroupDocument):
    """A sub-agent and its hunks."""


class SubagentShown(SubagentGroup):
    """`show` of a sub-agent."""

    kind: Literal["subagent"]


class TurnDocument(TypedDict):
    """One request to an agent and all it did until it stopped."""

    id: str
    prompt: str
    """Empty if it was not seen."""
    agent: str
    conversation: str
    started: str
    ended: str | None
    """Null while it runs."""


class TurnGroup(TurnDocument, GroupDocument):
    """A turn and its hunks, those of its sub-agents included."""

    subagents: list[SubagentGroup]


class TurnShown(TurnGroup):
    """`show` of a turn."""

    kind: Literal["turn"]


class TurnEntry(TurnDocument, CountedDocument):
    """A turn in the overview of a project."""

    calls: list[CallGroup]
    subagents: list[SubagentGroup]
