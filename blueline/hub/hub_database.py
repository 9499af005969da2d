"""PostgreSQL: where all that a hub knows is kept, but for large contents if it has object storage."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import psycopg
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from blueline.errors import BluelineError
from blueline.hub import schema
from blueline.hub.object_storage import ObjectStorage

MOST_CONNECTIONS = 10
PATIENCE_SECONDS = 10.0


class DatabaseAway(BluelineError):
    """PostgreSQL does not answer. Nothing was changed, or nobody knows: whoever asked may ask again."""


class CannotBeKept(BluelineError):
    """Text that PostgreSQL has no place for: a zero byte, half of a character, a number beyond all bounds."""


class HubDatabase:
    """Connections to one database, and steps that happen wholly or not at all."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.objects: ObjectStorage | None = None
        self._pool = AsyncConnectionPool(
            address, min_size=1, max_size=MOST_CONNECTIONS, timeout=PATIENCE_SECONDS, open=False
        )

    async def upgrade(self) -> tuple[int, int]:
        """Bring the tables up; the version before and after."""
        with _said():
            async with await AsyncConnection.connect(self.address, autocommit=True) as connection:
                return await schema.upgrade(connection)

    async def open(self) -> None:
        """Begin to connect. A database that is away for a moment keeps nobody from starting."""
        await self._pool.open()

    async def close(self) -> None:
        await self._pool.close()

    @asynccontextmanager
    async def step(self) -> AsyncIterator[AsyncConnection]:
        """A connection for one transaction, which is undone if anything in it fails."""
        with _said():
            async with self._pool.connection() as connection:
                yield connection


@contextmanager
def _said() -> Iterator[None]:
    """Failures of the connection, in words."""
    try:
        yield
    except (psycopg.OperationalError, PoolTimeout) as error:
        first = str(error).strip().splitlines()
        raise DatabaseAway(
            f"the database does not answer: {first[0] if first else type(error).__name__}",
            hint="see that PostgreSQL runs and that the address of --database is right, then try again",
        ) from error
    except (psycopg.DataError, UnicodeEncodeError) as error:
        raise CannotBeKept(
            "what was sent cannot be kept", hint="leave out zero bytes, and what is no text"
        ) from error
