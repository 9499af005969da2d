"""One request to an agent."""

from __future__ import annotations

import pytest

from blueline.sdk import EditRefused
from tests.sdk.agents import agent
from tests.support.project import POEM, Make


def test_a_turn_that_somebody_else_began_can_be_joined(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt("said to the hooks")
    agent(p, "claude-code", p.conversation).join().edit_file("a.md", "line 3", "LINE 3")
    p.stop()
    (turn,) = p.turns()
    assert (turn["prompt"], len(turn["hunks"])) == ("said to the hooks", 1)


def test_a_turn_that_fails_ends_too(project: Make) -> None:
    p = project({"a.md": POEM})
    with pytest.raises(EditRefused), agent(p).turn("please") as turn:
        turn.edit_file("a.md", "not there", "LINE 3")
    (shown,) = p.turns()
    assert shown["ended"]
