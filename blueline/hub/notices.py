"""Word from one process of the hub to the others that something is new in a project."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import psycopg
from psycopg import AsyncConnection

CHANNEL = "blueline"
AGAIN_AFTER_SECONDS = 1.0


async def tell(connection: AsyncConnection, project: str) -> None:
    """Let all processes know, once this transaction is true."""
    await connection.execute("SELECT pg_notify(%s, %s)", [CHANNEL, project])


class Notices:
    """Wakes whoever waits for something in a project. What is new they look up: word may come for nothing,
    or come too late when the database was away, and is then made up for."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._waiting: dict[str, asyncio.Event] = {}
        self._task: asyncio.Task[None] | None = None

    def next(self, project: str) -> asyncio.Event:
        """Is set with the next word about a project. To be asked for before looking."""
        return self._waiting.setdefault(project, asyncio.Event())

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        self._wake_all()

    async def _run(self) -> None:
        while True:
            with suppress(psycopg.OperationalError):
                async with await AsyncConnection.connect(self._address, autocommit=True) as connection:
                    await connection.execute(f"LISTEN {CHANNEL}".encode())
                    # Nobody knows what was missed.
                    self._wake_all()
                    async for word in connection.notifies():
                        self._wake(word.payload)
            await asyncio.sleep(AGAIN_AFTER_SECONDS)

    def _wake(self, project: str) -> None:
        if (event := self._waiting.pop(project, None)) is not None:
            event.set()

    def _wake_all(self) -> None:
        for project in [*self._waiting]:
            self._wake(project)
