"""Where a project's state is kept: who may read it, and what is said if we may not."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from blueline.desk.state_folder import unusable
from tests.support.project import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path, {"a.md": "one\n"})
    made.prompt()
    made.edit("a.md", "one", "two")
    made.stop()
    made.hunks()
    return made


def modes(folder: Path) -> set[str]:
    return {f"{stat.S_IMODE(one.lstat().st_mode):o}" for one in (folder, *folder.rglob("*"))}


def test_widened_modes_are_put_right_and_said(project: Project) -> None:
    assert modes(project.state) == {"700", "600"}
    for one in (project.state, *project.state.rglob("*")):
        one.chmod(0o755 if one.is_dir() else 0o644)
    done = project.command("status")
    assert "other accounts could get at" in done.stderr
    assert "(mode 755)" in done.stderr
    assert modes(project.state) == {"700", "600"}
    assert "other accounts" not in project.command("status").stderr


# Root may do anything, unless it gives that up.
POWERLESS = ["setpriv", "--bounding-set", "-all", "--inh-caps", "-all"] if os.geteuid() == 0 else []


@pytest.mark.parametrize(
    ("part", "mode"), [("", 0o500), ("", 0o000), ("blobs", 0o000), ("lock", 0o000), ("journal", 0o400)]
)
@pytest.mark.parametrize(
    "words", [["status"], ["list"], ["gate"], ["init", "--yes", "--agent", "claude-code"]]
)
def test_a_state_that_may_not_be_used_is_no_bug(
    project: Project, part: str, mode: int, words: list[str]
) -> None:
    place = project.state / part
    before = place.stat().st_mode
    place.chmod(mode)
    try:
        done = subprocess.run(
            [*POWERLESS, sys.executable, "-m", "blueline", *words],
            cwd=project.root,
            env=project.environ,
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        place.chmod(before)
    assert done.returncode in (0, 1, 10), done
    assert "a bug in Blueline" not in done.stderr
    if done.returncode == 1:
        assert "Permission denied" in done.stderr


def test_only_what_the_system_denies_of_the_state_is_said_so(tmp_path: Path) -> None:
    environ = {"XDG_STATE_HOME": str(tmp_path)}
    inside = tmp_path / "blueline" / "x" / "journal"
    denied = OSError(errno.EACCES, "Permission denied", str(inside))
    assert "Permission denied" in str(unusable(denied, environ))
    assert unusable(OSError(errno.EACCES, "no", bytes(inside)), environ)
    for other in (
        OSError(errno.EACCES, "no", str(tmp_path / "elsewhere")),
        OSError(errno.EACCES, "no", 3),
        OSError(errno.EACCES, "no"),
        OSError(errno.ENOENT, "no", str(inside)),
    ):
        assert unusable(other, environ) is None
