"""What reaches the model of the real Claude Code when somebody has decided about its changes."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from tests.support.agents.claude_code import ClaudeCode
from tests.support.agents.hearing import POEM, TAKEN_BACK, hears_at_its_next_turn, received
from tests.support.agents.place import BLUELINE, Place
from tests.support.scripted_model import ScriptedModel, says

PERSON = (
    *("env", f"PYTHONPATH={Path(__file__).parents[2]}"),
    *(sys.executable, "-m", "tests.support.apart", str(BLUELINE)),
)
"""Our command as a person would start it, though it is the agent that does: its word is none (rule D5)."""


@pytest.fixture
def place(tmp_path: Path) -> Place:
    place = Place(tmp_path / "project", {"a.md": POEM})
    place.init(ClaudeCode.NAME)
    return place


def test_the_model_hears_at_its_next_turn_what_was_decided_and_why(place: Place, home: Path) -> None:
    hears_at_its_next_turn(place, home, ClaudeCode)


def test_what_is_taken_back_while_the_turn_runs_keeps_it_from_ending_once(place: Place, home: Path) -> None:
    # The person decides while the agent runs a command of its own.
    reject = shlex.join([*PERSON, "reject", "a.md", "--reason", "not while I look"])
    with ScriptedModel() as model:
        agent = ClaudeCode(place.root, home, model)
        model.then(
            [
                [agent.reads("a.md")],
                [agent.edits("a.md", "line 3\n", "LINE THREE\n")],
                [agent.runs(f"{reject} >/dev/null")],
                [says("Done.")],
                [says("Understood: it stays as it was.")],
            ]
        )
        assert agent.turn("make it louder") == "Understood: it stays as it was.\n"
    assert len(model.requests) == 5
    assert TAKEN_BACK not in received(model.requests[3])
    assert TAKEN_BACK in received(model.requests[4])
    assert "| not while I look" in received(model.requests[4])
    assert (place.root / "a.md").read_text() == POEM


def test_a_rejection_that_waits_for_a_call_is_carried_out_at_its_end_and_told(
    place: Place, home: Path
) -> None:
    # A hook beside ours holds the second edit up until its beginning is known, and rejects the first.
    blueline = shlex.join(PERSON)
    (place.root / ".claude" / "meanwhile.sh").write_text(
        "#!/bin/sh\n"
        "grep -q LINE a.md || exit 0\n"
        f"until {blueline} list --by call --status all --json | grep -q '\"ended\": *null'; do :; done\n"
        f"{blueline} reject a.md:3-3 --reason 'while it writes' >&2\n"
    )
    command = f"sh {shlex.quote(str(place.root / '.claude' / 'meanwhile.sh'))}"
    hooks = [{"matcher": "Edit", "hooks": [{"type": "command", "command": command}]}]
    place.put(".claude/settings.json", json.dumps({"hooks": {"PreToolUse": hooks}}))
    with ScriptedModel() as model:
        agent = ClaudeCode(place.root, home, model)
        model.then(
            [
                [agent.reads("a.md")],
                [agent.edits("a.md", "line 3\n", "LINE THREE\n")],
                [agent.edits("a.md", "line 9\n", "LINE NINE\n")],
                [agent.reads("a.md")],
                [says("Done.")],
                [says("Understood.")],
            ]
        )
        assert agent.turn("make it louder") == "Understood.\n"
    verdicts = [one["verdict"] for one in place.blueline("log")["entries"] if one["kind"] == "decision"]
    assert verdicts == ["reject", "queued"]
    read = str(model.tool_results()[-1]["content"])
    assert "LINE THREE" not in read
    assert "LINE NINE" in read
    assert "| while it writes" in received(model.requests[5])
    assert (place.root / "a.md").read_text() == POEM.replace("line 9", "LINE NINE")
