"""What recording needs of the machine."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pygit2
import pytest

from blueline.desk import household
from tests.support.project import Project
from tests.support.systems import needs_root


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path, {"a.md": "one\n"})


def test_all_of_it_is_there(project: Project) -> None:
    found = [*household.looked_at(project.root, project.state)]
    assert [one.about for one in found] == ["state", "disk", "clock", "git", "watcher"]
    assert all(one.ok and not one.hint for one in found)


def test_a_state_folder_that_is_gone_open_to_others_or_a_file_is_said(project: Project) -> None:
    project.state.chmod(0o755)
    found = household.folder(project.state)
    assert (found.ok, found.hint) == (False, f"chmod 700 {project.state}")
    shutil.rmtree(project.state)
    assert household.folder(project.state).hint == "blueline init"
    project.state.write_text("")
    assert "cannot be written to" in household.folder(project.state).says


def test_a_disk_that_is_nearly_full_is_said(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(household, "LEAST_FREE", 1 << 60)
    found = household.space(project.state)
    assert (found.ok, found.hint) == (False, "make room")


def test_a_clock_that_went_back_is_said(project: Project) -> None:
    now = 1_800_000_000 * 10**9
    project.record(project.event("UserPromptSubmit", prompt="later"), at_ns=now)
    assert household.clock(project.state, now).ok
    found = household.clock(project.state, now - 3600 * 10**9)
    assert (found.ok, found.says) == (False, "the clock is 3,600 seconds behind the last record")


@needs_root
def test_a_repository_of_another_owner_is_not_to_be_removed(project: Project) -> None:
    pygit2.init_repository(str(project.root))
    for folder, _, names in os.walk(project.root):
        for name in (".", *names):
            os.chown(os.path.join(folder, name), 12345, 12345)
    found = household.repository(project.root)
    assert not found.ok
    assert found.hint.endswith(f"git config --global --add safe.directory {project.root}")
    with project.desk() as desk:
        (reason,) = (one for one in desk.gate()["reasons"] if one["code"] == "corrupt-state")
    assert reason["hint"] == found.hint
