"""The real Claude Code uses the server, with and without its own hooks beside it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.agents.claude_code import ClaudeCode
from tests.support.project import POEM
from tests.support.scripted_model import ScriptedModel, calls, says

BLUELINE = Path(sys.executable).with_name("blueline")


class WithServer(ClaudeCode):
    """Claude Code, told of the server as a person would tell it."""

    def command(self, prompt: str, *, resumed: bool) -> Sequence[str | Path]:
        servers = {"mcpServers": {"blueline": {"command": str(BLUELINE), "args": ["mcp"]}}}
        given = super().command(prompt, resumed=resumed)
        return [*given, "--mcp-config", json.dumps(servers), "--strict-mcp-config"]


def blueline(root: Path, *words: str) -> dict[str, Any]:
    done = subprocess.run([BLUELINE, *words, "--json"], cwd=root, capture_output=True, text=True, check=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.mark.parametrize("with_hooks", [True, False])
def test_an_edit_through_the_server_is_one_change(tmp_path: Path, home: Path, with_hooks: bool) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (root / "a.md").write_text(POEM)
    blueline(root, "init", "--agent", "claude-code")
    if not with_hooks:
        blueline(root, "init", "--uninstall")
    script = [
        [calls("mcp__blueline__edit_file", path="a.md", old_string="line 3\n", new_string="line three\n")],
        [
            calls(
                "mcp__blueline__propose_edit",
                path="a.md",
                old_string="line 9\n",
                new_string="line nine\n",
                reason="to match",
            )
        ],
        [says("Done.")],
    ]
    with ScriptedModel(script) as model:
        assert WithServer(root, home, model).turn("spell it out") == "Done.\n"
    answers = [json.loads(result["content"])["said"] for result in model.tool_results()]
    assert answers[0] == "a.md was changed."
    assert "proposal" in answers[1]
    assert (root / "a.md").read_text() == POEM.replace("line 3\n", "line three\n")
    landed, held = blueline(root, "list")["hunks"]
    assert (landed["new"], landed["actor"]["name"]) == ("line three\n", "claude-code")
    assert (held["new"], held["held"]) == ("line nine\n", True)
    (turn,) = (turn for turn in blueline(root, "list", "--by", "turn")["turns"] if turn["hunks"])
    assert turn["prompt"] == ("spell it out" if with_hooks else "")
    assert turn["ended"]
    blueline(root, "reject", "--all")
    assert (root / "a.md").read_text() == POEM
