"""What Codex's payloads mean."""

from __future__ import annotations

from typing import Any

import pytest

from blueline.model.notice import (
    ConversationEnded,
    Nothing,
    Notice,
    PromptGiven,
    SubagentBegan,
    SubagentFinished,
    SubagentSaid,
    TurnStopped,
)
from blueline.model.patch import Chunk, Patch
from tests.adapters.meaning import began, check_pairs, finished, meaning, recorded, said

CONVERSATION = "00000000-0000-4000-8000-000000000001"
TURN = {"turn": "00000000-0000-4000-8000-000000000002", "model": "gpt-5.5"}
PAYLOADS = recorded("codex")


def shell(command: str) -> dict[str, Any]:
    return {"tool": "Bash", "about": {**TURN, "command": command}}


def patch(*patches: Patch) -> dict[str, Any]:
    return {"tool": "apply_patch", "patches": patches, "about": TURN}


CALLS = {
    "read": shell("cat a.md"),
    "edit": patch(Patch(path="a.md", chunks=(Chunk(old=("one",), new=("ONE",)),))),
    "create": patch(Patch(path="new.md", content="hello\n")),
    "delete": patch(Patch(path="gone.md", deleted=True)),
    "failed-edit": patch(Patch(path="a.md", chunks=(Chunk(old=("no such line",), new=("NO SUCH LINE",)),))),
    "shell": shell("echo hello >> b.md"),
    "failed-shell": shell("echo hello >> b.md; exit 3"),
    "shell-delete": shell("rm b.md"),
    "shell-patch": shell(
        "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: by-shell.md\n+hi\n*** End Patch\nEOF"
    ),
    "background": shell("read; echo late > late.md"),
    "several": patch(
        Patch(path="a.md", moved_to="sub/moved.md", chunks=(Chunk(old=("three",), new=("THREE",)),)),
        Patch(path="more.md", content="more\n"),
        Patch(path="new.md", deleted=True),
    ),
}
OTHERS: dict[str, Notice] = {
    "UserPromptSubmit": PromptGiven(conversation=CONVERSATION, prompt="first prompt"),
    "Stop": TurnStopped(conversation=CONVERSATION, busy=None, wakes=False),
    "SessionEnd": ConversationEnded(conversation=CONVERSATION),
    "SessionStart.startup": Nothing(why="SessionStart changes nothing"),
    "SessionStart.resume": Nothing(why="SessionStart changes nothing"),
}


@pytest.mark.parametrize("name", PAYLOADS)
def test_what_the_real_agent_sends(name: str) -> None:
    step, _, event = name.partition(".")
    if event == "PreToolUse":
        assert said(began("codex", PAYLOADS[name])) == CALLS[step]
    elif event == "PostToolUse":
        assert said(finished("codex", PAYLOADS[name])) == CALLS[step]
    else:
        assert meaning("codex", PAYLOADS[name]) == OTHERS[name]


def test_a_prompt_of_a_subagent_is_no_prompt_of_a_person() -> None:
    event = {
        "hook_event_name": "UserPromptSubmit",
        "session_id": "s",
        "agent_id": "a",
        "agent_type": "worker",
    }
    assert meaning("codex", {**event, "prompt": "do the part\nall of it"}) == SubagentBegan(
        conversation="s", subagent=SubagentSaid(id="a", type="worker", description="do the part")
    )
    finished = SubagentFinished(conversation="s", subagent="a")
    assert meaning("codex", {**event, "hook_event_name": "SubagentStop"}) == finished
    closing = {"tool_name": "multi_agent_v1close_agent", "tool_input": {"target": "a"}}
    assert (
        meaning("codex", {"hook_event_name": "PostToolUse", "session_id": "s", "tool_use_id": "c", **closing})
        == finished
    )


def test_a_call_is_known_by_its_name() -> None:
    check_pairs("codex", PAYLOADS, "PreToolUse", "PostToolUse")
