"""A question to the index that waits for nobody."""

from __future__ import annotations

from pathlib import Path

from blueline.journal.index_tally import tally
from tests.support.project import Project


def test_what_is_undecided_and_what_runs(tmp_path: Path) -> None:
    p = Project(tmp_path / "odd?name#here%20", {"a.py": "x\n"})
    index = str(p.state / "index.sqlite")
    assert tally(index) is None
    p.prompt()
    p.edit("a.py", "x", "y")
    p.hunks()
    size = (p.state / "journal").stat().st_size
    assert tally(index) == (1, 1, size)
    p.stop()
    p.accept()
    assert (tally(index) or ())[:2] == (0, 0)


def test_what_is_no_index_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "index.sqlite").write_bytes(b"not a database, but long enough to be looked at" * 50)
    assert tally(str(tmp_path / "index.sqlite")) is None
