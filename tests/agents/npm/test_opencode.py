"""The real opencode, its hooks installed by `blueline init`, against a scripted model on loopback."""

from __future__ import annotations

from pathlib import Path

from tests.support.agents.contract import AgentContract
from tests.support.agents.opencode import Opencode
from tests.support.agents.place import Place
from tests.support.record_other_payloads import assert_recorded
from tests.support.scripted_model import ScriptedModel, calls, says


class TestOpencode(AgentContract):
    AGENT = Opencode
    TRUST = ""

    def test_m04_a_subagent_works_for_the_turn_that_started_it(self, place: Place, home: Path) -> None:
        start = place.standing()
        with ScriptedModel() as model:
            agent = Opencode(place.root, home, model)
            part = [[agent.creates("part.md", "part\n")], [says("The part is done.")]]
            model.aside("do the part", part)
            task = calls("task", description="a part", prompt="do the part", subagent_type="general")
            model.then([[task], [agent.creates("own.md", "own\n")], [says("Done.")]])
            agent.turn("in parts")
        (turn,) = place.turns().values()
        assert (turn["prompt"].strip('"'), turn["ended"] is not None) == ("in parts", True)
        (subagent,) = turn["subagents"]
        assert (subagent["type"], "a part" in subagent["description"]) == ("general", True)
        hunks = place.blueline("list")["hunks"]
        assert {(hunk["path"], hunk["subagent"]) for hunk in hunks} == {("part.md", "a1"), ("own.md", None)}
        place.blueline("reject", "t1")
        assert place.standing() == start


def test_the_recorded_payloads_are_what_it_sends() -> None:
    assert_recorded("opencode")
