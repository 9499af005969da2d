"""The yard of the reviews: a project with loops; and projects without."""

import pytest

from blueline.desk import disk_look
from tests.gate.conftest import make, yard
from tests.scenarios.conftest import project

__all__ = ["make", "project", "yard"]


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    """However few files there are, they count as many: only those are looked at that were hinted at."""
    monkeypatch.setattr(disk_look, "FEW", 0)
