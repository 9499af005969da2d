"""Records that hooks wrote: what can be read is taken in, and the rest is told."""

from __future__ import annotations

from pathlib import Path

from blueline.journal.frames import OBSERVATION
from blueline.journal.log import Journal
from tests.support.project import POEM, Project


def test_a_record_that_cannot_be_read_is_told_and_the_others_are_taken_in(tmp_path: Path) -> None:
    p = Project(tmp_path, {"a.md": POEM})
    p.prompt()
    Journal(p.state / "journal").append(OBSERVATION, b"blueline-observation 99\nat 1\n\n{}")
    p.edit("a.md", "line 3\n", "THREE\n")
    with p.desk() as desk:
        assert [hunk["new"] for hunk in desk.list()["hunks"]] == ["THREE\n"]
        assert any("cannot be read" in warning for warning in desk.warnings)


def test_many_records_are_many_events_and_each_is_taken_in_once(tmp_path: Path) -> None:  # A15
    p = Project(tmp_path, {"a.md": POEM})
    p.prompt()
    for number in (3, 4, 5):
        p.edit("a.md", f"line {number}\n", f"NEW {number}\n")
    first = p.hunks()
    assert len(first) == 3
    (p.state / "index.sqlite").unlink()
    assert p.hunks() == first
