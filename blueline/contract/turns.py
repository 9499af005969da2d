"""What an agent was asked for, and each tool that it called."""

from typing import Literal, TypedDict

from blueline.contract.groups import CountedDocument, GroupDocument


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
    about: dict[str, object]
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
