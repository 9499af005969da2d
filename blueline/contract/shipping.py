"""Commit, push, pull request: what shipping would do, and what it did."""

from typing import NotRequired, TypedDict

from blueline.contract.gate import GateDocument, OverrideDocument


class ShippedDocument(TypedDict):
    """The answer to `ship`."""

    branch: str
    remote: str
    """Empty if there is none."""
    tree: str
    """What was approved, as git names it."""
    message: str
    """Of the commit."""
    override: OverrideDocument | None
    """Somebody opened the gate although something spoke against it."""
    dry_run: bool
    commit: str | None
    committed: bool
    """Whether it was made just now."""
    pushed: bool
    """Whether there was anything to push, and it was."""
    statement: str | None
    """The ref of the signed statement."""
    pull_request: str | None
    """Its address."""
    verified: bool
    """What landed is what was approved."""
    notes: list[str]
    """What was not done, and why."""
    commits: NotRequired[bool]
    """With `dry_run`: whether there is something to commit."""
    pushes: NotRequired[bool]
    """With `dry_run`: whether there is something to push besides."""


class ShipEvent(TypedDict):
    """Something that shipping is about to do."""

    event: str
    """committing, pushing, or opening a pull request."""
    remote: NotRequired[str]
    branch: NotRequired[str]


class ShipRefused(GateDocument):
    """The answer to `ship` when the gate is closed."""

    error: str
    hint: str


class OverrideMade(GateDocument):
    """The answer to `gate override`."""

    made: str
    """The id of the override."""


class ContextDocument(TypedDict):
    """The answer to `gate context`."""

    context: str
    """The words for the model."""
