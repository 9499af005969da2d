"""One agent in one project."""

from __future__ import annotations

from pathlib import Path

import pytest

from blueline.desk.state_folder import NotAProject
from blueline.sdk import Session
from tests.sdk.agents import agent
from tests.support.project import POEM, Make


def test_in_direct_mode_nothing_is_recorded(project: Make) -> None:
    p = project({"a.md": POEM})
    p.set_mode("direct")
    before = p.journal.read_bytes()
    with agent(p) as session, session.turn("please") as turn:
        assert turn.edit_file("a.md", "line 3", "LINE 3").landed
        with turn.stream("a.md") as stream:
            stream.write("more\n")
        turn.execute("touch", lambda: p.put("b.md", ""), paths=["b.md"])
    assert p.text("a.md") == POEM.replace("line 3", "LINE 3") + "more\n"
    assert p.journal.read_bytes() == before


def test_two_agents_in_one_file_are_told_apart(project: Make) -> None:
    p = project({"a.md": POEM})
    with agent(p, "first").turn("one") as one, agent(p, "second").turn("two") as two:
        one.edit_file("a.md", "line 3\n", "line three\n")
        two.edit_file("a.md", "line 9\n", "line nine\n")
    p.reject(p.turn("one"))
    assert p.text("a.md") == POEM.replace("line 9\n", "line nine\n")
    (hunk,) = p.hunks()
    assert hunk["actor"]["name"] == "second"


def test_a_conversation_can_be_taken_up_again(project: Make) -> None:
    p = project({"a.md": POEM})
    for prompt, old in (("one", "line 3"), ("two", "line 4")):
        with agent(p, conversation="thread-7").turn(prompt) as turn:
            turn.edit_file("a.md", old, old.upper())
    assert {turn["conversation"] for turn in p.turns()} == {"thread-7"}
    assert [turn["prompt"] for turn in p.turns()] == ["one", "two"]


# The project


def test_there_must_be_a_project(tmp_path: Path) -> None:
    with pytest.raises(NotAProject, match="not inside"):
        Session(tmp_path)


@pytest.mark.parametrize("name", ["", "two\nlines", "x" * 101])
def test_a_name_is_one_short_line(project: Make, name: str) -> None:
    with pytest.raises(ValueError, match="not a name"):
        agent(project(), name)
