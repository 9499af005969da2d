"""The real Claude Code, led by a scripted model: /review and /ship, to an open gate and to a closed one."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.support.agents.claude_code import ClaudeCode
from tests.support.agents.hearing import received
from tests.support.agents.place import BLUELINE, Place
from tests.support.scripted_model import Answer, ScriptedModel, calls, says

LOOPS = '\n[review.loops.1]\ncommands = ["test ! -e BROKEN"]\n'


@pytest.fixture
def place(tmp_path: Path) -> Place:
    place = Place(tmp_path / "project", {"a.md": "one\n", "b.md": "two\n"})
    place.init(ClaudeCode.NAME)
    config = place.root / ".blueline" / "config.toml"
    config.write_text(config.read_text() + LOOPS)
    place.put(".gitignore", ".claude/settings.local.json\n")
    place.git("add", "--all")
    place.git("commit", "-qm", "under review")
    subprocess.run(["git", "init", "-q", "--bare", str(tmp_path / "remote.git")], check=True)
    place.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    place.git("push", "-q", "-u", "origin", "main")
    place.blueline("trust", place.blueline("review", "--preview")["config"])
    return place


def blueline(*words: str) -> str:
    return shlex.join([str(BLUELINE), *words])


def delegates(agent: str, about: str) -> dict[str, object]:
    return calls("Task", subagent_type=agent, description=about, prompt=about, run_in_background=False)


def loop(agent: ClaudeCode, number: int, *commands: str) -> list[Answer]:
    """The command delegates a loop; the sub-agent runs its commands, and ends."""
    return [
        [delegates("quality-checker", f"Loop {number}")],
        *([agent.runs(command)] for command in commands),
        [says(f"Loop {number} is done.")],
    ]


def there(place: Place) -> str:
    words = ["git", "ls-remote", "origin", "refs/heads/main"]
    return subprocess.run(words, cwd=place.root, capture_output=True, text=True, check=True).stdout[:40]


def head(place: Place) -> str:
    words = ["git", "rev-parse", "HEAD"]
    return subprocess.run(words, cwd=place.root, capture_output=True, text=True, check=True).stdout.strip()


def test_review_and_ship_through_an_open_gate(place: Place, home: Path) -> None:
    with ScriptedModel() as model:
        agent = ClaudeCode(place.root, home, model)
        model.then([[agent.reads("a.md")], [agent.edits("a.md", "one\n", "ONE\n")], [says("Done.")]])
        agent.turn("make it louder")
        place.blueline("accept", "--all")

        before = len(model.requests)
        report = ("loop", "record")
        model.then(
            [
                *loop(
                    agent,
                    1,
                    blueline("review", "--yes", "--loops", "1", "--json"),
                    blueline(*report, "1", "--passed"),
                ),
                *loop(agent, 2, blueline(*report, "2", "--passed", "--issue", "warning: no tests")),
                *loop(agent, 3, blueline(*report, "3", "--passed")),
                *loop(agent, 4, blueline(*report, "4", "--passed")),
                [agent.runs(blueline("gate", "--json"))],
                [says("The gate is open.")],
            ]
        )
        assert agent.turn("/review") == "The gate is open.\n"
        asked = received(model.requests[before])
        # The hook brought the plan, the command its instructions, and neither has run anything.
        assert "Blueline: /review" in asked
        assert "test ! -e BROKEN" in asked
        assert "Proceed with review? (yes/no)" in asked
        # The loops were run by sub-agents of their own.
        checkers = [one for one in model.requests if "You run exactly one loop of a review" in received(one)]
        assert len(checkers) == 4 + 5
        assert place.blueline("gate")["open"]
        reports = place.blueline("gate")["loops"]
        assert [one["by"] for one in reports] == ["claude-code"] * 4

        before = len(model.requests)
        model.then(
            [
                [delegates("git-agent", "Ship what was approved")],
                [agent.runs(blueline("ship", "--json"))],
                [says("It has landed.")],
                [says("Shipped.")],
            ]
        )
        assert agent.turn("/ship") == "Shipped.\n"
        assert "Ship gate: APPROVED" in received(model.requests[before])
        assert "You ship what the person has reviewed" in received(model.requests[before + 1])
    assert there(place) == head(place)
    landed = subprocess.run(
        ["git", "show", "origin/main:a.md"], cwd=place.root, capture_output=True, check=True
    )
    assert landed.stdout == b"ONE\n"


def test_a_closed_gate_blocks_ship_and_says_why(place: Place, home: Path) -> None:
    with ScriptedModel() as model:
        agent = ClaudeCode(place.root, home, model)
        model.then([[agent.reads("a.md")], [agent.edits("a.md", "one\n", "ONE\n")], [says("Done.")]])
        agent.turn("make it louder")
        place.put("BROKEN", "")
        before = there(place)

        model.then(
            [
                *loop(
                    agent,
                    1,
                    blueline("review", "--yes", "--loops", "1", "--json"),
                    # A report does not stand for a command that failed.
                    blueline("loop", "record", "1", "--passed"),
                ),
                *(
                    answer
                    for n in (2, 3, 4)
                    for answer in loop(agent, n, blueline("loop", "record", str(n), "--passed"))
                ),
                [says("Reviewed.")],
            ]
        )
        agent.turn("/review")
        at = len(model.requests)
        # Somebody who does not listen: the gate is asked again by whoever ships.
        model.then([[agent.runs(blueline("ship", "--json"))], [says("It is blocked.")]])
        assert agent.turn("/ship") == "It is blocked.\n"
        said = received(model.requests[at])
        assert "Ship gate: BLOCKED" in said
        assert "loop 1 (builds and basic checks) failed" in said
        assert "1 change in 1 file is undecided" in said
        result = json.loads(json.dumps(model.tool_results()[-1]["content"]))
        assert "the gate is closed" in str(result)
    assert there(place) == before
    assert [one["code"] for one in place.try_blueline("gate")[1]["reasons"]] == ["loop-failed", "undecided"]


def test_an_agent_can_neither_trust_nor_override(place: Place, home: Path) -> None:
    with ScriptedModel() as model:
        agent = ClaudeCode(place.root, home, model)
        override = blueline("gate", "override", "--reason", "I am sure", "--expires", "1h")
        model.then([[agent.runs(f"{override}; {blueline('trust', '0' * 64)}")], [says("No.")]])
        agent.turn("open the gate yourself")
        assert str(model.tool_results()[-1]["content"]).count("a person has to") == 2
    assert not place.try_blueline("gate")[1]["open"]
