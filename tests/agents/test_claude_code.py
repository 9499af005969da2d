"""The real Claude Code, its hooks installed by `blueline init`, against a scripted model on loopback."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from tests.support.agents.claude_code import ClaudeCode
from tests.support.agents.contract import POEM, AgentContract
from tests.support.agents.place import Place
from tests.support.record_payloads import PAYLOADS, record, render
from tests.support.scripted_model import ScriptedModel, says


class TestClaudeCode(AgentContract):
    AGENT = ClaudeCode
    TRUST = ""

    def test_a_broken_hook_does_not_stop_the_agent(self, place: Place, home: Path, tmp_path: Path) -> None:
        called = tmp_path / "called"
        broken = tmp_path / "python"
        broken.write_text(f"#!/bin/sh\necho >> {shlex.quote(str(called))}\nexit 1\n")
        broken.chmod(0o755)
        replace_interpreter(place.root, broken)
        with ScriptedModel() as model:
            agent = ClaudeCode(place.root, home, model)
            edit = agent.edits("a.md", "line 3\n", "LINE THREE\n")
            model.then([[agent.reads("a.md")], [edit], [says("Done all the same.")]])
            assert agent.turn("make it louder") == "Done all the same.\n"
        assert called.exists()
        assert not any(result.get("is_error") for result in model.tool_results())
        assert (place.root / "a.md").read_text() == POEM.replace("line 3\n", "LINE THREE\n")


def test_the_recorded_payloads_are_what_claude_code_sends() -> None:
    stored = {path.stem: path.read_text() for path in PAYLOADS.glob("*.json")}
    assert {name: render(payload) for name, payload in record().items()} == stored


def replace_interpreter(project: Path, interpreter: Path) -> None:
    """Let every installed hook run another program instead of Python."""
    for path in (project / ".claude").glob("settings*.json"):
        settings = json.loads(path.read_text())
        for entry in (entry for entries in settings["hooks"].values() for entry in entries):
            for hook in entry["hooks"]:
                if "args" in hook:
                    hook["command"] = str(interpreter)
                else:
                    hook["command"] = shlex.join([str(interpreter), *shlex.split(hook["command"])[1:]])
        path.write_text(json.dumps(settings))
