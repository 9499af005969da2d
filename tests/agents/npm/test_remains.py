"""What agents that npm installs leave running, and what becomes of their turn when they are killed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.agents.agent import Agent
from tests.support.agents.codex import Codex
from tests.support.agents.copilot import Copilot
from tests.support.agents.gemini import Gemini
from tests.support.agents.opencode import Opencode
from tests.support.agents.remains import check_background, check_killed, two_files

ALL = (Codex, Copilot, Gemini, Opencode)


@pytest.mark.parametrize("agent", ALL, ids=lambda agent: agent.NAME)
def test_d9_a_process_in_the_background_works_for_the_call_that_started_it(
    agent: type[Agent], tmp_path: Path, home: Path
) -> None:
    # Codex takes its shells with it, and what these started, but for those that left them.
    alone = "setsid nohup" if agent is Codex else "nohup"
    check_background(two_files(tmp_path / "project", agent), home, agent, tmp_path / "go", alone)


@pytest.mark.parametrize("agent", ALL, ids=lambda agent: agent.NAME)
def test_d9_a_killed_agents_turn_ends(agent: type[Agent], tmp_path: Path, home: Path) -> None:
    go = tmp_path / "go"
    check_killed(two_files(tmp_path / "project", agent), home, agent, None if agent is Codex else go)
