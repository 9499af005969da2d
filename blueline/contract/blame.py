"""Who wrote each line of a file."""

from typing import TypedDict

from blueline.contract.actors import ActorDocument


class BlameLineDocument(TypedDict):
    """One line, and the last who put something on it: from what was recorded, and below that from git."""

    line: int
    """From one."""
    text: str
    """Without its end."""
    actor: ActorDocument | None
    """Whoever was seen to write it; null if it is older than what was recorded."""
    call: str | None
    turn: str | None
    at: str | None
    """When, as far as it is known."""
    pending: bool
    """It is of a change that is not decided."""
    commit: str | None
    """Of an older line: the commit that it came with; null if it is in none."""
    author: str | None
    """The author of that commit."""
    summary: str | None
    """What that commit, or the prompt of that turn, begins with."""


class BlameDocument(TypedDict):
    """The answer to `blame`."""

    path: str
    lines: list[BlameLineDocument]
