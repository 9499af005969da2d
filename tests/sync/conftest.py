"""A hub with its database, for machines to join."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.hub_process import Hub, machine, serving
from tests.support.postgresql import Server

__all__ = ["machine"]


@pytest.fixture
def hub(postgresql: Server, tmp_path: Path) -> Iterator[Hub]:
    home = tmp_path / "hub"
    home.mkdir()
    with serving(postgresql.database(), home) as hub:
        yield hub
