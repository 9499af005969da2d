"""The projects that have a state folder on this machine."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from blueline.desk import known_projects
from tests.support.project import Project


def test_each_is_known_with_its_folder_until_it_is_forgotten(tmp_path: Path) -> None:
    project = Project(tmp_path, {"a.md": "one\n"})
    project.prompt()
    (project.state.parent / "reports").mkdir()
    (found,) = known_projects.known(project.environ)
    assert (found.key, found.root, found.is_there) == (project.state.name, str(project.root), True)
    assert found.size > 0
    shutil.rmtree(project.root)
    assert not known_projects.known(project.environ)[0].is_there
    assert known_projects.named(found.key, project.environ).root == str(project.root)
    known_projects.forget(known_projects.named(str(project.root), project.environ))
    assert known_projects.known(project.environ) == []
    with pytest.raises(known_projects.NoSuchProject):
        known_projects.named(found.key, project.environ)


def test_where_nothing_was_ever_recorded_nothing_is_known(tmp_path: Path) -> None:
    assert known_projects.known({"XDG_STATE_HOME": str(tmp_path / "none")}) == []
