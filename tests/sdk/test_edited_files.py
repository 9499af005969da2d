"""The files of a project: compared, then replaced."""

from __future__ import annotations

import os

import pytest

from blueline.sdk import EditRefused
from blueline.workspace.tree import Tree
from tests.sdk.agents import agent
from tests.support.project import POEM, Make


def test_a_new_file_goes_with_its_folders(project: Make) -> None:
    p = project()
    with agent(p).turn("please") as turn:
        turn.write_file("new/deep/a.md", "made\n")
        turn.edit_file("b.md", "", "also made\n")
    assert p.text("new/deep/a.md") == "made\n"
    assert p.text("b.md") == "also made\n"
    assert {hunk["kind"] for hunk in p.hunks()} == {"create"}
    p.reject()
    assert not p.exists("new")
    assert not p.exists("b.md")


def test_a_link_to_a_file_inside_means_that_file(project: Make) -> None:
    p = project({"a.md": "one\n"})
    (p.root / "link.md").symlink_to("a.md")
    with agent(p).turn("please") as turn:
        assert turn.edit_file("link.md", "one", "two").path == "a.md"
    assert p.text("a.md") == "two\n"
    assert (p.root / "link.md").is_symlink()


def test_a_file_that_is_open_for_writing_elsewhere_is_left_alone(project: Make) -> None:
    p = project({"a.md": POEM})
    refused = pytest.raises(EditRefused, match="open for writing")
    with open(p.root / "a.md", "r+b"), agent(p).turn("please") as turn, refused:
        turn.edit_file("a.md", "line 3", "LINE 3")
    assert p.text("a.md") == POEM
    assert p.hunks() == []


def test_a_new_file_has_the_mode_that_new_files_have(project: Make) -> None:
    p = project()
    before = os.umask(0o027)
    try:
        with agent(p).turn("please") as turn:
            turn.write_file("a.md", "x")
    finally:
        os.umask(before)
    assert p.mode("a.md") == 0o640


def test_what_a_killed_agent_left_behind_is_cleared_away(
    project: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    p = project({"a.md": POEM})

    class Killed(BaseException):
        pass

    def die(*args: object, **options: object) -> None:
        raise Killed

    monkeypatch.setattr("blueline.workspace.landing.Landing.land", die)
    monkeypatch.setattr("blueline.workspace.staging.Staged.discard", lambda self: None)
    with pytest.raises(Killed), agent(p).turn("please") as turn:
        turn.edit_file("a.md", "line 3", "LINE 3")
    monkeypatch.undo()
    assert len(list(p.root.glob(".blueline-*.tmp"))) == 1
    assert p.hunks() == []
    assert p.text("a.md") == POEM
    assert list(p.root.glob(".blueline-*.tmp")) == []


def test_files_are_written_by_the_tree_alone(project: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    p = project({"a.md": POEM})
    written: list[str] = []
    replace = Tree.replace

    def watched(self: Tree, writes: object, *args: object, **options: object) -> object:
        written.extend(write.path for write in writes)  # type: ignore[attr-defined]
        return replace(self, writes, *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Tree, "replace", watched)
    with agent(p).turn("please") as turn:
        turn.edit_file("a.md", "line 3", "LINE 3")
        turn.write_file("b.md", "x")
        turn.stream("c.md").write("y", last=True)
    assert written == ["a.md", "b.md", "c.md"]
