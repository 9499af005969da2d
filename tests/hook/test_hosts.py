"""What an event says to the recorder, from every agent and in every spelling."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blueline.adapters import ADAPTERS
from blueline.hook import hosts
from blueline.hook.hosts import Said, host, is_double, is_edit, reading

COPILOT = {b"COPILOT_CLI": b"1", b"COPILOT_PROJECT_DIR": b"/repo", b"CLAUDE_PROJECT_DIR": b"/wrong"}
GEMINI = {b"GEMINI_CWD": b"/repo/src", b"GEMINI_PROJECT_DIR": b"/repo", b"CLAUDE_PROJECT_DIR": b"/wrong"}
CURSOR = {b"CURSOR_VERSION": b"3", b"CURSOR_PROJECT_DIR": b"/repo", b"CLAUDE_PROJECT_DIR": b"/wrong"}
CLAUDE = {b"CLAUDECODE": b"1", b"CLAUDE_CODE_SESSION_ID": b"s1", b"CLAUDE_PROJECT_DIR": b"/repo"}

EVENTS: dict[str, dict[str, Any]] = {
    "claude-code": {
        "session_id": "s1",
        "transcript_path": "/home/dev/.claude/projects/-repo/s1.jsonl",
        "cwd": "/repo/src",
        "hook_event_name": "PreToolUse",
    },
    "codex": {
        "session_id": "s1",
        "turn_id": "t1",
        "transcript_path": None,
        "cwd": "/repo/src",
        "hook_event_name": "PreToolUse",
        "model": "gpt",
        "permission_mode": "default",
    },
    "gemini": {
        "session_id": "s1",
        "transcript_path": "/home/dev/.gemini/tmp/s1.json",
        "cwd": "/repo/src",
        "hook_event_name": "BeforeTool",
        "timestamp": "2026-11-15T10:00:00.000Z",
    },
    "cursor": {
        "conversation_id": "s1",
        "generation_id": "g1",
        "session_id": "other",
        "hook_event_name": "preToolUse",
        "cursor_version": "3.1",
        "workspace_roots": ["/repo"],
        "cwd": "/repo/src",
    },
    "opencode": {
        "hook_event_name": "tool.execute.before",
        "session_id": "s1",
        "cwd": "/repo/src",
    },
    "copilot": {
        "hook_event_name": "PreToolUse",
        "session_id": "s1",
        "timestamp": "2026-11-15T10:00:00.000Z",
        "cwd": "/repo/src",
    },
    "windsurf": {
        "agent_action_name": "pre_write_code",
        "trajectory_id": "s1",
        "execution_id": "e1",
        "timestamp": "2026-11-15T10:00:00.000Z",
        "model_name": "m",
    },
}
ENVIRONMENTS = {"claude-code": CLAUDE, "copilot": COPILOT, "gemini": GEMINI, "cursor": CURSOR}


def said(agent: str, environ: dict[bytes, bytes] | None = None, by: str = "", **fields: Any) -> Said:
    """Read an event of an agent, by a hook that was installed for it, or for another."""
    event = {**EVENTS[agent], **fields}
    return reading(by or agent, event, ENVIRONMENTS.get(agent, {}) if environ is None else environ)


class TestTheHost:
    @pytest.mark.parametrize("agent", EVENTS)
    def test_everybody_is_known_by_their_own_hook(self, agent: str) -> None:
        assert said(agent).agent == agent

    @pytest.mark.parametrize("agent", ["copilot", "cursor", "gemini"])
    def test_whoever_runs_a_hook_of_claude_code_is_known(self, agent: str) -> None:
        assert said(agent, by="claude-code").agent == agent

    @pytest.mark.parametrize("agent", ["copilot", "cursor", "gemini", "codex", "windsurf"])
    def test_also_when_the_environment_is_that_of_another(self, agent: str) -> None:
        environ = {**CLAUDE, **ENVIRONMENTS.get(agent, {})}
        assert said(agent, environ=environ, by="claude-code").agent == agent

    @pytest.mark.parametrize("outer", [COPILOT, GEMINI, CURSOR])
    def test_an_agent_started_by_another_is_itself(self, outer: dict[bytes, bytes]) -> None:
        environ = {**outer, **CLAUDE}
        assert said("claude-code", environ=environ).agent == "claude-code"
        assert said("codex", environ=environ).agent == "codex"

    def test_gemini_and_copilot_share_some_events(self) -> None:
        start: dict[str, Any] = {"hook_event_name": "SessionStart", "source": "startup"}
        assert said("gemini", **start).agent == "gemini"
        assert said("copilot", **start).agent == "copilot"
        assert said("copilot", environ={}, by="copilot", **start).agent == "copilot"
        assert said("gemini", environ={}, by="gemini", **start).agent == "gemini"
        both = {**GEMINI, **COPILOT, b"GEMINI_SESSION_ID": b"s1"}
        assert said("gemini", environ=both, by="claude-code", **start).agent == "gemini"
        both[b"GEMINI_SESSION_ID"] = b"another"
        assert said("copilot", environ=both, by="claude-code", **start).agent == "copilot"

    def test_a_beginning_of_codex_has_no_turn_yet(self) -> None:
        event = {**EVENTS["codex"], "hook_event_name": "SessionStart"}
        del event["turn_id"]
        assert host("claude-code", event, CLAUDE) == "codex"

    def test_the_environment_decides_where_the_payload_says_nothing(self) -> None:
        event = {"hook_event_name": "Stop", "session_id": "s1"}
        assert host("claude-code", event, COPILOT) == "copilot"
        assert host("claude-code", event, GEMINI) == "gemini"
        assert host("claude-code", event, CURSOR) == "cursor"
        assert host("claude-code", event, CLAUDE) == "claude-code"
        assert host("claude-code", event, {}) == "claude-code"

    def test_copilot_in_its_own_spelling_and_in_an_editor(self) -> None:
        assert host("claude-code", {"sessionId": "s1", "toolName": "edit"}, {}) == "copilot"
        assert host("claude-code", {"sessionId": "s1", "hookEventName": "Stop"}, {}) == "copilot"

    def test_our_own_payloads_name_their_agent_themselves(self) -> None:
        assert host("my-agent", {"blueline": 1, "sessionId": "s"}, COPILOT) == "my-agent"


EDITS: list[tuple[str, dict[str, Any], list[bytes]]] = [
    ("claude-code", {"tool_name": "Edit", "tool_input": {"file_path": "/repo/a.py"}}, [b"/repo/a.py"]),
    ("claude-code", {"tool_name": "MultiEdit", "tool_input": {"file_path": "a.py"}}, [b"/repo/src/a.py"]),
    ("claude-code", {"tool_name": "Write", "tool_input": {"file_path": "/repo/é"}}, ["/repo/é".encode()]),
    ("claude-code", {"tool_name": "NotebookEdit", "tool_input": {"notebook_path": "/n"}}, [b"/n"]),
    ("gemini", {"tool_name": "write_file", "tool_input": {"file_path": "a.py"}}, [b"/repo/src/a.py"]),
    ("gemini", {"tool_name": "replace", "tool_input": {"file_path": "/repo/a.py"}}, [b"/repo/a.py"]),
    ("cursor", {"tool_name": "Write", "tool_input": {"file_path": "/repo/a.py"}}, [b"/repo/a.py"]),
    ("cursor", {"tool_name": "Delete", "tool_input": {"path": "/repo/a.py"}}, [b"/repo/a.py"]),
    (
        "cursor",
        {"hook_event_name": "afterFileEdit", "file_path": "/repo/a.py", "edits": []},
        [b"/repo/a.py"],
    ),
    ("opencode", {"tool_name": "edit", "tool_input": {"filePath": "/repo/a.py"}}, [b"/repo/a.py"]),
    ("opencode", {"tool_name": "write", "tool_input": {"filePath": "a.py"}}, [b"/repo/src/a.py"]),
    ("copilot", {"tool_name": "Edit", "tool_input": {"path": "/repo/a.py"}}, [b"/repo/a.py"]),
    ("copilot", {"tool_name": "create", "tool_input": {"path": "/repo/a.py"}}, [b"/repo/a.py"]),
    (
        "copilot",
        {"tool_name": "replace_string_in_file", "tool_input": {"filePath": "/repo/a.py"}},
        [b"/repo/a.py"],
    ),
    (
        "copilot",
        {
            "tool_name": "multi_replace_string_in_file",
            "tool_input": {"replacements": [{"filePath": "/a"}, {"filePath": "/b"}, {"filePath": "/a"}, 3]},
        },
        [b"/a", b"/b"],
    ),
    (
        "copilot",
        {"tool_name": "str_replace_editor", "tool_input": {"command": "create", "path": "/a"}},
        [b"/a"],
    ),
    ("windsurf", {"tool_info": {"file_path": "/repo/a.py", "edits": []}}, [b"/repo/a.py"]),
]

PATCH = """\
*** Begin Patch
*** Add File: new file.py
+*** Update File: not this one
+two
*** Update File: old.py
*** Move to: lib/moved.py
@@ def f():
-*** Delete File: nor this
 same
