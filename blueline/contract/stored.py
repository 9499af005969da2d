"""What the index keeps of turns, sub-agents, calls, decisions and notes: the desk makes documents of it."""

from typing import Any, TypedDict


class StoredTurn(TypedDict):
    """A turn of the ledger."""

    number: int
    conversation: str
    agent: str
    prompt: str
    started: str
    order: int
    ended: str | None
    chat: str
    process: list[int] | None
    resumed: int
    waits: bool


class StoredSubagent(TypedDict):
    """A sub-agent of the ledger."""

    number: int
    turn: int
    key: str
    type: str
    description: str
    started: str
    order: int
    ended: str | None


class StoredCall(TypedDict):
    """A call of the ledger."""

    number: int
    turn: int
    key: str
    tool: str
    path: str | None
    started: str
    about: dict[str, Any]
    order: int
    subagent: int | None
    ended: str | None
    outcome: str


class StoredDecision(TypedDict):
    """A decision of the ledger."""

    number: int
    verdict: str
    reason: str
    at: str
    hunks: list[str]
    files: list[int]
    writes: list[dict[str, Any]]
    order: int
    of: int | None
    stands: bool
    finished: bool
    by: str
    agent: str
    turns: list[int]
    commit: str
    request: str
    returns: bool
    waits_for: str
    choices: dict[str, Any]
    parts: list[list[Any]]


class StoredNote(TypedDict):
    """A note of the ledger."""

    number: int
    kind: str
    text: str
    on: str
    of: str
    file: int | None
    path: str | None
    line: int
    end_line: int
    quote: str
    blob: str
    conversation: str
    at: str
    order: int
    status: str
    changes: int
    key: str
