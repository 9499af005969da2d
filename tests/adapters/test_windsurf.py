"""What Windsurf's payloads mean. They are made up after its documentation; the editor cannot be run here."""

from __future__ import annotations

import json
from typing import Any

import pytest

from blueline.model.edit import Replacement
from blueline.model.notice import Nothing, Notice, PromptGiven, TurnStopped
from tests.adapters.meaning import began, finished, meaning, said

ABOUT = {"execution": "e1", "model": "m"}
WRITE = {"file_path": "/project/a.md", "edits": [{"old_string": "one", "new_string": "ONE"}]}
COMMAND = {"command_line": "rm a.md", "cwd": "/project"}
MCP = {"mcp_server_name": "files", "mcp_tool_name": "write", "mcp_tool_arguments": {"path": "a.md"}}


def payload(action: str, info: object) -> dict[str, Any]:
    return {
        "agent_action_name": action,
        "trajectory_id": "t1",
        "execution_id": "e1",
        "timestamp": "2026-01-01T00:00:00Z",
        "model_name": "m",
        "tool_info": info,
    }


@pytest.mark.parametrize(
    ("kind", "info", "expect"),
    [
        ("write_code", WRITE, {"edits": (Replacement(old="one", new="ONE"),), "about": ABOUT}),
        ("run_command", COMMAND, {"about": {**ABOUT, "command": "rm a.md"}}),
        ("mcp_tool_use", MCP, {"about": {**ABOUT, "mcp": "write"}}),
    ],
)
def test_calls(kind: str, info: dict[str, object], expect: dict[str, Any]) -> None:
    start = began("windsurf", payload(f"pre_{kind}", info))
    end = finished("windsurf", payload(f"post_{kind}", {**info, "mcp_result": "done"}))
    assert said(start) == said(end) == {"tool": kind, **expect}
    assert start.key == end.key


@pytest.mark.parametrize(
    ("event", "expect"),
    [
        (
            payload("pre_user_prompt", {"user_prompt": "do it"}),
            PromptGiven(conversation="t1", prompt="do it"),
        ),
        (payload("post_cascade_response", {"response": "done"}), TurnStopped(conversation="t1")),
        (payload("pre_read_code", {"file_path": "a"}), Nothing(why="pre_read_code changes nothing")),
    ],
)
def test_everything_else(event: dict[str, Any], expect: Notice) -> None:
    assert meaning("windsurf", event) == expect


def test_raw_control_characters_are_no_obstacle() -> None:
    event = json.dumps(payload("pre_run_command", COMMAND)).replace("rm a.md", "rm\ta.md\n")
    assert began("windsurf", event.encode()).about["command"] == "rm\ta.md\n"
