"""Files that came from elsewhere are put into the project, and nowhere else."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from blueline.adapters import interpret
from blueline.desk import state_folder
from blueline.desk.laid_out import LaidOut, lay_out
from blueline.journal.frames import Frame
from blueline.journal.log import Journal
from blueline.kernel import disk
from tests.support.project import Project

NAME = "aaaaaa/b.txt"


def restored(machine: Project, here: Path, path: str) -> LaidOut:
    """What comes of a journal in which a hub has put another path in the place of one."""
    state = state_folder.create(here, machine.environ)
    shutil.copytree(machine.state / "blobs", state / "blobs", dirs_exist_ok=True)
    with (state / "journal").open("wb") as file:
        for one in Journal(machine.journal).read():
            assert isinstance(one, Frame)
            file.write(disk.frame(one.kind, one.payload.replace(NAME.encode(), path.encode())))
    return lay_out(here, state, interpret)


@pytest.fixture
def machine(tmp_path: Path) -> Project:
    machine = Project(tmp_path / "machine", {NAME: "one\n"})
    machine.edit(NAME, "one", "two")
    machine.hunks()
    return machine


def test_a_file_is_put_where_the_journal_says(machine: Project, tmp_path: Path) -> None:
    here = tmp_path / "elsewhere" / "here"
    here.mkdir(parents=True)

    assert restored(machine, here, "bbbbbb/c.txt").written == ["bbbbbb/c.txt"]

    assert (here / "bbbbbb/c.txt").read_text() == "two\n"


@pytest.mark.parametrize(
    "path", ["../outside", "x/../../outside", "/{}/outside", "link/outside", ".git/hooks/x"]
)
def test_no_file_is_put_outside(machine: Project, tmp_path: Path, path: str) -> None:
    outside = tmp_path / "elsewhere"
    here = outside / "here"
    here.mkdir(parents=True)
    (here / ".git").mkdir()
    os.symlink(outside, here / "link")

    made = restored(machine, here, path.format(outside))

    assert (made.written, made.left) == ([], [path.format(outside)])
    assert not (outside / "outside").exists()
    assert not (here / ".git/hooks/x").exists()
