"""What an agent says, taken in one after the other, in its order."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Protocol

from blueline.errors import BluelineError


class InboxReader(Protocol):
    """Whoever takes it in."""

    @property
    def patience(self) -> float | None:
        """How long what was taken in can wait for more; None if nothing waits."""

    async def take(self, said: object) -> None: ...
    async def flush(self) -> None: ...
    async def say(self, text: str) -> None: ...


class Inbox:
    """A queue, and the task that empties it."""

    def __init__(self, reader: InboxReader) -> None:
        self._reader = reader
        self._queue: asyncio.Queue[tuple[object, asyncio.Future[None] | None]] = asyncio.Queue()
        self._worker: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Begin to take in."""
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())

    def close(self) -> None:
        if self._worker is not None:
            self._worker.cancel()
            self._worker = None

    def put(self, said: object) -> None:
        self._queue.put_nowait((said, None))

    async def drain(self) -> None:
        """Wait until all that was said is taken in."""
        if self._worker is None or self._worker.done():
            return
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait((None, done))
        await asyncio.wait({done, self._worker}, return_when=asyncio.FIRST_COMPLETED)

    async def _work(self) -> None:
        while True:
            try:
                async with asyncio.timeout(self._reader.patience):
                    said, done = await self._queue.get()
            except TimeoutError:
                await self._reader.flush()
                continue
            try:
                await self._reader.take(said)
            except BluelineError as error:
                # The disk is full, say. The turn goes on, and what was not kept is said.
                with contextlib.suppress(BluelineError):
                    await self._reader.say(f"{error} ({error.hint})")
            finally:
                if done is not None and not done.done():
                    done.set_result(None)