*** Update File: /repo/top.py
@@
-a
+b
*** End of File
*** Delete File: gone.py
*** End Patch
"""
PATCHED = [
    b"/repo/src/new file.py",
    b"/repo/src/old.py",
    b"/repo/src/lib/moved.py",
    b"/repo/top.py",
    b"/repo/src/gone.py",
]
for agent, key in (("codex", "command"), ("opencode", "patchText"), ("copilot", "input")):
    EDITS.append((agent, {"tool_name": "apply_patch", "tool_input": {key: PATCH}}, PATCHED))
EDITS.append(("copilot", {"tool_name": "apply_patch", "tool_input": PATCH}, PATCHED))


class TestWhatATool:
    @pytest.mark.parametrize(("agent", "fields", "paths"), EDITS)
    def test_that_edits_says_which_files(
        self, agent: str, fields: dict[str, Any], paths: list[bytes]
    ) -> None:
        found = said(agent, **fields)
        assert (found.reach, found.paths) == ("files", paths)
        assert is_edit(found) is (fields.get("hook_event_name") != "afterFileEdit")

    def test_that_edits_nothing_in_particular_may_edit_anything(self) -> None:
        several: tuple[object, ...] = ({}, {"file_path": ""}, {"file_path": 3}, None, [], "text")
        for given_ in several:
            found = said("claude-code", tool_name="Edit", tool_input=given_)
            assert (found.reach, found.paths, is_edit(found)) == ("tree", [], False)

    @pytest.mark.parametrize(
        ("agent", "tool"),
        [
            ("claude-code", "Read"),
            ("claude-code", "Agent"),
            ("claude-code", "TodoWrite"),
            ("claude-code", "BashOutput"),
            ("codex", "update_plan"),
            ("gemini", "read_file"),
            ("cursor", "Grep"),
            ("opencode", "todowrite"),
            ("copilot", "view"),
            ("copilot", "Read"),
        ],
    )
    def test_that_is_harmless_changes_nothing(self, agent: str, tool: str) -> None:
        found = said(agent, tool_name=tool, tool_input={"file_path": "/repo/a.py"})
        assert (found.reach, found.paths) == ("none", [])

    def test_that_edits_can_also_look(self) -> None:
        given_ = {"command": "view", "path": "/repo/a.py"}
        assert said("copilot", tool_name="str_replace_editor", tool_input=given_).reach == "none"

    @pytest.mark.parametrize(
        ("agent", "tool"),
        [
            ("claude-code", "Bash"),
            ("claude-code", "PowerShell"),
            ("claude-code", "mcp__files__write"),
            ("claude-code", "read_file"),  # a harmless name elsewhere
            ("codex", "Bash"),
            ("gemini", "run_shell_command"),
            ("gemini", "read"),
            ("cursor", "Shell"),
            ("cursor", "MCP:write"),
            ("opencode", "bash"),
            ("copilot", "bash"),
            ("copilot", "Bash"),
            ("copilot", ""),
        ],
    )
    def test_of_any_other_kind_may_change_anything(self, agent: str, tool: str) -> None:
        found = said(agent, tool_name=tool, tool_input={"command": "true", "file_path": "/repo/a.py"})
        assert (found.reach, found.paths, is_edit(found)) == ("tree", [], False)

    @pytest.mark.parametrize("tool", ["mcp__blueline__edit_file", "blueline_edit_file", "blueline-edit_file"])
    def test_of_our_own_is_looked_at_like_any(self, tool: str) -> None:
        # A project may give a server of its own that name. What ours did is known by then.
        assert said("claude-code", tool_name=tool).reach == "tree"

    @pytest.mark.parametrize(
        ("action", "reach"),
        [("pre_run_command", "tree"), ("post_mcp_tool_use", "tree"), ("pre_read_code", "none")],
    )
    def test_of_windsurf_is_named_by_the_event(self, action: str, reach: str) -> None:
        assert said("windsurf", agent_action_name=action, tool_info={"cwd": "/repo"}).reach == reach


def test_no_tool_is_in_both_lists() -> None:
    assert set(hosts.EDITING) == set(hosts.HARMLESS) == set(EVENTS)
    for agent, tools in hosts.EDITING.items():
        assert not tools & hosts.HARMLESS[agent]


class TestThePhase:
    @pytest.mark.parametrize(
        ("agent", "events"),
        [
            ("claude-code", "UserPromptSubmit PreToolUse PostToolUse Stop SessionEnd SessionStart"),
            ("codex", "UserPromptSubmit PreToolUse PostToolUse Stop SessionEnd SubagentStop"),
            ("gemini", "BeforeAgent BeforeTool AfterTool AfterAgent SessionEnd BeforeModel"),
            ("cursor", "beforeSubmitPrompt preToolUse postToolUse stop sessionEnd subagentStop"),
            (
                "opencode",
                "chat.message tool.execute.before tool.execute.after session.idle session.deleted x",
            ),
            ("copilot", "UserPromptSubmit PreToolUse PostToolUse Stop SessionEnd Notification"),
            ("copilot", "userPromptSubmitted preToolUse postToolUse agentStop sessionEnd notification"),
        ],
    )
    def test_is_known_by_the_event(self, agent: str, events: str) -> None:
        found = [said(agent, hook_event_name=name).phase for name in events.split()]
        assert found == ["prompt", "before", "after", "stop", "end", ""]

    def test_of_a_failed_call_is_after(self) -> None:
        assert said("claude-code", hook_event_name="PostToolUseFailure", tool_name="Bash").phase == "after"
        assert said("cursor", hook_event_name="postToolUseFailure", tool_name="Shell").phase == "after"

    def test_of_windsurf(self) -> None:
        names = ("pre_user_prompt", "pre_write_code", "post_write_code", "post_cascade_response", "x")
        phases = [said("windsurf", agent_action_name=name).phase for name in names]
        assert phases == ["prompt", "before", "after", "stop", ""]

    @pytest.mark.parametrize(
        ("fields", "event", "phase"),
        [
            ({"toolName": "edit", "toolArgs": {"path": "/a"}}, "preToolUse", "before"),
            ({"toolName": "edit", "toolArgs": '{"path": "/a"}'}, "preToolUse", "before"),
            ({"toolName": "edit", "toolArgs": {"path": "/a"}, "toolResult": {}}, "postToolUse", "after"),
            (
                {"toolName": "edit", "toolArgs": {"path": "/a"}, "error": "no"},
                "postToolUseFailure",
                "after",
            ),
            ({"toolName": "edit", "toolInput": {}}, "permissionRequest", ""),
            ({"prompt": "do it"}, "userPromptSubmitted", "prompt"),
            ({"source": "new", "initialPrompt": "do it"}, "sessionStart", ""),
            ({"stopReason": "end_turn", "transcriptPath": "/t"}, "agentStop", "stop"),
            ({"reason": "complete"}, "sessionEnd", "end"),
            ({}, "", ""),
        ],
    )
    def test_is_guessed_from_what_copilot_says_when_it_names_no_event(
        self, fields: dict[str, object], event: str, phase: str
    ) -> None:
        found = reading("copilot", {"sessionId": "s1", "timestamp": 1, "cwd": "/repo", **fields}, COPILOT)
        assert (found.agent, found.event, found.phase, found.conversation) == ("copilot", event, phase, "s1")
        assert found.paths == ([b"/a"] if phase in ("before", "after") else [])


class TestWhereAndWho:
    @pytest.mark.parametrize("agent", ["claude-code", "gemini", "cursor", "copilot"])
    def test_the_project_is_what_the_host_says(self, agent: str) -> None:
        assert said(agent).project == b"/repo"

    def test_or_the_folder_of_the_event(self) -> None:
        assert said("codex").project == said("opencode").project == b"/repo/src"
        assert said("claude-code", environ={}).project == b"/repo/src"
        assert said("cursor", environ={}).project == b"/repo"
        assert said("codex", environ=CLAUDE).project == b"/repo/src"

    @pytest.mark.parametrize("cwd", ["", "not/absolute", 7, None])
    def test_or_our_own(self, cwd: object) -> None:
        here = str(Path.cwd()).encode()
        found = said("codex", cwd=cwd, tool_name="apply_patch", tool_input={"path": "a"})
        assert found.project.startswith(here)
        assert found.paths == [here + b"/a"]

    def test_the_conversation(self) -> None:
        for agent in EVENTS:
            assert said(agent).conversation == "s1"
        assert said("codex", session_id=3).conversation == ""


class TestTwice:
    """A hook of Claude Code, run by an agent that has its own hooks in the same project."""

    @pytest.mark.parametrize(
        ("agent", "path"), [("copilot", ".github/hooks/blueline.json"), ("cursor", ".cursor/hooks.json")]
    )
    def test_one_event_is_recorded_once(self, tmp_path: Path, agent: str, path: str) -> None:
        root = str(tmp_path).encode()
        foreign, own = said(agent, by="claude-code"), said(agent)
        assert not is_double("claude-code", foreign, root)
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_text('{"hooks": {}}')
        assert not is_double("claude-code", foreign, root)
        run = ADAPTERS[agent]().command()
        (tmp_path / path).write_text(json.dumps({"hooks": {"stop": [{"command": run}]}}))
        assert is_double("claude-code", foreign, root)
        assert not is_double(agent, own, root)
        elsewhere = run.replace(str(Path(hosts.__file__).parent), "/elsewhere/hook")
        (tmp_path / path).write_text(json.dumps({"hooks": {"stop": [{"command": elsewhere}]}}))
        assert not is_double("claude-code", foreign, root)
        (tmp_path / path).write_text(json.dumps({"hooks": {"stop": [{"command": run}]}}))
        assert not is_double("claude-code", said("claude-code"), root)

    def test_what_cannot_be_read_is_not_there(self, tmp_path: Path) -> None:
        (tmp_path / ".cursor" / "hooks.json").mkdir(parents=True)
        assert not is_double("claude-code", said("cursor"), str(tmp_path).encode())


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KEYS = sorted({key for event in EVENTS.values() for key in event} | {"tool_name", "tool_input", "toolArgs"})


@given(st.sampled_from(sorted(EVENTS)), st.dictionaries(st.sampled_from(KEYS), anything))
def test_wrong_types_anywhere_never_fail(agent: str, wrong: dict[str, Any]) -> None:
    found = said(agent, **wrong)
    assert found.reach in ("files", "tree", "none")
    assert all(path.startswith(b"/") for path in [found.project, *found.paths])
    assert bool(found.paths) is (found.reach == "files")


def test_only_built_in_modules_are_loaded() -> None:
    folder = str(Path(hosts.__file__).parent)
    program = (
        f"import sys; sys.path[:0] = [{folder!r}]; before = set(sys.modules); import hosts;"
        "hosts.reading('codex', {'tool_name': 'apply_patch', 'toolArgs': '{}'}, {});"
        "print(*(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True)
    assert done.stdout.split() == ["hosts"]


def test_a_call_without_a_name_has_one_key_in_the_hook_and_for_the_desk() -> None:
    given = {"command": "sed -i s/a/ä/ a.md", "lines": [1, 2.5, {"x": None, "is_background": True}]}
    raw = json.dumps({"session_id": "s", "timestamp": 1, "tool_name": "bash", "tool_input": given}).encode()
    in_hook, parsed = hosts.tool_input(hosts.parse(raw)), hosts.tool_input(json.loads(raw))
    assert hosts.digest(in_hook) == hosts.digest(parsed)
    others: tuple[object, ...] = ({**given, "command": "ls"}, {"lines": given["command"]}, {}, "")
    assert len({hosts.digest(other) for other in others} | {hosts.digest(given)}) == len(others) + 1


def test_a_tool_of_vs_code_that_only_its_documentation_names_may_change_anything() -> None:
    about = {"timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/project", "sessionId": "s"}
    call = {"tool_name": "editFiles", "tool_input": {"files": ["src/main.ts"]}, "tool_use_id": "tool-123"}
    said = reading("copilot", {**about, "hookEventName": "PreToolUse", **call}, {})
    assert (said.agent, said.phase, said.reach) == ("copilot", "before", "tree")
