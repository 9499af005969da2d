"""Folders, projects that are none, and projects that cannot be opened."""

from __future__ import annotations

from pathlib import Path

import pytest

from blueline import __version__
from tests.support.project import POEM, Project
from tests.surfaces.lsp.editor import Editor, Refused, editing


@pytest.fixture
def p(tmp_path: Path) -> Project:
    found = Project(tmp_path / "one", {"a.md": POEM})
    found.edit("a.md", "line 3\n", "line three\n")
    return found


@pytest.fixture
def other(p: Project, tmp_path: Path) -> Project:
    found = Project(tmp_path / "two", {"b.md": POEM})
    found.home, found.environ = p.home, p.environ
    from blueline.desk import state_folder

    found.state = state_folder.create(found.root, found.environ)
    found.edit("b.md", "line 5\n", "line five\n")
    return found


def test_several_folders(p: Project, other: Project) -> None:
    with editing(p, p.root, other.root) as editor:
        first, second = editor.open(p.root / "a.md"), editor.open(other.root / "b.md")
        assert first.wait_marks(len)[0]["message"].endswith("- line 3")
        assert second.wait_marks(len)[0]["message"].endswith("- line 5")
        with pytest.raises(Refused, match="which project"):
            editor.ask("blueline/status", {})
        second.act("Accept: ", 4)
        second.wait_marks(lambda marks: not marks)
        assert editor.ask("blueline/status", {"root": str(p.root)})["counts"]["hunks"] == 1
        assert editor.ask("blueline/status", {"root": str(other.root)})["counts"]["hunks"] == 0


def test_a_folder_that_comes_later_and_a_file_outside_all_folders(p: Project, other: Project) -> None:
    with editing(p, p.root) as editor:
        document = editor.open(other.root / "b.md")
        document.wait_marks(len)
        added = [{"uri": other.root.as_uri(), "name": "two"}]
        editor.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": added, "removed": []}})
        roots = [one["root"] for one in editor.ask("blueline/projects", {})["projects"]]
        assert roots == [str(p.root), str(other.root)]


def test_what_is_no_project_is_left_alone(p: Project, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    (plain / "x.md").write_text("x\n")
    with editing(p, plain) as editor:
        document = editor.open(plain / "x.md")
        document.change(0, 0, "y")
        assert document.actions(0) == []
        editor.notify("textDocument/didOpen", {"textDocument": {"uri": "untitled:1", "text": "z"}})
        with pytest.raises(Refused, match="not inside a Blueline project"):
            editor.ask("blueline/file", {"uri": document.uri})
        with pytest.raises(Refused, match="no file of this machine"):
            editor.ask("blueline/file", {"uri": "untitled:1"})
        assert editor.shown == []
        assert document.marks is None


def test_a_file_reached_through_a_link(p: Project, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(p.root)
    with editing(p) as editor:
        editor.open(tmp_path / "link" / "a.md").wait_marks(len)


def test_a_journal_that_is_damaged_is_read_behind_the_damage(p: Project) -> None:
    p.is_damaged = True
    assert len(p.hunks()) == 1
    journal = p.state / "journal"
    journal.write_bytes(journal.read_bytes()[:-40] + b"x" * 40)
    for name in ("index.sqlite", "index.sqlite-wal", "index.sqlite-shm"):
        (p.state / name).unlink(missing_ok=True)
    with editing(p) as editor:
        document = editor.open(p.root / "a.md")
        editor.wait(lambda: editor.news)
        document.actions(0)
        assert not editor.news[0]["gate"]["open"]


def test_a_state_folder_that_cannot_be_used_is_said_once(p: Project) -> None:
    p.is_damaged = True
    lock = p.state / "lock"
    lock.unlink(missing_ok=True)
    lock.mkdir()
    with editing(p) as editor:
        editor.open(p.root / "a.md")
        editor.wait(lambda: editor.shown)
        with pytest.raises(Refused, match="cannot write to the state folder"):
            editor.ask("blueline/status", {})
        assert "cannot write to the state folder" in editor.shown[0]
        lock.rmdir()
        editor.wait(lambda: editor.news)
        assert editor.ask("blueline/status", {})["counts"]["hunks"] == 1


def test_the_right_version_is_not_spoken_of(p: Project) -> None:
    with editing(p, draws=True, version=__version__) as editor:
        editor.ask("blueline/status", {})
        assert editor.shown == []


def test_an_editor_that_is_just_gone(p: Project) -> None:
    editor = Editor(p.environ, p.root)
    editor.begin(p.root)
    assert editor.process.stdin is not None
    editor.process.stdin.close()
    assert editor.process.wait(60) == 130
    assert editor.process.stdout is not None
    editor.process.stdout.close()
