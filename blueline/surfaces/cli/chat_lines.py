"""Lines that somebody types, without keeping anything else from happening."""

from __future__ import annotations

import asyncio
import os
from typing import TextIO

CHUNK = 1 << 16


class TypedLines:
    """Standard input, line by line. Waiting for a line can be broken off."""

    def __init__(self, stream: TextIO | None) -> None:
        self._fd = stream.fileno() if stream is not None else -1
        self.is_terminal = stream is not None and stream.isatty()
        self._buffer = b""
        self._is_over = stream is None

    async def next(self) -> str | None:
        """The next line, without its end; None after the last."""
        while b"\n" not in self._buffer and not self._is_over:
            await self._readable()
            chunk = os.read(self._fd, CHUNK)
            self._buffer += chunk
            self._is_over = not chunk
        if not self._buffer:
            return None
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line.decode("utf-8", "replace")

    async def _readable(self) -> None:
        loop = asyncio.get_running_loop()
        ready = asyncio.Event()
        try:
            loop.add_reader(self._fd, ready.set)
        except PermissionError:  # a file, which can always be read
            return
        try:
            await ready.wait()
        finally:
            loop.remove_reader(self._fd)
