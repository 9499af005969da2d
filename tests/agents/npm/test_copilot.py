"""The real Copilot CLI, its hooks installed by `blueline init`, against a scripted model on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from tests.support.agents.claude_code import ClaudeCode
from tests.support.agents.contract import POEM, AgentContract, check_parts
from tests.support.agents.copilot import Copilot
from tests.support.agents.place import Place
from tests.support.record_other_payloads import assert_recorded
from tests.support.scripted_model import Answer, ScriptedModel, says
from tests.support.waiting import wait_until


class TestCopilot(AgentContract):
    AGENT = Copilot
    TRUST = "trust"

    def test_d9_it_hears_of_a_subagent_in_the_same_turn(self, place: Place, home: Path) -> None:
        start = place.on_disk()
        with ScriptedModel() as model:
            agent = Copilot(place.root, home, model)

            def part() -> Iterator[Answer]:
                # Its agent has stopped, or is about to.
                wait_until(lambda: len(model.requests) >= 3)
                yield [agent.runs("echo by the shell > shell.md")]
                yield [says("The part is done.")]

            model.aside("do the part", part())
            rest = [[says("Started.")], [agent.creates("own.md", "own\n")], [says("Done.")]]
            model.then(chain(agent.delegates("do the part", mode="background"), rest))
            agent.turn("in parts")
        check_parts(place, start, {"shell.md": "a1", "own.md": None})

    def test_m04_subagents_of_subagents_work_for_the_turn(self, place: Place, home: Path) -> None:
        start = place.on_disk()
        with ScriptedModel() as model:
            agent = Copilot(place.root, home, model)
            model.aside("do the small part", [[agent.creates("small.md", "small\n")], [says("Done.")]])
            rest = [[agent.creates("part.md", "part\n")], [says("Done.")]]
            model.aside("do the part", chain(agent.delegates("do the small part"), rest))
            model.then(chain(agent.delegates("do the part"), [[says("Done.")]]))
            agent.turn("in parts")
        check_parts(place, start, {"small.md": "a2", "part.md": "a1"})


@pytest.mark.parametrize("installed", [(ClaudeCode.NAME,), (ClaudeCode.NAME, Copilot.NAME)])
def test_what_it_does_is_its_own_and_said_once_when_it_runs_the_hooks_of_claude_code(
    tmp_path: Path, home: Path, installed: tuple[str, ...]
) -> None:
    place = Place(tmp_path / "project", {"a.md": POEM})
    place.init(*installed)
    start = place.on_disk()
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
    assert place.on_disk() == start


@pytest.mark.parametrize("hooks", ["copilot", "copilot-runs-claude-hooks"])
def test_the_recorded_payloads_are_what_it_sends(hooks: str) -> None:
    assert_recorded(hooks)
