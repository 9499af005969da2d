"""Who wrote which line, from the weave."""

from __future__ import annotations

from pathlib import Path

from blueline.review.line_authors import line_authors
from tests.support.project import Project


def authors(p: Project, path: str) -> list[tuple[str, bool]]:
    """For each line who it is by, and whether it is undecided."""
    with p.desk() as desk:
        file = desk._project.store.ledger.file_at(path)
    assert file is not None
    found: list[tuple[str, bool]] = []
    for author in line_authors(file):
        operation = file.operations[author.operation]
        found.append((operation.actor.kind if author.operation else "", author.pending))
    return found


def test_the_last_who_put_something_on_a_line(tmp_path: Path) -> None:
    p = Project(tmp_path, {"a.txt": "one\ntwo\nthree\nfour"})
    p.prompt()
    p.edit("a.txt", "two", "two and a half")
    p.edit("a.txt", "four", "four and more")
    p.sub("a.txt", "three", "three, by hand")
    assert authors(p, "a.txt") == [("", False), ("agent", True), ("external", False), ("agent", True)]
    p.accept("a.txt:2")
    assert authors(p, "a.txt")[1] == ("agent", False)


def test_a_line_by_two_is_the_later_ones(tmp_path: Path) -> None:
    p = Project(tmp_path, {"a.txt": "call(one, two)\n"})
    p.prompt()
    p.edit("a.txt", "one", "ONE")
    p.sub("a.txt", "two", "TWO")
    assert authors(p, "a.txt") == [("external", True)]


def test_what_was_only_deleted_leaves_the_line_to_others(tmp_path: Path) -> None:
    p = Project(tmp_path, {"a.txt": "one two\nthree\n"})
    p.prompt()
    p.edit("a.txt", " two", "")
    assert authors(p, "a.txt") == [("", False), ("", False)]
