"""Reviews in real editors, with the configurations that the page gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editors.real_editors import NEWER, NVIM
from tests.support.project import POEM, Project


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Only with `--editors`, which `make test-editors` installs first."""
    return None if config.getoption("editors") else True


@pytest.fixture(params=["nvim", str(NEWER / "nvim")], ids=["of the distribution", "newer"])
def each_neovim(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NVIM, request.param)


@pytest.fixture
def p(tmp_path: Path) -> Project:
    found = Project(tmp_path, {"sub/a.md": POEM, "b.md": POEM})
    found.prompt("write numbers as words")
    found.edit("sub/a.md", "line 3\n", "line three\n")
    found.edit("sub/a.md", "line 9\nline 10\n", "")
    return found
