"""A state that an earlier version made is read by this one, and one that a later version made is left alone.

`tests/data/state-0.1.0.tar.gz` was made by the code as it was at the end of its first round (commit 0dc3d13),
with the tests' own project: two turns over four files, one of them a notebook, typing in between, four
decisions. What that version said of it is in `expected.json`.
"""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Any

import pytest

from blueline.journal.frames import EVENT
from blueline.kernel import disk
from tests.support.project import Project

ARCHIVE = Path(__file__).parents[1] / "data" / "state-0.1.0.tar.gz"
KEYS = ("id", "path", "kind", "status", "turn", "call", "old", "new")


class Upgraded(Project):
    """The project of the archive, put where a test may have it."""

    def __init__(self, base: Path) -> None:
        super().__init__(base)
        with tarfile.open(ARCHIVE) as archive:
            archive.extractall(base / "was", filter="data")
        self.expected: Any = json.loads((base / "was" / "expected.json").read_text())
        for source, target in ((base / "was" / "project", self.root), (base / "was" / "state", self.state)):
            for path in sorted(source.rglob("*")):
                place = target / path.relative_to(source)
                place.mkdir(exist_ok=True) if path.is_dir() else place.write_bytes(path.read_bytes())
        (self.state / "root").write_bytes(bytes(self.root.resolve()))
        self.state.chmod(0o700)


@pytest.fixture
def p(tmp_path: Path) -> Upgraded:
    return Upgraded(tmp_path)


@pytest.mark.parametrize("index", ["as it was", "missing"])
def test_it_says_what_the_version_before_said(p: Upgraded, index: str) -> None:
    if index == "missing":
        (p.state / "index.sqlite").unlink()
    assert [{key: hunk[key] for key in KEYS} for hunk in p.hunks()] == p.expected["hunks"]
    found = [[one["id"], one["verdict"], one["stands"]] for one in p.log("decision")]
    assert found == p.expected["decisions"]
    assert {name: p.text(name) for name in p.expected["files"]} == p.expected["files"]
    assert [one for one in p.check()["problems"] if not one["harmless"]] == []


def test_decisions_of_then_are_taken_back_and_new_ones_made(p: Upgraded) -> None:
    p.undo("d1")
    assert "new.py" in [hunk["path"] for hunk in p.hunks()]
    p.redo()
    p.prompt("go on")
    p.edit("src/a.py", "name = 'x'", "name = 'y'")
    p.reject(dependents="with")
    assert p.hunks() == []
    assert p.text("src/a.py") == "timeout = 30\nname = 'x'\n"
    assert "line 9, by hand\n" in p.text("poem.txt"), "what was typed then stays"


def test_a_later_format_is_refused_with_what_to_do_and_nothing_is_changed(p: Upgraded) -> None:
    p.hunks()
    (p.state / "format").write_bytes(b"blueline 99\n")
    before = {path: path.read_bytes() for path in p.state.rglob("*") if path.is_file()}
    for command in ("list", "status", "log"):
        done = p.command(command)
        assert done.returncode == 1
        assert "is in a format this version does not know" in done.stderr
        assert "hint: update Blueline" in done.stderr
    assert {path: path.read_bytes() for path in p.state.rglob("*") if path.is_file()} == before
    p.is_damaged = True


def test_a_fact_that_only_a_later_version_knows_is_refused_with_what_to_do(p: Upgraded) -> None:
    p.hunks()
    last = [frame.payload for frame in p.frames() if frame.kind == EVENT][-1]
    event = json.loads(last)
    event["n"] += 1
    event["facts"] = [
        [("mood.changed" if n == 0 else one) for n, one in enumerate(fact)] for fact in event["facts"]
    ]
    with p.journal.open("ab") as journal:
        journal.write(disk.frame(EVENT, json.dumps(event).encode()))
    done = p.command("list")
    assert done.returncode == 1
    assert "update Blueline" in done.stderr
    p.is_damaged = True
