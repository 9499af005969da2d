"""Two real Claude Codes in one tree, each in a conversation of its own."""

from __future__ import annotations

from pathlib import Path

from tests.support.agents.claude_code import ClaudeCode
from tests.support.agents.in_one_tree import FILES, leave_each_other_exact
from tests.support.agents.place import Place


def test_taking_one_back_leaves_the_other_exact(tmp_path: Path, home: Path) -> None:
    place = Place(tmp_path / "project", FILES)
    place.init(ClaudeCode.NAME)
    leave_each_other_exact(place, home, ClaudeCode, ClaudeCode)
