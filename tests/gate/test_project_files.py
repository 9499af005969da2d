"""Files that init puts into a project, and takes out again."""

from __future__ import annotations

import json
from pathlib import Path

from blueline.gate import project_files
from tests.gate.yard import Yard


def test_files_for_claude_code_come_and_go(yard: Yard) -> None:
    before = {*yard.project.on_disk()}
    yard.run("init", "--agent", "claude-code")
    assert {*project_files.files()} <= {*yard.project.on_disk()}
    assert (yard.root / project_files.STATE_LINK).is_symlink()
    yard.run("init", "--uninstall")
    assert {*yard.project.on_disk()} == before


def test_what_somebody_else_wrote_is_left(yard: Yard) -> None:
    yard.put(".claude/commands/review.md", "my own\n")
    said = yard.run("init", "--agent", "claude-code")
    assert ".claude/commands/review.md, which somebody else has written" in said.out
    yard.put(".claude/commands/ship.md", "changed\n")
    yard.run("init", "--agent", "claude-code")
    said = yard.run("init", "--uninstall")
    assert "Left .claude/commands/ship.md" in said.out
    assert yard.project.text(".claude/commands/review.md") == "my own\n"
    assert yard.project.text(".claude/commands/ship.md") == "changed\n"
    assert not yard.project.exists(".claude/agents")


def test_the_state_is_where_its_readers_look_and_no_review_changes_a_file(yard: Yard) -> None:
    yard.run("init", "--agent", "claude-code")
    yard.commit("with the files of Claude Code")
    yard.open()
    found = json.loads((yard.root / ".claude/skills/code-review/loop-state.json").read_text())
    assert found["ship_allowed"] is True
    assert yard.git("status", "--porcelain") == ""
    yard.put("a.md", "two\n")
    yard.gate()
    found = json.loads((yard.root / ".claude/skills/code-review/loop-state.json").read_text())
    assert found["ship_allowed"] is False


def test_a_folder_that_leads_out_of_the_project_is_left(yard: Yard, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (yard.root / ".claude").mkdir()
    (yard.root / ".claude" / "commands").symlink_to(tmp_path / "outside")
    yard.run("init", "--agent", "claude-code")
    assert list((tmp_path / "outside").iterdir()) == []
