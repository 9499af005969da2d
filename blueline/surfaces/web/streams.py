"""Streams of events: as many as a person's pages need, and not so many that nothing else gets in."""

from __future__ import annotations

import asyncio
from collections import deque

from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_STREAMS = 32
"""Of one browser. When there are more, the oldest ends: a page that is still there takes it up again."""

ENDING = "/events"


class Streams:
    """Stands before the routes, behind the guard: whoever comes here has the cookie of this run."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._open: deque[asyncio.Future[None]] = deque()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].endswith(ENDING):
            await self._app(scope, receive, send)
            return
        has_begun = False

        async def watched(message: Message) -> None:
            nonlocal has_begun
            has_begun = has_begun or message["type"] == "http.response.start"
            await send(message)

        stream = asyncio.ensure_future(_run(self._app, scope, receive, watched))
        self._open.append(stream)
        if len(self._open) > MOST_STREAMS:
            self._open.popleft().cancel()
        try:
            await asyncio.wait([stream])
        finally:
            if stream in self._open:
                self._open.remove(stream)
            was_ended = not stream.done() or stream.cancelled()
            stream.cancel()
        if was_ended and has_begun:
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        elif not was_ended:
            stream.result()


async def _run(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    await app(scope, receive, send)
