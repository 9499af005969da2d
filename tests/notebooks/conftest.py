"""A notebook of three cells, about to be changed."""

from pathlib import Path

import pytest

from tests.support.notebooks import NAME, dumped, three
from tests.support.project import Project


@pytest.fixture
def p(tmp_path: Path) -> Project:
    found = Project(tmp_path, {NAME: dumped(three())})
    found.prompt()
    return found
