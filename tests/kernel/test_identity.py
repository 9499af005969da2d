"""A project is known by its id, not by its path (rule D7)."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from blueline.desk import state_folder
from blueline.desk.state_folder import find
from blueline.kernel import identity
from tests.support.project import Project
from tests.support.systems import needs_attributes

REPOSITORIES = pytest.mark.parametrize(
    "project", ["git", pytest.param("both", marks=needs_attributes)], indirect=True
)


@pytest.fixture(params=["git", *(pytest.param(name, marks=needs_attributes) for name in ("folder", "both"))])
def project(tmp_path: Path, request: pytest.FixtureRequest) -> Project:
    """With one change undecided; in a repository, and without one."""
    made = Project(tmp_path, {"a.md": "one\n", "b.md": "two\n"})
    if request.param != "folder":
        made.git("init", "-q")
        made.git("add", "-A")
        made.git("commit", "-qm", "start")
    if request.param == "git":
        # Otherwise it became a repository when it had its id already.
        identity.give(os.fsencode(made.state), os.fsencode(made.root))
        if identity.HAS_ATTRIBUTES:
            os.removexattr(made.root, identity.ATTRIBUTE)
    made.prompt()
    made.edit("a.md", "one\n", "ONE\n")
    assert len(made.hunks()) == 1
    return made


def at(project: Project, root: Path) -> Project:
    """The same person in another folder."""
    project.root = root
    project.state = find(root, project.environ)[1]
    return project


def test_a_folder_that_was_moved_finds_its_state(project: Project, tmp_path: Path) -> None:
    former = project.state
    (hunk,) = project.hunks()
    project.root.rename(tmp_path / "elsewhere")
    moved = at(project, tmp_path / "elsewhere")
    assert [one["id"] for one in moved.hunks()] == [hunk["id"]]
    assert not former.exists()
    moved.reject(hunk["id"])
    assert moved.text("a.md") == "one\n"


def test_a_hook_finds_it_too_and_goes_on_there(project: Project, tmp_path: Path) -> None:
    """The agent is first in the new place, before any command."""
    project.root.rename(tmp_path / "elsewhere")
    moved = at(project, tmp_path / "elsewhere")
    call = moved.call("Edit", "b.md", old_string="two\n", new_string="TWO\n")
    assert moved.hook(moved.before(call))[0] == 0
    moved.put("b.md", "TWO\n")
    assert moved.hook(moved.after(call))[0] == 0
    assert sorted(one["path"] for one in moved.hunks()) == ["a.md", "b.md"]


def test_a_folder_that_was_copied_has_a_state_of_its_own(project: Project, tmp_path: Path) -> None:
    subprocess.run(["cp", "-a", str(project.root), str(tmp_path / "copy")], check=True)
    original, state = project.root, project.state
    copy = at(project, tmp_path / "copy")
    (hunk,) = copy.hunks()
    copy.reject(hunk["id"])
    assert copy.text("a.md") == "one\n"
    assert identity.id_of(os.fsencode(copy.root)) != identity.id_of(os.fsencode(original))
    back = at(project, original)
    assert back.state == state
    assert (back.text("a.md"), len(back.hunks())) == ("ONE\n", 1)
    # And the copy can be moved, without being taken for the original.
    (tmp_path / "copy").rename(tmp_path / "third")
    assert at(project, tmp_path / "third").hunks() == []
    assert len(at(project, original).hunks()) == 1


@REPOSITORIES
def test_a_clone_carries_no_id(project: Project, tmp_path: Path) -> None:
    project.git("add", "-A", "-f")
    project.git("commit", "-qm", "all")
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(project.root), str(clone)], check=True)
    assert identity.id_of(os.fsencode(clone)) == b""
    assert at(project, clone).hunks() == []


@REPOSITORIES
def test_a_worktree_shares_nothing_undecided(project: Project, tmp_path: Path) -> None:
    original = project.root
    project.git("worktree", "add", "-q", str(tmp_path / "tree"))
    (tmp_path / "tree" / ".blueline").mkdir(exist_ok=True)
    assert at(project, tmp_path / "tree").hunks() == []
    assert len(at(project, original).hunks()) == 1


def test_a_state_that_was_deleted_is_said(project: Project) -> None:
    shutil.rmtree(project.state)
    project.is_damaged = True
    assert project.hunks() == []
    said = project.command("list").stdout
    assert said.startswith("Nothing that is known of: records are lost, and nobody can say of which files.\n")
    with project.desk() as desk:
        reasons = [one for one in desk.gate()["reasons"] if one["code"] == "corrupt-state"]
    assert "records are lost, and nobody can say of which files" in reasons[0]["message"]
    project.accept()
    with project.desk() as desk:
        assert "corrupt-state" not in [one["code"] for one in desk.gate()["reasons"]]


def test_a_removed_mark_in_a_folder_below_leaves_no_ghost(project: Project) -> None:
    below = project.root / "src"
    below.mkdir()
    state_folder.create(below, project.environ)
    assert find(below, project.environ)[0] == below
    shutil.rmtree(below / ".blueline")
    assert find(below, project.environ)[0] == project.root


def test_without_its_mark_a_project_is_still_one(project: Project) -> None:
    shutil.rmtree(project.root / ".blueline")
    assert find(project.root, project.environ) == (project.root, project.state)
