"""What Cursor's payloads mean. They are made up after its hook engine; the editor cannot be run here."""

from __future__ import annotations

from typing import Any

import pytest

from blueline.model.notice import ConversationEnded, Nothing, Notice, PromptGiven, TurnStopped
from blueline.model.patch import Patch
from tests.adapters.meaning import began, finished, meaning, said

BASE: dict[str, Any] = {
    "conversation_id": "c1",
    "generation_id": "g1",
    "session_id": "c1",
    "model": "m",
    "cursor_version": "3.1.0",
    "workspace_roots": ["/project"],
    "user_email": None,
    "transcript_path": None,
}
ABOUT = {"generation": "g1", "model": "m"}


def payload(event: str, **fields: object) -> dict[str, Any]:
    return {**BASE, "hook_event_name": event, **fields}


def call(event: str, tool: str, given: object, **fields: object) -> dict[str, Any]:
    more = {"tool_name": tool, "tool_input": given, "tool_use_id": "u1", "cwd": "/project", **fields}
    return payload(event, **more)


CALLS: list[tuple[str, dict[str, object], dict[str, Any]]] = [
    ("Write", {"file_path": "/project/a.md", "content": "ONE\n"}, {"content": "ONE\n", "about": ABOUT}),
    (
        "Delete",
        {"file_path": "/project/a.md"},
        {"patches": (Patch(path="/project/a.md", deleted=True),), "about": ABOUT},
    ),
    ("Shell", {"command": "ls", "cwd": "/project"}, {"about": {**ABOUT, "command": "ls"}}),
    ("MCP:write", {"path": "a"}, {"about": ABOUT}),
]


@pytest.mark.parametrize(("tool", "given", "expect"), CALLS)
def test_calls(tool: str, given: dict[str, object], expect: dict[str, Any]) -> None:
    start = began("cursor", call("preToolUse", tool, given))
    end = finished("cursor", call("postToolUse", tool, given, tool_output="{}", duration=3))
    assert said(start) == said(end) == {"tool": tool, **expect}
    assert start.key == end.key == "c1/u1"


def test_a_call_that_failed_says_why() -> None:
    more = {"error_message": "no", "failure_type": "error", "is_interrupt": True}
    notice = finished("cursor", call("postToolUseFailure", "Shell", {"command": "ls"}, **more))
    about = {**ABOUT, "command": "ls", "error": "no", "interrupted": True}
    assert said(notice) == {"tool": "Shell", "failed": True, "about": about}


@pytest.mark.parametrize(
    ("event", "expect"),
    [
        (payload("beforeSubmitPrompt", prompt="do it"), PromptGiven(conversation="c1", prompt="do it")),
        (payload("stop", status="completed", loop_count=0), TurnStopped(conversation="c1")),
        (payload("sessionEnd", reason="completed"), ConversationEnded(conversation="c1")),
        (payload("sessionStart"), Nothing(why="sessionStart changes nothing")),
        (payload("subagentStop"), Nothing(why="subagentStop changes nothing")),
    ],
)
def test_everything_else(event: dict[str, Any], expect: Notice) -> None:
    assert meaning("cursor", event) == expect


def test_events_of_claude_code_that_cursor_runs() -> None:
    event = call("PreToolUse", "Write", {"file_path": "/project/a.md", "content": "x"})
    assert said(began("cursor", event)) == {"tool": "Write", "content": "x", "about": ABOUT}
