"""A project to play a scenario in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from blueline.desk.state_folder import Lock
from tests.support.project import Make, Project
from tests.support.unsynced import patches


@pytest.fixture(autouse=True)
def unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    for patch in patches():
        monkeypatch.setattr(*patch)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody here lets go of a lock while another waits for it."""
    monkeypatch.setattr(Lock, "PATIENCE_SECONDS", 0)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Make]:
    """Makes a project with some files; at the end of the test, what is stored has to hold together."""
    made: list[Project] = []

    def make(files: Mapping[str, str | bytes] | None = None) -> Project:
        made.append(Project(tmp_path / f"{len(made)}", files))
        return made[-1]

    yield make
    for one in made:
        if not one.is_damaged:
            one.assert_sound()
