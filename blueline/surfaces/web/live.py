"""What happens, as it happens: one stream for each browser, to be taken up again where it broke off."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, NamedTuple

from starlette.responses import StreamingResponse

from blueline.errors import BluelineError
from blueline.surfaces.web.project import Project
from blueline.surfaces.web.responses import as_json

if TYPE_CHECKING:
    from blueline.contract.conversations import ChatNews
    from blueline.contract.hub import AskedDocument
    from blueline.contract.overview import FailureDocument, FollowedDocument, NewsDocument

HEARTBEAT_SECONDS = 15
RETRY_MS = 1000
"""How long a browser waits before it takes a broken stream up again."""

REMEMBERED = 2000
"""News that a stream can be taken up behind. Behind older ones, it is told to look at everything."""

Report = Callable[[BaseException], str]


class News(NamedTuple):
    """What became known at once."""

    before: int
    """The version before it."""
    version: int
    files: frozenset[str]
    turns: frozenset[str]


class Live:
    """What became known of one project, for whoever listens."""

    def __init__(self, project: Project, report: Report) -> None:
        self._project = project
        self._report = report
        self._news: deque[News] = deque(maxlen=REMEMBERED)
        self._status: FollowedDocument | None = None
        self._failure: FailureDocument | None = None
        self._chat: ChatNews | None = None
        """How far each conversation has come; None as long as there are none."""
        self._asked: AskedDocument | None = None
        """At a hub: what people asked of the machine."""
        self.on_turns: Callable[[], None] | None = None
        """Is called when something became known of turns."""
        self._changed = asyncio.Event()
        """Set when there is something new, and then replaced by another one."""
        self._is_over = False
        self._streams = 0

    @property
    def is_idle(self) -> bool:
        """Whether nobody listens, and no conversation is held."""
        return not self._streams and self.on_turns is None

    def start(self) -> None:
        """Follow the project for as long as it is open."""
        loop = asyncio.get_running_loop()
        self._project.follow(
            lambda news: _soon(loop, self._learn, news), lambda error: _soon(loop, self._fail, error)
        )

    def close(self) -> None:
        """End all streams, so that the server can stop."""
        self._is_over = True
        self._wake()

    def tell_chat(self, conversations: dict[str, int]) -> None:
        """Conversations have come this far."""
        self._chat = {"conversations": conversations}
        self._wake()

    def tell_asked(self, asked: AskedDocument) -> None:
        """What people asked of the machine stands like this now."""
        if asked != self._asked:
            self._asked = asked
            self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def _fail(self, error: Exception | None) -> None:
        """The project cannot be opened just now: say so, once and not with every try."""
        if error is None:
            if self._failure is not None:
                self._failure = None
                self._wake()
            return
        if isinstance(error, BluelineError):
            failure: FailureDocument = {"error": str(error), "hint": error.hint}
        else:
            failure = {"error": "a bug in Blueline", "hint": self._report(error)}
        if self._failure is None or self._failure["error"] != failure["error"]:
            self._failure = failure
            self._wake()

    def _learn(self, found: FollowedDocument) -> None:
        before = self.version
        self._status = found
        files, turns = frozenset(found["files"]), frozenset(found["turns"])
        self._news.append(News(before, found["version"], files, turns))
        if turns and self.on_turns is not None:
            self.on_turns()
        self._wake()

    @property
    def version(self) -> int:
        return -1 if self._status is None else self._status["version"]

    def stream(self, after: int | None) -> StreamingResponse:
        """A stream for one browser, from a version on; without one, from now on."""
        headers = {"X-Accel-Buffering": "no"}
        return StreamingResponse(self._events(after), media_type="text/event-stream", headers=headers)

    async def _events(self, after: int | None) -> AsyncIterator[bytes]:
        self._streams += 1
        try:
            async for event in self._told(after):
                yield event
        finally:
            self._streams -= 1

    async def _told(self, after: int | None) -> AsyncIterator[bytes]:
        yield b"retry: %d\n\n" % RETRY_MS
        known = after
        told: FailureDocument | None = None
        chat: ChatNews | None = None
        asked: AskedDocument | None = None
        while not self._is_over:
            failure = self._failure
            if failure is not None and failure is not told:
                yield b"event: failed\ndata: %s\n\n" % as_json(failure)
            is_over = told is not None and failure is None
            told = failure
            if self._chat is not chat:
                chat = self._chat
                yield b"event: chat\ndata: %s\n\n" % as_json(chat)
            if self._asked is not asked:
                asked = self._asked
                yield b"event: asked\ndata: %s\n\n" % as_json(asked)
            if self._status is not None and (known != self.version or is_over):
                document = self._since(known, self._status)
                known = self.version
                yield b"id: %d\nevent: changed\ndata: %s\n\n" % (known, as_json(document))
            if self._chat is chat and self._asked is asked and not await self._wait(known, told):
                yield b": still here\n\n"

    async def _wait(self, known: int | None, told: FailureDocument | None) -> bool:
        """Wait for something new; False if there was nothing for a while."""
        is_news = self._status is not None and known != self.version
        if is_news or self._is_over or self._failure is not told:
            return True
        try:
            await asyncio.wait_for(self._changed.wait(), HEARTBEAT_SECONDS)
        except TimeoutError:
            return False
        return True

    def _since(self, known: int | None, status: FollowedDocument) -> NewsDocument:
        """All that became known behind a version, at once."""
        if known is None:
            return _news(status, [], [], everything=False)
        news = [one for one in self._news if one.version > known]
        # Behind what is remembered, or a journal that was put back: nobody knows what changed.
        everything = known > self.version or not news or news[0].before > known or news[0].before < 0
        files = sorted(set().union(*(one.files for one in news)))
        turns = sorted(set().union(*(one.turns for one in news)))
        return _news(status, files, turns, everything=everything)


class Lives:
    """Those who follow projects: one for each that somebody looks at."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._live: dict[str, Live] = {}

    def of(self, project: Project) -> Live:
        """Whoever follows a project: from now on, if nobody did."""
        if project.id not in self._live:
            self._live[project.id] = Live(project, self._report)
            self._live[project.id].start()
        return self._live[project.id]

    def tell_asked(self, identifier: str, asked: AskedDocument) -> None:
        """To those who follow a project, if anybody does."""
        if (found := self._live.get(identifier)) is not None:
            found.tell_asked(asked)

    def rest(self, project: Project) -> bool:
        """Let go of a project, unless somebody follows it."""
        live = self._live.get(project.id)
        if live is not None and not live.is_idle:
            return False
        if live is not None:
            del self._live[project.id]
            live.close()
        return True

    def drop(self, identifier: str) -> None:
        """End the streams of a project that is closed. Whoever takes them up again has it opened."""
        if (found := self._live.pop(identifier, None)) is not None:
            found.close()

    def close(self) -> None:
        """End the streams of all projects: nobody who listens would be told otherwise."""
        for one in self._live.values():
            one.close()


def _news(status: FollowedDocument, files: list[str], turns: list[str], *, everything: bool) -> NewsDocument:
    return {
        "version": status["version"],
        "counts": status["counts"],
        "gate": status["gate"],
        "mode": status["mode"],
        "files": files,
        "turns": turns,
        "everything": everything,
    }


def _soon(loop: asyncio.AbstractEventLoop, act: Callable[..., object], *given: object) -> None:
    """Have something done in the loop, from another thread."""
    with contextlib.suppress(RuntimeError):  # the loop has ended
        loop.call_soon_threadsafe(act, *given)
