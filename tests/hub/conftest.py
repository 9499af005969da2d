"""A real PostgreSQL, one for all tests of a worker, and an empty database for each."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.postgresql import Server, running


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    with running() as server:
        yield server


@pytest.fixture
def address(postgresql: Server) -> str:
    """Of an empty database."""
    return postgresql.database()
