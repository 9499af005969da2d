"""The real Claude Code in a fresh clone with a committed config and no hooks: no all-clear (rule D6)."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.support.agents.claude_code import ClaudeCode
from tests.support.agents.place import BLUELINE, Place
from tests.support.scripted_model import ScriptedModel, says


def test_a_clone_in_which_claude_code_worked_unseen_says_so(tmp_path: Path, home: Path) -> None:
    origin = Place(tmp_path / "origin", {"a.md": "one\n", "b.md": "two\n"})
    origin.init("claude-code")
    origin.git("add", ".blueline")
    origin.git("commit", "-qm", "blueline")
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(origin.root), str(clone)], check=True)
    with ScriptedModel() as model:
        agent = ClaudeCode(clone, home, model)
        first, second = agent.edits("a.md", "one\n", "ONE\n"), agent.edits("b.md", "two\n", "TWO\n")
        model.then([[agent.reads("a.md")], [agent.reads("b.md")], [first], [second], [says("Done.")]])
        agent.turn("louder")
    assert (clone / "b.md").read_text() == "TWO\n"
    for words in ("status", "list"):
        said = subprocess.run([BLUELINE, words], cwd=clone, capture_output=True, text=True, check=True).stdout
        assert "ot recorded here: no agent has hooks in this folder" in said
        assert "every change is decided" not in said
    gate = subprocess.run([BLUELINE, "gate"], cwd=clone, capture_output=True, text=True, check=False)
    assert (gate.returncode, "not recorded here" in gate.stdout) == (10, True)
