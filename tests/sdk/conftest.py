"""A project for an agent of somebody's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.support.project import Make, Project
from tests.support.unsynced import patches


@pytest.fixture(autouse=True)
def unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    for patch in patches():
        monkeypatch.setattr(*patch)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Make]:
    """Makes a project with some files; at the end of the test, what is stored has to hold together."""
    made: list[Project] = []

    def make(files: Mapping[str, str | bytes] | None = None) -> Project:
        made.append(Project(tmp_path / f"{len(made)}", files))
        return made[-1]

    yield make
    for one in made:
        one.assert_sound()
