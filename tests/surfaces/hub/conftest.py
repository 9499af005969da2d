"""A hub with its database, for strangers and machines to ask: one for all of them, as they are strangers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.hub_process import Hub, machine, serving
from tests.support.postgresql import Server

__all__ = ["machine"]


@pytest.fixture(scope="module")
def database(postgresql: Server) -> str:
    return postgresql.database()


@pytest.fixture(scope="module")
def hub(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    with serving(database, tmp_path_factory.mktemp("hub")) as hub:
        yield hub


@pytest.fixture(scope="module")
def other_hub(hub: Hub, database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    """Another process on the same database."""
    with serving(database, tmp_path_factory.mktemp("other-hub")) as other:
        yield other
