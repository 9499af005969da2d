"""What happened, as git would say it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.project import POEM, Project


@pytest.fixture
def p(tmp_path: Path) -> Project:
    made = Project(tmp_path, {"a.py": "x\n", "poem.txt": POEM})
    made.environ["TZ"] = "UTC"
    made.prompt("be loud\n\nand proud")
    made.edit("a.py", "x", "X")
    made.edit("poem.txt", "line 5\n", "LINE 5\n")
    made.stop()
    made.prompt("be quiet")
    made.edit("poem.txt", "line 9\n", "\n")
    made.stop()
    made.reject("a.py", reason="too loud")
    return made


def test_a_paragraph_each_newest_first_with_calls_below_their_turn(p: Project) -> None:
    shown = p.command("log").stdout
    heads = [line for line in shown.splitlines() if line.startswith(("turn", "decision", "call"))]
    assert heads == ["decision d1", "turn t2", "turn t1"]
    (decision,) = p.log("decision")
    assert f"Verdict: reject 1 hunk in a.py\nBy:      {decision['by']}\nDate:    " in shown
    assert "\n    too loud\n" in shown
    assert "\n    be loud\n\n    and proud\n\n    c1  Edit a.py\n    c2  Edit poem.txt\n" in shown


def test_a_line_each(p: Project) -> None:
    lines = p.command("log", "--oneline").stdout.splitlines()
    assert [line.split()[2] for line in lines[:6]] == ["d1", "c3", "t2", "c2", "c1", "t1"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["a.py"], ["d1", "c1", "t1"]),
        (["--turn", "t2"], ["c3", "t2"]),
        (["--agent", "codex"], []),
        (["--since", "1h", "poem.txt"], ["c3", "t2", "c2", "t1"]),
        (["--since", "2999-01-01"], []),
    ],
)
def test_only_what_somebody_wants_to_know(p: Project, words: list[str], expected: list[str]) -> None:
    with_json = p.command("log", *words, "--json")
    import json

    assert [one["id"] for one in json.loads(with_json.stdout)["entries"]] == expected
