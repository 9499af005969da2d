"""The plugin for opencode: what it hands on, what that means, and how it comes and goes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from blueline.adapters import opencode
from blueline.adapters.settings_file import SettingsUnusable
from blueline.errors import BluelineError
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
)
from blueline.model.patch import Patch
from tests.adapters.meaning import began, finished, meaning, recorded, said

NODE = shutil.which("node")
CONVERSATION = "ses_00000000000000000000000002"
RECORDED = recorded("opencode")

# Gives the plugin what opencode gives it, and prints what it did.
HOST = """
const { Blueline } = await import(process.argv[2])
const { before, event, input, output, folder } = JSON.parse(process.argv[3])
const hooks = await Blueline({ directory: folder })
for (const one of before ?? []) await hooks.event({ event: one })
const said = { names: Object.keys(hooks), error: "" }
try {
  if (event) await hooks.event({ event })
  else if (input) await hooks[process.argv[4]](input, output)
} catch (error) {
  said.error = error.message
}
console.log(JSON.stringify({ ...said, output: output ?? null }))
"""


class Plugin:
    """The installed plugin, with a recorder that keeps what it is told."""

    def __init__(self, base: Path) -> None:
        self.folder = base / "project"
        self.folder.mkdir()
        self.kept = base / "kept.json"
        self.recorder = base / "python"
        self.file = base / "blueline.mjs"
        self.host = base / "host.mjs"
        self.host.write_text(HOST)
        self.answer()

    def answer(self, out: str = "", error: str = "", code: int = 0) -> None:
        """What the recorder will say, and how it will end."""
        self.recorder.write_text(
            f"#!/bin/sh\ncat > '{self.kept}'\nprintf '%s' '{out}'\nprintf '%s' '{error}' >&2\nexit {code}\n"
        )
        self.recorder.chmod(0o755)
        self.file.write_text(opencode.plugin(str(self.recorder)))

    def run(self, payload: dict[str, Any], hook: str = "") -> dict[str, Any]:
        assert NODE
        given = json.dumps({**payload, "folder": str(self.folder)})
        done = subprocess.run(
            [NODE, str(self.host), str(self.file), given, hook], capture_output=True, text=True, check=True
        )
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    def told(self) -> bytes:
        return self.kept.read_bytes()


@pytest.fixture
def plugin(tmp_path: Path) -> Plugin:
    assert NODE is not None, "Node is needed: make npm"
    return Plugin(tmp_path)


def shell(command: str) -> dict[str, Any]:
    return {"tool": "bash", "about": {"command": command, "description": "Do it."}}


CALLS: dict[str, dict[str, Any]] = {
    "read": {"tool": "read"},
    "edit": {"tool": "edit", "edits": (Replacement(old="one\n", new="ONE\n"),)},
    "failed-edit": {"tool": "edit", "edits": (Replacement(old="no such line\n", new="NO SUCH LINE\n"),)},
    "create": {"tool": "write", "content": "hello\n"},
    "overwrite": {"tool": "write", "content": "ONE\ntwo\nTHREE\n"},
    "shell": shell("echo hello >> b.md"),
    "failed-shell": shell("echo hello >> b.md; exit 3"),
    "delete": shell("rm gone.md"),
    "shell-delete": shell("rm b.md"),
}


class TestWhatItHandsOn:
    @pytest.mark.parametrize("name", [name for name in RECORDED if "tool.execute" in name])
    def test_calls(self, plugin: Plugin, name: str) -> None:
        step, _, hook = name.partition(".")
        given = json.loads(RECORDED[name])
        assert plugin.run(given, hook)["error"] == ""
        notice = (began if hook.endswith("before") else finished)("opencode", plugin.told())
        failed = {"failed": True} if name == "failed-shell.tool.execute.after" else {}
        assert said(notice) == {**CALLS[step], **failed}
        assert notice.key == f"{CONVERSATION}/{given['input']['callID']}"
        assert json.loads(plugin.told())["cwd"] == str(plugin.folder)

    def test_prompts(self, plugin: Plugin) -> None:
        plugin.run(json.loads(RECORDED["chat.message"]), "chat.message")
        expect = PromptGiven(conversation=CONVERSATION, prompt='"first prompt"')
        assert meaning("opencode", plugin.told()) == expect

    def test_m04_a_session_below_another_is_a_subagent(self, plugin: Plugin) -> None:
        info = {"id": "ses_child", "parentID": CONVERSATION, "title": "a part (@general subagent)"}
        before = [{"type": "session.created", "properties": {"info": info}}]
        helper = {"id": "ses_child", "type": "general", "description": "a part (@general subagent)"}
        asked = {"input": {"sessionID": "ses_child", "agent": "general"}, "output": {"parts": []}}
        plugin.run({"before": before, **asked}, "chat.message")
        assert meaning("opencode", plugin.told()) == SubagentBegan(
            conversation=CONVERSATION, subagent=SubagentSaid(**helper)
        )
        given = json.loads(RECORDED["create.tool.execute.before"])
        given["input"]["sessionID"] = "ses_child"
        plugin.run({"before": before, **given}, "tool.execute.before")
        notice = began("opencode", plugin.told())
        assert (notice.conversation, notice.about["subagent"]) == (CONVERSATION, {"id": "ses_child"})
        idle = {"type": "session.idle", "properties": {"sessionID": "ses_child"}}
        plugin.run({"before": before, "event": idle})
        assert meaning("opencode", plugin.told()) == SubagentFinished(
            conversation=CONVERSATION, subagent="ses_child"
        )

    def test_only_what_the_person_wrote_is_the_prompt(self, plugin: Plugin) -> None:
        payload = json.loads(RECORDED["chat.message"])
        payload["output"]["parts"] += [
            {"type": "text", "text": "added", "synthetic": True},
            {"type": "file", "url": "x"},
            {"type": "text", "text": "more"},
        ]
        plugin.run(payload, "chat.message")
        expect = PromptGiven(conversation=CONVERSATION, prompt='"first prompt"\nmore')
        assert meaning("opencode", plugin.told()) == expect

    @pytest.mark.parametrize(
        ("event", "expect"),
        [
            (json.loads(RECORDED["session.idle"])["event"], TurnStopped(conversation=CONVERSATION)),
            (
                {"type": "session.deleted", "properties": {"info": {"id": CONVERSATION}}},
                ConversationEnded(conversation=CONVERSATION),
            ),
        ],
    )
    def test_ends(self, plugin: Plugin, event: dict[str, Any], expect: Notice) -> None:
        plugin.run({"event": event})
        assert meaning("opencode", plugin.told()) == expect

    @pytest.mark.parametrize("name", ["session.created", "file.edited"])
    def test_nothing_else(self, plugin: Plugin, name: str) -> None:
        plugin.run(json.loads(RECORDED[name]))
        assert not plugin.kept.exists()


class TestWhatTheRecorderSays:
    def test_a_refusal_stops_the_call(self, plugin: Plugin) -> None:
        plugin.answer(error="held for review", code=2)
        payload = json.loads(RECORDED["edit.tool.execute.before"])
        assert plugin.run(payload, "tool.execute.before")["error"] == "held for review"
        payload = json.loads(RECORDED["edit.tool.execute.after"])
        assert plugin.run(payload, "tool.execute.after")["error"] == ""

    @pytest.mark.parametrize("code", [0, 1, 127])
    def test_anything_else_does_not(self, plugin: Plugin, code: int) -> None:
        plugin.answer(out="x", error="oh", code=code)
        payload = json.loads(RECORDED["edit.tool.execute.before"])
        assert plugin.run(payload, "tool.execute.before") == {
            "names": ["chat.message", "tool.execute.before", "tool.execute.after", "event"],
            "error": "",
            "output": payload["output"],
        }

    def test_what_it_has_to_say_to_the_agent_is_added_to_the_prompt(self, plugin: Plugin) -> None:
        plugin.answer(out="h1 was taken back")
        payload = json.loads(RECORDED["chat.message"])
        found = plugin.run(payload, "chat.message")["output"]["parts"][0]["text"]
        assert found == '"first prompt"\n\nh1 was taken back'

    def test_a_recorder_that_is_gone_is_no_obstacle(self, plugin: Plugin) -> None:
        plugin.recorder.write_text("#!/nowhere\n")
        payload = json.loads(RECORDED["edit.tool.execute.before"])
        assert plugin.run(payload, "tool.execute.before")["error"] == ""
        plugin.recorder.unlink()
        assert plugin.run({"event": None})["names"] == []


def test_a_patch() -> None:
    event = {
        "session_id": "one",
        "hook_event_name": "tool.execute.before",
        "tool_use_id": "1",
        "tool_name": "apply_patch",
        "tool_input": {"patchText": "*** Begin Patch\n*** Delete File: a.md\n*** End Patch"},
    }
    assert said(began("opencode", event)) == {
        "tool": "apply_patch",
        "patches": (Patch(path="a.md", deleted=True),),
    }


def test_other_events_change_nothing() -> None:
    event = {"session_id": "one", "hook_event_name": "session.created"}
    assert meaning("opencode", event) == Nothing(why="session.created changes nothing")


class TestInstalling:
    @pytest.fixture
    def state(self, tmp_path: Path) -> Path:
        (tmp_path / "state").mkdir()
        return tmp_path / "state"

    @pytest.fixture
    def root(self, tmp_path: Path) -> Path:
        (tmp_path / "project").mkdir()
        return tmp_path / "project"

    def test_it_comes_and_goes_without_a_trace(self, root: Path, state: Path) -> None:
        assert opencode.install(root, state)
        assert opencode.installed(root)
        assert not opencode.install(root, state)
        assert opencode.uninstall(root, state)
        assert not opencode.uninstall(root, state)
        assert list(root.iterdir()) == []
        assert [path for path in state.rglob("*") if path.is_file()] == []

    def test_folders_that_were_there_or_are_used_stay(self, root: Path, state: Path) -> None:
        (root / ".opencode").mkdir()
        opencode.install(root, state)
        (root / ".opencode" / "plugin" / "mine.js").write_text("")
        opencode.uninstall(root, state)
        assert sorted(path.name for path in root.rglob("*")) == [".opencode", "mine.js", "plugin"]

    def test_another_interpreter_takes_the_place_of_the_first(self, root: Path, state: Path) -> None:
        opencode.install(root, state, "/old/python")
        assert opencode.install(root, state, "/new/python")
        text = opencode.settings(root).read_text()
        assert "/new/python" in text
        assert "/old/" not in text

    def test_it_goes_without_any_memory_too(self, root: Path, state: Path) -> None:
        opencode.install(root, state)
        assert opencode.uninstall(root, None)
        assert not opencode.installed(root)

    def test_a_file_of_somebody_else_stays(self, root: Path, state: Path) -> None:
        place = opencode.settings(root)
        place.parent.mkdir(parents=True)
        place.write_text("export const Mine = 1\n")
        with pytest.raises(SettingsUnusable, match="is not Blueline's"):
            opencode.install(root, state)
        assert not opencode.uninstall(root, state)
        assert place.read_text() == "export const Mine = 1\n"

    def test_a_path_that_no_file_can_hold_is_refused(self, root: Path, state: Path) -> None:
        with pytest.raises(BluelineError, match="not valid UTF-8"):
            opencode.install(root, state, "/opt/caf\udce9/python")
        assert list(root.iterdir()) == []

    def test_the_command_starts_the_recorder(self, root: Path, home: Path) -> None:
        (root / ".blueline").mkdir()
        event = json.dumps({"hook_event_name": "session.idle", "session_id": "one", "cwd": str(root)})
        done = subprocess.run(
            ["sh", "-c", opencode.command(sys.executable)],
            cwd=root,
            input=event.encode(),
            capture_output=True,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
        assert list(home.glob("state/blueline/*/journal"))
