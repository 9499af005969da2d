"""The real Claude Code with `init --user`: what it does anywhere is recorded, and once (rules D6 and D7)."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.support.agents.claude_code import ClaudeCode
from tests.support.agents.place import BLUELINE, Place
from tests.support.scripted_model import ScriptedModel, says


def works(folder: Path, home: Path) -> None:
    """Let it edit a file, and change another one by a command."""
    with ScriptedModel() as model:
        agent = ClaudeCode(folder, home, model)
        model.then(
            [
                [agent.reads("a.md")],
                [agent.edits("a.md", "one\n", "ONE\n")],
                [agent.runs("echo TWO > b.md")],
                [says("Done.")],
            ]
        )
        agent.turn("louder")


def test_a_fresh_clone_is_recorded_and_a_project_with_its_own_hooks_once(tmp_path: Path, home: Path) -> None:
    origin = Place(
        tmp_path / "origin", {"sub/a.md": "one\n", "sub/b.md": "two\n", "a.md": "one\n", "b.md": ""}
    )
    subprocess.run([BLUELINE, "init", "--user", "--agent", "claude-code"], cwd=home, check=True)
    clone = Place.__new__(Place)
    clone.root = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(origin.root), str(clone.root)], check=True)
    works(clone.root, home)
    origin.init("claude-code")
    works(origin.root / "sub", home)
    for place, prefix in ((clone, ""), (origin, "sub/")):
        found = place.blueline("list")
        assert {hunk["path"] for hunk in found["hunks"]} == {f"{prefix}a.md", f"{prefix}b.md"}
        assert found["counts"]["calls"] == 2
        (turn,) = place.turns().values()
        assert (turn["prompt"], turn["ended"] is not None) == ("louder", True)
    states = [one for one in (home / "state/blueline").iterdir() if (one / "journal").exists()]
    observed = [(one / "journal").read_bytes().count(b"blueline-observation 1") for one in states]
    # By the person's hooks in the one, by the project's own in the other, and not by both.
    assert len(observed) == 2
    assert observed[0] == observed[1]


def test_with_its_interpreter_gone_it_works_on(tmp_path: Path, home: Path) -> None:
    place = Place(tmp_path / "project", {"a.md": "one\n", "b.md": "two\n"})
    subprocess.run([BLUELINE, "init", "--user", "--agent", "claude-code"], cwd=home, check=True)
    settings = home / ".claude/settings.json"
    settings.write_text(settings.read_text().replace(os.path.dirname(os.path.dirname(BLUELINE)), "/gone"))
    works(place.root, home)
    assert ((place.root / "a.md").read_text(), (place.root / "b.md").read_text()) == ("ONE\n", "TWO\n")
    status = place.blueline("status")
    assert status["recording"]["why"] == "the hooks for Claude Code start /gone/bin/python, which is gone"
