"""What the tests of the forge share."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.forge.ground import BASE, Ground, run_git
from tests.forge.pending_place import Place, hosted
from tests.forge.standin import StandIn, serving


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What every test starts from; made once, because git takes its time."""
    base = tmp_path_factory.mktemp("template")
    remote, clone = base / "remote.git", base / "clone"
    run_git(base, "init", "-q", "--bare", str(remote))
    run_git(base, "clone", "-q", str(remote), str(clone))
    for path, content in BASE.items():
        (clone / path).parent.mkdir(parents=True, exist_ok=True)
        (clone / path).write_text(content)
    run_git(clone, "add", "-A")
    run_git(clone, "commit", "-q", "-m", "start")
    run_git(clone, "push", "-q", "origin", "HEAD:main")
    run_git(clone, "config", "user.name", "Grace")
    run_git(clone, "config", "user.email", "grace@example.org")
    return base


@pytest.fixture
def ground(tmp_path: Path, template: Path) -> Iterator[Ground]:
    for name in ("remote.git", "clone"):
        shutil.copytree(template / name, tmp_path / name)
    clone, remote = tmp_path / "clone", tmp_path / "remote.git"
    run_git(clone, "remote", "set-url", "origin", str(remote))
    with serving(StandIn(remote)) as github:
        github.issue(5)
        yield Ground(tmp_path, github, clone)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with hosted(tmp_path) as made:
        yield made
