"""Two conversations in one project, and whose each change is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tests.support.project import Call, Project


@contextmanager
def conversation(p: Project, name: str) -> Iterator[None]:
    """What the agent does in here belongs to another conversation."""
    before, p.conversation = p.conversation, name
    yield
    p.conversation = before


def whose(p: Project) -> dict[str, tuple[str, str]]:
    """For each path with something pending, the actor and the call."""
    return {hunk["path"]: (hunk["actor"]["kind"], hunk["call"]) for hunk in p.hunks()}


def overlapping(p: Project) -> tuple[Call, Call]:
    """One command in each of two conversations, both begun."""
    p.prompt()
    one = p.begin_bash("one")
    with conversation(p, "two"):
        p.prompt("two")
        two = p.begin_bash("two")
    return one, two
