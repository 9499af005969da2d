"""A project with something to review, and the workbench that serves it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.gate.conftest import make, yard
from tests.support.project import POEM, Project
from tests.support.workbench import Browser, Workbench, running

__all__ = ["make", "yard"]


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    made = Project(tmp_path, {"poem.txt": POEM, "src/a.py": "one\ntwo\nthree\n"})
    made.prompt("make it louder")
    made.edit("poem.txt", "line 5\n", "LINE 5\n")
    made.edit("poem.txt", "line 12\n", "LINE 12\n")
    made.stop()
    yield made
    if not made.is_damaged:
        made.assert_sound()


@pytest.fixture
def workbench(project: Project) -> Iterator[Workbench]:
    with running(project) as served:
        yield served


@pytest.fixture
def browser(workbench: Workbench) -> Browser:
    return workbench.enter()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """One server for all that changes nothing."""
    project = Project(tmp_path_factory.mktemp("guarded"), {"poem.txt": POEM})
    project.prompt()
    project.edit("poem.txt", "line 5\n", "LINE 5\n")
    with running(project) as workbench:
        yield workbench


@pytest.fixture(scope="module")
def known(served: Workbench) -> Browser:
    return served.enter()
