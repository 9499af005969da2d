"""An empty database for each test."""

from __future__ import annotations

import pytest

from tests.support.postgresql import Server


@pytest.fixture
def address(postgresql: Server) -> str:
    """Of an empty database."""
    return postgresql.database()
