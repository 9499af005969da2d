"""What holds for every agent, once `blueline init` has met it."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import ClassVar

import pytest

from tests.support.agents.agent import Agent
from tests.support.agents.place import OnDisk, Place
from tests.support.scripted_model import ScriptedModel, says

POEM = "".join(f"line {number}\n" for number in range(1, 13))
NOTES = b"first note\r\nsecond note\r\nno newline at the end"
GONE = "to be deleted\n"


def check_parts(place: Place, start: OnDisk, parts: dict[str, str | None]) -> None:
    """One prompt was one turn; each part is its sub-agent's, and goes back with it, or with the turn."""
    (turn,) = place.turns().values()
    assert (turn["prompt"].strip('"'), turn["ended"] is not None) == ("in parts", True)
    hunks = place.blueline("list")["hunks"]
    assert {hunk["path"]: hunk["subagent"] for hunk in hunks} == parts
    for subagent in sorted({subagent for subagent in parts.values() if subagent}):
        place.blueline("reject", subagent)
        left = {hunk["path"] for hunk in place.blueline("list")["hunks"]}
        assert left == {path for path, of in parts.items() if of != subagent}
        place.blueline("undo")
    place.blueline("reject", turn["id"])
    assert place.on_disk() == start


class AgentContract:
    """Inherit it, name the agent, and its tests are yours."""

    AGENT: ClassVar[type[Agent]]
    TRUST: ClassVar[str]
    """A word of what `init` says the person has to do before the hooks run; empty if there is nothing."""

    @pytest.fixture
    def place(self, tmp_path: Path) -> Place:
        place = Place(tmp_path / "project", {"a.md": POEM, "notes.txt": NOTES, "gone.md": GONE})
        place.init(self.AGENT.NAME)
        return place

    def test_the_first_of_two_turns_goes_back_and_the_second_stays(self, place: Place, home: Path) -> None:
        start = place.on_disk()
        with ScriptedModel() as model:
            agent = self.AGENT(place.root, home, model)
            model.then(
                [
                    [agent.reads("a.md")],
                    [agent.edits("a.md", "line 3\n", "LINE THREE, MUCH LOUDER\n")],
                    [agent.creates("new.md", "made in the first turn\n")],
                    [agent.runs("sed -i 's/^line 6$/line six/' a.md && printf more >> notes.txt")],
                    [agent.deletes("gone.md")],
                    [says("The first turn is done.")],
                    [agent.reads("a.md")],
                    [agent.edits("a.md", "line 9\n", "line nine\n")],
                    [agent.creates("b.md", "made in the second turn\n")],
                    [agent.runs("echo by the shell > c.md && chmod 755 c.md")],
                    [says("The second turn is done.")],
                ]
            )
            assert "The first turn is done." in agent.turn("make it louder")
            assert "The second turn is done." in agent.turn("spell it out")
        assert "gone.md" not in place.on_disk()

        turns = place.turns()
        assert set(turns) == {"make it louder", "spell it out"}
        first, second = turns["make it louder"], turns["spell it out"]
        assert first["agent"] == second["agent"] == self.AGENT.NAME
        assert first["conversation"] == second["conversation"]
        assert all(turn["status"] == "pending" and turn["ended"] for turn in turns.values())
        pending = place.blueline("list")["hunks"]
        assert {hunk["actor"]["name"] for hunk in pending} == {self.AGENT.NAME}

        answer = place.blueline("reject", first["id"])
        assert {result["outcome"] for result in answer["results"]} == {"applied"}
        assert sorted(answer["written"]) == ["a.md", "gone.md", "new.md", "notes.txt"]
        assert place.on_disk() == {
            **start,
            "a.md": (0o644, POEM.replace("line 9\n", "line nine\n").encode()),
            "b.md": (0o644, b"made in the second turn\n"),
            "c.md": (0o755, b"by the shell\n"),
        }
        place.blueline("reject", second["id"])
        assert place.on_disk() == start
        assert place.blueline("list")["hunks"] == []

    def test_calls_made_at_once_are_told_apart(self, place: Place, home: Path) -> None:
        start = place.on_disk()
        with ScriptedModel() as model:
            agent = self.AGENT(place.root, home, model)
            both = [agent.runs("echo by the shell > shell.md"), agent.creates("tool.md", "by the tool\n")]
            model.then([both, [says("Done.")]])
            agent.turn("do both")
        shell, tool = (
            next(hunk for hunk in place.blueline("list")["hunks"] if hunk["path"] == path)
            for path in ("shell.md", "tool.md")
        )
        assert shell["call"] != tool["call"]
        place.blueline("reject", shell["call"])
        assert place.on_disk() == {**start, "tool.md": (0o644, b"by the tool\n")}
        place.blueline("reject", tool["call"])
        assert place.on_disk() == start

    def test_a_held_edit_is_refused_with_a_reason_and_written_when_accepted(
        self, place: Place, home: Path
    ) -> None:
        place.blueline("mode", "hold")
        start = place.on_disk()
        with ScriptedModel() as model:
            agent = self.AGENT(place.root, home, model)
            model.then(
                [
                    [agent.reads("a.md")],
                    [agent.edits("a.md", "line 3\n", "LINE THREE, MUCH LOUDER\n")],
                    [agent.creates("new.md", "made while held\n")],
                    [says("Then I wait.")],
                ]
            )
            assert "Then I wait." in agent.turn("make it louder")
        assert place.on_disk() == start
        _, *refusals = model.tool_results()
        assert len(refusals) == 2
        assert all("Blueline is in hold mode" in str(refusal["content"]) for refusal in refusals)
        assert not any("-I -S" in str(refusal["content"]) for refusal in refusals)

        held = {hunk["path"]: hunk for hunk in place.blueline("list")["hunks"]}
        assert {path: hunk["status"] for path, hunk in held.items()} == {
            "a.md": "pending",
            "new.md": "pending",
        }
        place.blueline("accept", "--all")
        assert place.on_disk() == {
            **start,
            "a.md": (0o644, POEM.replace("line 3\n", "LINE THREE, MUCH LOUDER\n").encode()),
            "new.md": (0o644, b"made while held\n"),
        }
        assert place.blueline("list")["hunks"] == []

    def test_m04_a_subagent_works_for_the_turn_that_started_it(self, place: Place, home: Path) -> None:
        start = place.on_disk()
        with ScriptedModel() as model:
            agent = self.AGENT(place.root, home, model)
            part = [
                [agent.creates("part.md", "part\n")],
                [agent.runs("echo by the shell > shell.md")],
                [agent.reports("The part is done.")],
            ]
            model.aside("do the part", part)
            rest = [[agent.creates("own.md", "own\n")], [says("Done.")]]
            model.then(chain(agent.delegates("do the part"), rest))
            agent.turn("in parts")
        check_parts(place, start, {"part.md": "a1", "shell.md": "a1", "own.md": None})
        (turn,) = place.turns().values()
        (subagent,) = turn["subagents"]
        assert subagent["type"]
        assert "do the part" in subagent["description"]

    def test_init_says_what_the_person_has_to_do(self, tmp_path: Path) -> None:
        place = Place(tmp_path / "another", {"a.md": POEM})
        assert self.TRUST in place.init(self.AGENT.NAME)
