"""The real Claude Code leaves something running, and is killed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.agents.claude_code import ClaudeCode
from tests.support.agents.place import Place
from tests.support.agents.remains import check_background, check_killed, two_files


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return two_files(tmp_path / "project", ClaudeCode)


def test_d9_what_runs_in_the_background_writes_for_its_call(place: Place, home: Path, tmp_path: Path) -> None:
    check_background(place, home, ClaudeCode, tmp_path / "go")


def test_d9_a_killed_agents_turn_ends_and_its_shell_is_still_its_call(
    place: Place, home: Path, tmp_path: Path
) -> None:
    check_killed(place, home, ClaudeCode, tmp_path / "go")
