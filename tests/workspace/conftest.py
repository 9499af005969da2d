"""Ground to write on, and the yard of the reviews, to ask what would ship."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gate.conftest import make, yard
from tests.support.workspace import Ground

__all__ = ["make", "yard"]


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path)
