"""Sub-agents as Codex and Gemini CLI tell of them: one prompt, one turn (M04, rule D9)."""

from __future__ import annotations

import json
import os
import time
from typing import Any

from blueline.hook import recorder
from tests.support.project import Make, Project


def tell(p: Project, agent: str, name: str, **more: object) -> None:
    event = {"hook_event_name": name, "session_id": "one", "cwd": str(p.root), **more}
    arrival = recorder.Arrival(time.time_ns(), agent, json.dumps(event).encode())
    arrival.root, arrival.mode = os.fsencode(p.root.resolve()), b"review"
    if not recorder.is_harmless(arrival.said):
        recorder.write(arrival, os.fsencode(p.state))


def codex(p: Project, name: str, subagent: str = "", /, **more: Any) -> None:
    who = {"agent_id": subagent, "agent_type": "worker"} if subagent else {}
    tell(p, "codex", name, turn_id="t", model="gpt-5.5", **who, **more)


def patch(p: Project, path: str, subagent: str = "") -> None:
    text = f"*** Begin Patch\n*** Add File: {path}\n+new\n*** End Patch\n"
    call = {"tool_name": "apply_patch", "tool_use_id": path, "tool_input": {"command": text}}
    codex(p, "PreToolUse", subagent, **call)
    p.put(path, "new\n")
    codex(p, "PostToolUse", subagent, **call)


def is_ended(p: Project) -> list[bool]:
    return [turn["ended"] is not None for turn in p.turns()]


def whose(p: Project) -> dict[str, tuple[str, str | None]]:
    return {hunk["path"]: (hunk["turn"], hunk["subagent"]) for hunk in p.hunks()}


def test_d9_a_turn_of_codex_ends_with_its_last_subagent(project: Make) -> None:
    p = project({"a.md": "a\n"})
    codex(p, "UserPromptSubmit", prompt="in parts")
    for name in ("x", "y"):
        codex(p, "UserPromptSubmit", name, prompt=f"the part {name}")
    codex(p, "Stop")
    assert is_ended(p) == [False]
    patch(p, "x.md", "x")
    codex(p, "SubagentStop", "x")
    patch(p, "y.md", "y")
    assert is_ended(p) == [False]
    codex(p, "SubagentStop", "y")
    assert is_ended(p) == [True]
    assert whose(p) == {"x.md": ("t1", "a1"), "y.md": ("t1", "a2")}
    assert [one["description"] for one in p.turns()[0]["subagents"]] == ["the part x", "the part y"]


def test_d9_a_turn_does_not_end_with_a_subagent_while_its_agent_works(project: Make) -> None:
    p = project({"a.md": "a\n"})
    codex(p, "UserPromptSubmit", prompt="in parts")
    codex(p, "UserPromptSubmit", "x", prompt="the part")
    codex(p, "SubagentStop", "x")
    assert is_ended(p) == [False]
    codex(p, "Stop")
    assert is_ended(p) == [True]


def test_d9_a_subagent_that_its_agent_closed_keeps_no_turn_open(project: Make) -> None:
    p = project({"a.md": "a\n"})
    codex(p, "UserPromptSubmit", prompt="in parts")
    codex(p, "UserPromptSubmit", "x", prompt="the part")
    closing: dict[str, Any] = {
        "tool_name": "multi_agent_v1close_agent",
        "tool_use_id": "c",
        "tool_input": {"target": "x"},
    }
    codex(p, "PreToolUse", **closing)
    codex(p, "PostToolUse", **closing)
    codex(p, "Stop")
    assert is_ended(p) == [True]


def test_d9_the_next_prompt_is_a_turn_of_its_own_while_a_subagent_goes_on(project: Make) -> None:
    p = project({"a.md": "a\n"})
    codex(p, "UserPromptSubmit", prompt="in parts")
    codex(p, "UserPromptSubmit", "x", prompt="the part")
    codex(p, "Stop")
    codex(p, "UserPromptSubmit", prompt="something else")
    patch(p, "own.md")
    patch(p, "x.md", "x")
    codex(p, "SubagentStop", "x")
    assert {turn["id"]: turn["ended"] is not None for turn in p.turns()} == {"t1": True, "t2": False}
    codex(p, "Stop")
    assert is_ended(p) == [True, True]
    assert whose(p) == {"own.md": ("t2", None), "x.md": ("t1", "a1")}


def test_m04_what_is_done_while_one_subagent_of_gemini_works_is_that_ones(project: Make) -> None:
    p = project({"a.md": "a\n"})

    def write(path: str) -> None:
        call = {"tool_name": "write_file", "tool_input": {"file_path": path, "content": "new\n"}}
        tell(p, "gemini", "BeforeTool", **call)
        p.put(path, "new\n")
        tell(p, "gemini", "AfterTool", **call)

    def part(name: str) -> dict[str, object]:
        return {"tool_name": "invoke_agent", "tool_input": {"agent_name": "generalist", "prompt": name}}

    tell(p, "gemini", "BeforeAgent", prompt="in parts")
    tell(p, "gemini", "BeforeTool", **part("one"))
    write("one.md")
    tell(p, "gemini", "BeforeTool", **part("two"))
    write("either.md")
    tell(p, "gemini", "AfterTool", **part("one"))
    write("two.md")
    tell(p, "gemini", "AfterTool", **part("two"))
    write("own.md")
    tell(p, "gemini", "AfterAgent", prompt="in parts")
    assert whose(p) == {
        "one.md": ("t1", "a1"),
        "either.md": ("t1", None),
        "two.md": ("t1", "a2"),
        "own.md": ("t1", None),
    }
    assert is_ended(p) == [True]
