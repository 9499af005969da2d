"""What Copilot's payloads mean, in both its spellings and in VS Code's."""

from __future__ import annotations

import json
from typing import Any

import pytest

from blueline.model.edit import Replacement
from blueline.model.notice import (
    ConversationEnded,
    Nothing,
    Notice,
    PromptGiven,
    SubagentBegan,
    SubagentFinished,
    SubagentSaid,
    TurnStopped,
    WorkReported,
)
from blueline.model.patch import Patch
from tests.adapters.meaning import began, check_pairs, finished, meaning, recorded, said

CONVERSATION = "00000000-0000-4000-8000-000000000001"
OWN, AS_CLAUDE = recorded("copilot"), recorded("copilot-runs-claude-hooks")
# The same tools, and what Copilot calls them in the words of Claude Code.
TOOLS = {"view": "Read", "edit": "Edit", "create": "Write", "bash": "Bash"}


def shell(command: str) -> dict[str, Any]:
    return {"tool": "bash", "about": {"command": command, "description": "Do it."}}


CALLS: dict[str, dict[str, Any]] = {
    "read": {"tool": "view"},
    "edit": {"tool": "edit", "edits": (Replacement(old="one\n", new="ONE\n"),)},
    "failed-edit": {"tool": "edit", "edits": (Replacement(old="no such line\n", new="NO SUCH LINE\n"),)},
    "create": {"tool": "create", "content": "hello\n"},
    "shell": shell("echo hello >> b.md"),
    "failed-shell": shell("echo hello >> b.md; exit 3"),
    "delete": shell("rm gone.md"),
    "shell-delete": shell("rm b.md"),
}
FAILED = {"about": {"error": "No match found"}, "failed": True}
PROMPT = PromptGiven(conversation=CONVERSATION, prompt="first prompt")
OTHERS: dict[str, Notice] = {
    "userPromptSubmitted": PROMPT,
    "UserPromptSubmit": PROMPT,
    "agentStop": TurnStopped(conversation=CONVERSATION, busy=None),
    "Stop": TurnStopped(conversation=CONVERSATION, busy=None),
    "sessionEnd": ConversationEnded(conversation=CONVERSATION),
    "SessionEnd": ConversationEnded(conversation=CONVERSATION),
    "sessionStart": Nothing(why="sessionStart changes nothing"),
    "SessionStart": Nothing(why="SessionStart changes nothing"),
    "permissionRequest": Nothing(why="permissionRequest changes nothing"),
}


def check(payloads: dict[str, bytes], name: str, calls: dict[str, dict[str, Any]]) -> None:
    step, _, event = name.partition(".")
    match event.lower():
        case "pretooluse":
            assert said(began("copilot", payloads[name])) == calls[step]
        case "posttooluse":
            assert said(finished("copilot", payloads[name])) == calls[step]
        case "posttoolusefailure":
            assert said(finished("copilot", payloads[name])) == {**calls[step], **FAILED}
        case "permissionrequest":
            assert meaning("copilot", payloads[name]) == OTHERS[event]
        case _:
            assert meaning("copilot", payloads[name]) == OTHERS[step]


@pytest.mark.parametrize("name", OWN)
def test_what_the_real_agent_sends(name: str) -> None:
    check(OWN, name, CALLS)


@pytest.mark.parametrize("name", AS_CLAUDE)
def test_what_it_sends_to_events_with_a_capital_letter(name: str) -> None:
    calls = {step: {**call, "tool": TOOLS[call["tool"]]} for step, call in CALLS.items()}
    check(AS_CLAUDE, name, calls)


def test_a_call_without_a_name_is_known_by_what_it_was_given() -> None:
    check_pairs("copilot", OWN, "preToolUse", "postToolUse")
    check_pairs("copilot", AS_CLAUDE, "PreToolUse", "PostToolUse")


@pytest.mark.parametrize("capital", [False, True])
def test_what_a_subagent_does_belongs_to_the_conversation_that_started_it(capital: bool) -> None:
    keys = ("session_id", "agent_id", "agent_type", "parent_agent_id")
    own = ("sessionId", "agentId", "agentType", "parentAgentId")
    who = dict(zip(keys if capital else own, ("sub", "sub", "general-purpose", "main"), strict=True))

    def event(name: str, **more: object) -> dict[str, Any]:
        spelled = {"hook_event_name": name} if capital else {}
        return {**spelled, **who, **more, "timestamp": 1}

    said = SubagentSaid(id="sub", type="general-purpose", description="do the part")
    prompt = event("UserPromptSubmit", prompt="do the part")
    assert meaning("copilot", prompt) == SubagentBegan(conversation="main", subagent=said)
    stop = event("Stop", **{"stop_reason" if capital else "stopReason": "end_turn"})
    assert meaning("copilot", stop) == SubagentFinished(conversation="main", subagent="sub")
    names = ("tool_name", "tool_input") if capital else ("toolName", "toolArgs")
    call = began("copilot", event("PreToolUse", **dict(zip(names, ("bash", {"command": "ls"}), strict=True))))
    assert (call.conversation, call.about["subagent"]) == ("main", {"id": "sub", "type": "general-purpose"})


def test_the_news_of_a_subagent_is_no_prompt_of_a_person() -> None:
    event = json.loads(AS_CLAUDE["UserPromptSubmit"])
    event["prompt"] = '<system_notification>\nAgent "helper" has finished.\n</system_notification>'
    assert meaning("copilot", event) == WorkReported(conversation=CONVERSATION)


def test_arguments_may_come_as_text() -> None:
    event = json.loads(OWN["edit.preToolUse"])
    event["toolArgs"] = json.dumps(event["toolArgs"])
    assert said(began("copilot", event)) == CALLS["edit"]


def test_a_patch_is_plain_text() -> None:
    event = json.loads(AS_CLAUDE["edit.PreToolUse"])
    event |= {
        "tool_name": "apply_patch",
        "tool_input": "*** Begin Patch\n*** Delete File: a.md\n*** End Patch",
    }
    assert said(began("copilot", event)) == {
        "tool": "apply_patch",
        "patches": (Patch(path="a.md", deleted=True),),
    }


def test_a_command_that_nobody_waits_for_is_in_the_background() -> None:
    event = json.loads(AS_CLAUDE["shell.PreToolUse"])
    event["tool_input"]["mode"] = "async"
    assert began("copilot", event).about["background"] is True


def test_vs_code_mixes_the_spellings() -> None:
    event: dict[str, Any] = {
        "timestamp": "2026-01-01T00:00:00.000Z",
        "cwd": "/project",
        "sessionId": "one",
        "hookEventName": "PreToolUse",
        "tool_use_id": "call-1",
        "tool_name": "replace_string_in_file",
        "tool_input": {"filePath": "/project/a.md", "oldString": "one", "newString": "ONE"},
    }
    notice = began("copilot", event)
    assert (notice.conversation, notice.key) == ("one", "one/call-1")
    assert said(notice) == {
        "tool": "replace_string_in_file",
        "edits": (Replacement(old="one", new="ONE"),),
    }
    event |= {"tool_name": "create_file", "tool_input": {"filePath": "/project/b.md", "content": "b"}}
    assert said(began("copilot", event)) == {"tool": "create_file", "content": "b"}
