"""What waits in a project that nobody has open."""

from __future__ import annotations

from pathlib import Path

from blueline.desk.inbox import NOTHING, look, waiting
from tests.support.project import Project
from tests.support.several import work_tree


def test_it_says_how_much_and_since_when(tmp_path: Path) -> None:
    project = Project(tmp_path, {"a.txt": "one\n", "b.txt": "one\n"})
    project.prompt()
    with project.desk() as desk:
        assert waiting(project.root, desk.list())[:2] == (NOTHING.counts, "")
    project.edit("b.txt", "one\n", "two\n")
    project.edit("a.txt", "one\n", "two\n")
    with project.desk() as desk:
        found = waiting(project.root, desk.list())
        first = min(hunk["at"] for hunk in desk.list()["hunks"])
    assert (found.counts["hunks"], found.counts["files"], found.since) == (2, 2, first)
    assert (found.branch, found.repository) == (None, str(project.root))


def test_what_the_index_knows_is_not_asked_again(tmp_path: Path) -> None:
    project = Project(tmp_path, {"a.txt": "one\n"})
    with project.desk() as desk:
        known = desk.list()

    def opened(root: Path) -> object:
        raise AssertionError(f"{root} was opened")

    assert look(project.root, lambda root: known, opened) is known  # type: ignore[arg-type]


def test_work_trees_of_one_repository_are_of_one(tmp_path: Path) -> None:
    project = Project(tmp_path / "first", {"a.txt": "one\n"})
    project.git("init", "-q", "-b", "main")
    project.git("add", "a.txt")
    project.git("commit", "-q", "-m", "one")
    tree = work_tree(project, tmp_path / "second", "other")
    with project.desk() as desk, tree.desk() as other:
        found = [waiting(one.root, one.list()) for one in (desk, other)]
    assert found[0].repository == found[1].repository
    assert [one.branch for one in found] == ["main", "other"]
