"""What happens, as it happens: one stream for each browser, to be taken up again where it broke off."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from typing import NamedTuple

from starlette.responses import StreamingResponse

from blueline.desk import Desk
from blueline.errors import BluelineError
from blueline.surfaces.web.answer import Document, as_json
from blueline.surfaces.web.project import Project

HEARTBEAT_SECONDS = 15
RETRY_MS = 1000
"""How long a browser waits before it takes a broken stream up again."""

REMEMBERED = 2000
"""News that a stream can be taken up behind. Behind older ones, it is told to look at everything."""

REST = 4
"""After a look because of files, that many times its duration passes before the next such look."""

FAILED_SECONDS = 2.0

Report = Callable[[BaseException], str]


class News(NamedTuple):
    """What became known at once."""

    before: int
    """The version before it."""
    version: int
    files: frozenset[str]
    turns: frozenset[str]


class Live:
    """Follows one project: whoever listens is told what is new."""

    def __init__(self, project: Project, report: Report) -> None:
        self._project = project
        self._report = report
        self._news: deque[News] = deque(maxlen=REMEMBERED)
        self._cursor: int | None = None
        self._status: Document = {}
        self._failure: Document | None = None
        self._changed = asyncio.Condition()
        self._is_due = asyncio.Event()
        self._stop = threading.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Begin to follow."""
        loop = asyncio.get_running_loop()
        records, files = self._records(), self._files()
        for source in (records, files):
            thread = threading.Thread(target=self._listen, args=(source, loop), daemon=True)
            thread.start()
        self._is_due.set()
        self._tasks.append(loop.create_task(self._follow()))

    async def close(self) -> None:
        """Stop, and end all streams."""
        self._stop.set()
        for task in self._tasks:
            task.cancel()
        async with self._changed:
            self._changed.notify_all()

    def _records(self) -> Iterator[object]:
        return Desk.records(self._project.state, self._stop)

    def _files(self) -> Iterator[object]:
        """Hints of the file system. Something that writes all the time is not looked at all the time."""
        for hint in Desk.hints(self._project.root, self._stop):
            yield hint
            self._stop.wait(REST * self._project.seconds)

    def _listen(self, source: Iterator[object], loop: asyncio.AbstractEventLoop) -> None:
        for _ in source:
            if self._stop.is_set():
                return
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._is_due.set)

    async def _follow(self) -> None:
        while True:
            await self._is_due.wait()
            self._is_due.clear()
            try:
                found = await self._project.ask(lambda desk: desk.workbench.since(self._cursor))
            except Exception as error:
                await self._fail(error)
                continue
            await self._learn(found)

    async def _fail(self, error: Exception) -> None:
        """The project cannot be opened just now: say so, and try again soon."""
        if isinstance(error, BluelineError):
            failure = {"error": str(error), "hint": error.hint}
        else:
            failure = {"error": "a bug in Blueline", "hint": self._report(error)}
        async with self._changed:
            # Said once, not again with every try.
            self._failure = self._failure if self._failure == failure else failure
            self._changed.notify_all()
        await asyncio.sleep(FAILED_SECONDS)
        self._is_due.set()

    async def _learn(self, found: Document) -> None:
        before, self._cursor = self.version, found["cursor"]
        self._status = {name: found[name] for name in ("version", "counts", "gate", "mode")}
        if before == found["version"] and self._failure is None:
            return
        async with self._changed:
            self._failure = None
            files, turns = frozenset(found["files"]), frozenset(found["turns"])
            self._news.append(News(before, found["version"], files, turns))
            self._changed.notify_all()

    @property
    def version(self) -> int:
        return int(self._status.get("version", -1))

    def stream(self, after: int | None) -> StreamingResponse:
        """A stream for one browser, from a version on; without one, from now on."""
        headers = {"X-Accel-Buffering": "no"}
        return StreamingResponse(self._events(after), media_type="text/event-stream", headers=headers)

    async def _events(self, after: int | None) -> AsyncIterator[bytes]:
        yield b"retry: %d\n\n" % RETRY_MS
        known = after
        told: Document | None = None
        while not self._stop.is_set():
            if self._failure is not None and self._failure is not told:
                told = self._failure
                yield b"event: failed\ndata: %s\n\n" % as_json(told)
            is_over = told is not None and self._failure is None
            if self._status and (known != self.version or is_over):
                document = self._since(known)
                known, told = self.version, self._failure
                yield b"id: %d\nevent: changed\ndata: %s\n\n" % (known, as_json(document))
            if not await self._wait(known, told):
                yield b": still here\n\n"

    async def _wait(self, known: int | None, told: Document | None) -> bool:
        """Wait for something new; False if there was nothing for a while."""

        def is_new() -> bool:
            is_news = bool(self._status) and known != self.version
            return self._stop.is_set() or is_news or self._failure is not told

        try:
            async with asyncio.timeout(HEARTBEAT_SECONDS), self._changed:
                await self._changed.wait_for(is_new)
        except TimeoutError:
            return False
        return True

    def _since(self, known: int | None) -> Document:
        """All that became known behind a version, at once."""
        if known is None:
            return {**self._status, "files": [], "turns": [], "everything": False}
        news = [one for one in self._news if one.version > known]
        # Behind what is remembered, or a journal that was put back: nobody knows what changed.
        everything = known > self.version or not news or news[0].before > known or news[0].before < 0
        files = sorted(set().union(*(one.files for one in news)))
        turns = sorted(set().union(*(one.turns for one in news)))
        return {**self._status, "files": files, "turns": turns, "everything": everything}
