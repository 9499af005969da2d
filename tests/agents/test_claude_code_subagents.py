"""The real Claude Code with sub-agents in the background, as is its default: one prompt, one turn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.agents.claude_code import ClaudeCode
from tests.support.agents.place import Place
from tests.support.scripted_model import Answer, ScriptedModel, calls, says
from tests.support.waiting import wait_until


@pytest.fixture
def place(tmp_path: Path) -> Place:
    place = Place(tmp_path / "project", {"a.md": "one\ntwo\nthree\n", "b.md": "b\n"})
    place.init(ClaudeCode.NAME)
    return place


def test_m04_one_subagent_in_the_background_is_one_turn(place: Place, home: Path) -> None:
    before = place.on_disk()
    with ScriptedModel() as model:
        agent = ClaudeCode(place.root, home, model)

        def part() -> Iterator[Answer]:
            # Its agent asks twice and it asks once before it does anything: the turn is about to end.
            wait_until(lambda: len(model.requests) >= 3)
            yield [agent.reads("a.md")]
            yield [agent.edits("a.md", "two\n", "TWO\n")]
            yield [agent.runs("echo more >> b.md; echo new > new.md")]
            yield [says("The part is done.")]

        model.aside("the part of a.md", part())
        model.then(
            [
                [calls("Agent", description="a part", prompt="the part of a.md")],
                [says("Started.")],
                [agent.creates("summary.md", "all is done\n")],
                [says("Done.")],
            ]
        )
        agent.turn("in parts please")
    (turn,) = place.turns().values()
    assert (turn["prompt"].strip('"'), turn["ended"] is not None) == ("in parts please", True)
    (subagent,) = turn["subagents"]
    assert (subagent["id"], subagent["type"], subagent["description"]) == ("a1", "general-purpose", "a part")
    pending = place.blueline("list")["hunks"]
    assert {(hunk["path"], hunk["turn"], hunk["subagent"]) for hunk in pending} == {
        ("a.md", "t1", "a1"),
        ("b.md", "t1", "a1"),
        ("new.md", "t1", "a1"),
        ("summary.md", "t1", None),
    }
    place.blueline("reject", "a1")
    assert {hunk["path"] for hunk in place.blueline("list")["hunks"]} == {"summary.md"}
    place.blueline("undo")
    place.blueline("reject", "t1")
    assert place.on_disk() == before


def test_m04_ten_subagents_at_once_are_one_turn(place: Place, home: Path) -> None:
    before = place.on_disk()
    names = [f"part-{number:02d}" for number in range(10)]
    with ScriptedModel() as model:
        agent = ClaudeCode(place.root, home, model)
        for name in names:
            model.aside(
                f"do {name}",
                [
                    [agent.creates(f"{name}.md", f"{name}\n")],
                    [agent.runs(f"echo more >> {name}.md; echo {name} > by-shell-{name}.md")],
                    [says(f"{name} is done.")],
                ],
            )
        agents = [calls("Agent", description=name, prompt=f"do {name}") for name in names]
        model.then([agents, *([says("Noted.")] for _ in range(20))])
        agent.turn("ten parts please")
    (turn,) = place.turns().values()
    assert turn["ended"] is not None
    assert sorted(one["description"] for one in turn["subagents"]) == names
    assert all(one["ended"] for one in turn["subagents"])
    paths = {hunk["path"] for hunk in place.blueline("list")["hunks"]}
    assert paths == {f"{name}.md" for name in names} | {f"by-shell-{name}.md" for name in names}
    place.blueline("reject", "t1")
    assert place.on_disk() == before
