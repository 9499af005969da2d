"""Connections: not too many, and none that never comes to its request."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_CONNECTIONS = 256
"""A browser uses six, and one for each stream of events."""

REQUEST_SECONDS = 5.0
"""How long a connection may be open without a whole request."""

LONGEST_HEAD = 32 << 10
"""Bytes of a request before its body."""


class Door(H11Protocol):
    """As uvicorn's own, which waits for ever for the rest of a request."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the connection; when there are too many, the one that has been idle for longest goes."""
        super().connection_made(transport)
        self._since = self.loop.time()
        self._wait()
        if len(self.connections) > MOST_CONNECTIONS:
            # Whoever came last may well be the person; whoever has asked for nothing for longest is not.
            others = [one for one in self.connections if isinstance(one, Door) and one.is_idle]
            min(others, key=lambda one: one._since, default=self).transport.abort()

    @property
    def is_idle(self) -> bool:
        """Whether nothing was asked that is not answered yet."""
        return self.conn.their_state is h11.IDLE and not self.transport.is_closing()

    def _wait(self) -> None:
        self.loop.call_later(REQUEST_SECONDS, self._look)

    def _look(self) -> None:
        if self.transport.is_closing():
            return
        if self.is_idle and self.loop.time() - self._since >= REQUEST_SECONDS:
            self.transport.close()
        else:
            self._wait()

    def on_response_complete(self) -> None:
        """The next request of the same connection may take as long again."""
        self._since = self.loop.time()
        super().on_response_complete()
