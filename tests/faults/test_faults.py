"""A little of what `make test-faults` does, and that it would notice."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults import crowd, kills
from tests.faults.work import Done, Failure, decide, edit, examine, typed
from tests.support.project import Project
from tests.support.systems import lacking, needs_root


def test_kills_lose_nothing(tmp_path: Path) -> None:
    for part in (kills.at_random(tmp_path, random.Random(1)), kills.at_calls(tmp_path, random.Random(2))):
        assert [next(part) for _ in range(3)]


@needs_root
def test_power_cuts_lose_nothing() -> None:
    words = ["--kills", "0", "--recorders", "0", "--cuts", "2", "--seed", "3"]
    done = subprocess.run([sys.executable, "-m", "tests.faults", *words], capture_output=True, text=True)
    if why := re.search("^no power cuts: (.*)", done.stdout, re.MULTILINE):
        lacking(why[1])
    assert done.stdout.splitlines()[1:] == [
        "     2 power cuts",
        "0 acknowledged lost, 0 doubled, 0 files damaged",
    ]


def test_a_crowd_loses_nothing(tmp_path: Path) -> None:
    done = list(crowd.crowd(tmp_path, 4, edits=6))
    assert done.count("edits in a crowd") == 4 * 6
    assert "decisions in a crowd" in done


@pytest.fixture
def worked(tmp_path: Path) -> tuple[Project, list[Done]]:
    project, chance = kills.made(tmp_path), random.Random(5)
    project.prompt()
    known = [edit(project, "1", chance), typed(project, "2", chance), edit(project, "3", chance)]
    project.hunks()
    if done := decide(project, "", random.Random(6)):
        known.append(done)
    examine(project, known)
    project.is_damaged = True
    return project, known


def _unrecorded(project: Project, known: list[Done]) -> None:
    known.append(known[0]._replace(name="agent 9\n", raw=b"{}"))


def _doubled(project: Project, known: list[Done]) -> None:
    project.record(known[0].raw)


def _undecided(project: Project, known: list[Done]) -> None:
    known.append(Done("decision", "d99"))


def _untyped(project: Project, known: list[Done]) -> None:
    for path in ("a.md", "deep/b.md", "c.md"):
        project.put(path, project.text(path).replace(known[1].name, ""))


def _damaged(project: Project, known: list[Done]) -> None:
    project.put("c.md", project.text("c.md").replace("line 3\n", ""))


@pytest.mark.parametrize("harm", [_unrecorded, _doubled, _undecided, _untyped, _damaged])
def test_whatever_is_lost_doubled_or_damaged_is_noticed(
    worked: tuple[Project, list[Done]], harm: object
) -> None:
    assert callable(harm)
    harm(*worked)
    with pytest.raises(Failure):
        examine(*worked)
