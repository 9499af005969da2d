"""What the page shows: changes in a project, changes in a notebook, and the workbench that serves each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.notebooks import LOUDER, NAME, dumped, notebook_edit, three
from tests.support.project import Project
from tests.support.workbench import Browser, running
from tests.surfaces.web.conftest import browser, project, workbench

__all__ = ["browser", "project", "workbench"]


@pytest.fixture
def p(tmp_path: Path) -> Project:
    found = Project(tmp_path, {NAME: dumped(three())})
    found.prompt()
    notebook_edit(found, "load", LOUDER)
    return found


@pytest.fixture
def reader(p: Project) -> Iterator[Browser]:
    with running(p) as served:
        yield served.enter()
