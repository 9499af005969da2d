"""The real Copilot CLI, its hooks installed by `blueline init`, against a scripted model on loopback."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.agents.claude_code import ClaudeCode
from tests.support.agents.contract import POEM, AgentContract
from tests.support.agents.copilot import Copilot
from tests.support.agents.place import Place
from tests.support.record_other_payloads import assert_recorded
from tests.support.scripted_model import ScriptedModel, says


class TestCopilot(AgentContract):
    AGENT = Copilot
    TRUST = "trust"


@pytest.mark.parametrize("installed", [(ClaudeCode.NAME,), (ClaudeCode.NAME, Copilot.NAME)])
def test_what_it_does_is_its_own_and_said_once_when_it_runs_the_hooks_of_claude_code(
    tmp_path: Path, home: Path, installed: tuple[str, ...]
) -> None:
    place = Place(tmp_path / "project", {"a.md": POEM})
    place.init(*installed)
    start = place.standing()
    with ScriptedModel() as model:
        agent = Copilot(place.root, home, model)
        model.then(
            [
                [agent.reads("a.md")],
                [agent.edits("a.md", "line 3\n", "LINE THREE\n")],
                [agent.creates("new.md", "new\n")],
                [agent.runs("sed -i 's/^line 9$/line nine/' a.md")],
                [says("Done.")],
            ]
        )
        agent.turn("make it louder")
    (turn,) = place.blueline("list", "--by", "turn")["turns"]
    assert (turn["agent"], turn["prompt"]) == (Copilot.NAME, "make it louder")
    assert turn["ended"]
    assert len(place.blueline("list", "--by", "call")["calls"]) == 3
    hunks = place.blueline("list")["hunks"]
    assert sorted((hunk["path"], hunk["new"]) for hunk in hunks) == [
        ("a.md", "LINE THREE\n"),
        ("a.md", "line nine\n"),
        ("new.md", "new\n"),
    ]
    place.blueline("reject", turn["id"])
    assert place.standing() == start


@pytest.mark.parametrize("hooks", ["copilot", "copilot-runs-claude-hooks"])
def test_the_recorded_payloads_are_what_it_sends(hooks: str) -> None:
    assert_recorded(hooks)
