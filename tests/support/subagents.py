"""Sub-agents as Claude Code tells of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tests.support.project import Project


@contextmanager
def subagent(p: Project, name: str) -> Iterator[None]:
    """What is done in here, a sub-agent does."""
    p.subagent = name
    yield
    p.subagent = ""


def start(p: Project, name: str, description: str = "a part") -> None:
    """The agent starts a sub-agent in the background."""
    response = {"status": "async_launched", "agentId": name}
    about = {"tool_name": "Agent", "tool_input": {"description": description}, "tool_response": response}
    assert p.record(p.event("PostToolUse", tool_use_id=f"toolu_{name}", **about)) == 0


def finish(p: Project, name: str) -> None:
    """A sub-agent stops, and its agent hears of that when it has time."""
    with subagent(p, name):
        assert p.record(p.event("SubagentStop", stop_hook_active=False)) == 0


def hear(p: Project, name: str, call: str = "") -> None:
    task = f"<task-id>{name}</task-id>\n<tool-use-id>{call or f'toolu_{name}'}</tool-use-id>"
    p.prompt(f"<task-notification>\n{task}\n<status>completed</status>\n</task-notification>")
