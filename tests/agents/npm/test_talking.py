"""What reaches the models of agents that npm installs when somebody has decided about their changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.agents.agent import Agent
from tests.support.agents.codex import Codex
from tests.support.agents.copilot import Copilot
from tests.support.agents.gemini import Gemini
from tests.support.agents.hearing import POEM, hears_at_its_next_turn
from tests.support.agents.opencode import Opencode
from tests.support.agents.place import Place


@pytest.mark.parametrize("agent", [Codex, Copilot, Gemini, Opencode], ids=lambda agent: agent.NAME)
def test_the_model_hears_at_its_next_turn_what_was_decided_and_why(
    agent: type[Agent], tmp_path: Path, home: Path
) -> None:
    place = Place(tmp_path / "project", {"a.md": POEM})
    place.init(agent.NAME)
    hears_at_its_next_turn(place, home, agent)
