"""What Gemini CLI's payloads mean."""

from __future__ import annotations

import json
from typing import Any

import pytest

from blueline.model.edit import Replacement
from blueline.model.notice import ConversationEnded, Nothing, Notice, PromptGiven, TurnStopped
from tests.adapters.meaning import began, check_pairs, finished, meaning, recorded, said

CONVERSATION = "00000000-0000-4000-8000-000000000001"
PAYLOADS = recorded("gemini")


def shell(command: str) -> dict[str, Any]:
    return {"tool": "run_shell_command", "about": {"command": command}}


CALLS: dict[str, dict[str, Any]] = {
    "read": {"tool": "read_file"},
    "edit": {"tool": "replace", "edits": (Replacement(old="one\n", new="ONE\n"),)},
    "failed-edit": {"tool": "replace", "edits": (Replacement(old="no such line\n", new="NO SUCH LINE\n"),)},
    "create": {"tool": "write_file", "content": "hello\n"},
    "overwrite": {"tool": "write_file", "content": "ONE\ntwo\nTHREE\n"},
    "shell": shell("echo hello >> b.md"),
    "failed-shell": shell("echo hello >> b.md; exit 3"),
    "delete": shell("rm gone.md"),
    "shell-delete": shell("rm b.md"),
}
OTHERS: dict[str, Notice] = {
    "BeforeAgent": PromptGiven(conversation=CONVERSATION, prompt="first prompt"),
    "AfterAgent": TurnStopped(conversation=CONVERSATION),
    "SessionEnd": ConversationEnded(conversation=CONVERSATION),
    "SessionStart.startup": Nothing(why="SessionStart changes nothing"),
    "SessionStart.resume": Nothing(why="SessionStart changes nothing"),
}


@pytest.mark.parametrize("name", [name for name in PAYLOADS if name != "failed-edit.AfterTool"])
def test_what_the_real_agent_sends(name: str) -> None:
    step, _, event = name.partition(".")
    if event == "BeforeTool":
        assert said(began("gemini", PAYLOADS[name])) == CALLS[step]
    elif event == "AfterTool":
        assert said(finished("gemini", PAYLOADS[name])) == CALLS[step]
    else:
        assert meaning("gemini", PAYLOADS[name]) == OTHERS[name]


def test_an_edit_that_failed_says_why() -> None:
    notice = finished("gemini", PAYLOADS["failed-edit.AfterTool"])
    assert notice.failed
    assert str(notice.about["error"]).startswith("Could not find an exact match for 'old_string' in 'a.md'.")


def test_a_call_without_a_name_is_known_by_what_it_was_given() -> None:
    check_pairs("gemini", PAYLOADS, "BeforeTool", "AfterTool")


def test_what_is_done_everywhere_and_in_the_background_is_said() -> None:
    event = json.loads(PAYLOADS["edit.BeforeTool"])
    event["tool_input"]["allow_multiple"] = True
    assert began("gemini", event).edits == (Replacement(old="one\n", new="ONE\n", every=True),)
    event = json.loads(PAYLOADS["shell.BeforeTool"])
    event["tool_input"] |= {"is_background": True, "description": "Greet."}
    about = {"command": "echo hello >> b.md", "description": "Greet.", "background": True}
    assert began("gemini", event).about == about
