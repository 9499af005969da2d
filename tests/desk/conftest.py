"""The yard of the reviews: a project with loops; and projects without."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from blueline.desk import disk_look
from tests.gate.conftest import make, yard
from tests.scenarios.conftest import project
from tests.support.project import POEM, Project

__all__ = ["make", "project", "yard"]


@pytest.fixture
def p(tmp_path: Path) -> Iterator[Project]:
    """One with a pending hunk, and all of it in order at the end."""
    made = Project(tmp_path, {"a.md": POEM, "b.md": POEM})
    made.prompt()
    made.edit("a.md", "line 3\n", "THREE\n")
    yield made
    made.assert_sound()


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    """However few files there are, they count as many: only those are looked at that were hinted at."""
    monkeypatch.setattr(disk_look, "FEW", 0)
