"""Two real agents of different make in one tree."""

from __future__ import annotations

from pathlib import Path

from tests.support.agents.claude_code import ClaudeCode
from tests.support.agents.codex import Codex
from tests.support.agents.in_one_tree import FILES, leave_each_other_exact
from tests.support.agents.place import Place


def test_taking_one_back_leaves_the_other_exact(tmp_path: Path, home: Path) -> None:
    place = Place(tmp_path / "project", FILES)
    place.init(ClaudeCode.NAME, Codex.NAME)
    leave_each_other_exact(place, home, ClaudeCode, Codex)
