"""Reviews in real editors, with the configurations that the page gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.project import POEM, Project


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Only with `--editors`, which `make test-editors` installs first."""
    return None if config.getoption("editors") else True


@pytest.fixture
def p(tmp_path: Path) -> Project:
    found = Project(tmp_path, {"sub/a.md": POEM, "b.md": POEM})
    found.prompt("write numbers as words")
    found.edit("sub/a.md", "line 3\n", "line three\n")
    found.edit("sub/a.md", "line 9\nline 10\n", "")
    return found
