"""The same for programs that wait for many things at once: what touches the disk runs in a thread."""

import asyncio
import inspect
import os
from collections.abc import AsyncIterable, Callable, Coroutine, Iterable, Mapping
from functools import partial
from types import TracebackType
from typing import Any, TypeVar, overload

from blueline.sdk.call import WatchedCall
from blueline.sdk.outcome import Outcome
from blueline.sdk.session import Session
from blueline.sdk.stream import Place, Stream
from blueline.sdk.turn import AgentTurn, Path

Value = TypeVar("Value")


class AsyncSession:
    """As `Session`."""

    def __init__(
        self,
        root: str | os.PathLike[str],
        agent: str = "my-agent",
        conversation: str | None = None,
        *,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self._session = Session(root, agent, conversation, environ=environ)
        self.root = self._session.root
        self.agent = agent
        self.conversation = self._session.conversation

    @property
    def mode(self) -> str:
        """How edits arrive just now: review, hold or direct."""
        return self._session.mode

    async def __aenter__(self) -> "AsyncSession":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def turn(self, prompt: str) -> "AsyncTurn":
        """As `Session.turn`, for `async with`."""
        return AsyncTurn(self._session.turn(prompt))

    def join(self) -> "AsyncTurn":
        """As `Session.join`."""
        return AsyncTurn(self._session.join())

    async def close(self) -> None:
        """The agent leaves."""
        await asyncio.to_thread(self._session.close)


class AsyncTurn:
    """As `Turn`."""

    def __init__(self, turn: AgentTurn) -> None:
        self._turn = turn

    async def __aenter__(self) -> "AsyncTurn":
        await asyncio.to_thread(self._turn.__enter__)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.to_thread(self._turn.__exit__, kind, error, trace)

    async def edit_file(
        self, path: Path, old: str, new: str, replace_all: bool = False, *, call_id: str | None = None
    ) -> Outcome:
        """As `Turn.edit_file`."""
        return await asyncio.to_thread(self._turn.edit_file, path, old, new, replace_all, call_id=call_id)

    async def write_file(self, path: Path, content: str, *, call_id: str | None = None) -> Outcome:
        """As `Turn.write_file`."""
        return await asyncio.to_thread(self._turn.write_file, path, content, call_id=call_id)

    async def propose_edit(
        self, path: Path, old: str, new: str, reason: str, *, call_id: str | None = None
    ) -> Outcome:
        """As `Turn.propose_edit`."""
        return await asyncio.to_thread(self._turn.propose_edit, path, old, new, reason, call_id=call_id)

    async def edit_cell(
        self, path: Path, cell: str, source: str, reason: str = "", *, call_id: str | None = None
    ) -> Outcome:
        """As `Turn.edit_cell`."""
        return await asyncio.to_thread(self._turn.edit_cell, path, cell, source, reason, call_id=call_id)

    async def add_cell(
        self,
        path: Path,
        source: str,
        after: str = "",
        kind: str = "code",
        reason: str = "",
        *,
        call_id: str | None = None,
    ) -> Outcome:
        """As `Turn.add_cell`."""
        add = self._turn.add_cell
        return await asyncio.to_thread(add, path, source, after, kind, reason, call_id=call_id)

    async def delete_cell(
        self, path: Path, cell: str, reason: str = "", *, call_id: str | None = None
    ) -> Outcome:
        """As `Turn.delete_cell`."""
        return await asyncio.to_thread(self._turn.delete_cell, path, cell, reason, call_id=call_id)

    @overload
    async def execute(
        self,
        tool: str,
        function: Callable[..., Coroutine[Any, Any, Value]],
        *args: Any,
        paths: Iterable[Path] | None = None,
        call_id: str | None = None,
        **options: Any,
    ) -> Value: ...

    @overload
    async def execute(
        self,
        tool: str,
        function: Callable[..., Value],
        *args: Any,
        paths: Iterable[Path] | None = None,
        call_id: str | None = None,
        **options: Any,
    ) -> Value: ...

    async def execute(
        self,
        tool: str,
        function: Callable[..., Any],
        *args: Any,
        paths: Iterable[Path] | None = None,
        call_id: str | None = None,
        **options: Any,
    ) -> Any:
        """As `Turn.execute`. A coroutine function is awaited here, any other function runs in a thread."""
        async with self.call(tool, paths=paths, call_id=call_id):
            if inspect.iscoroutinefunction(function):
                return await function(*args, **options)
            return await asyncio.to_thread(function, *args, **options)

    def call(
        self, tool: str, *, paths: Iterable[Path] | None = None, call_id: str | None = None
    ) -> "AsyncCall":
        """As `Turn.call`, for `async with`."""
        return AsyncCall(self._turn.call(tool, paths=paths, call_id=call_id))

    def stream(
        self,
        path: Path | None = None,
        *,
        call_id: str | None = None,
        at: Place = "end",
        replace: str = "",
        tool: str = "stream_file",
    ) -> "AsyncStream":
        """As `Turn.stream`, for `async with`."""
        begin = self._turn.stream
        return AsyncStream(partial(begin, path, call_id=call_id, at=at, replace=replace, tool=tool))


class AsyncCall:
    """As `Call`."""

    def __init__(self, call: WatchedCall) -> None:
        self._call = call

    async def __aenter__(self) -> "AsyncCall":
        await asyncio.to_thread(self._call.__enter__)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.to_thread(self._call.__exit__, kind, error, trace)


class AsyncStream:
    """As `Stream`. It begins with `async with`, or when it is first used."""

    def __init__(self, begin: Callable[[], Stream]) -> None:
        self._begin = begin
        self._begun: Stream | None = None

    @property
    def outcome(self) -> Outcome | None:
        """None while it is open."""
        return self._begun.outcome if self._begun else None

    async def _stream(self) -> Stream:
        if self._begun is None:
            self._begun = await asyncio.to_thread(self._begin)
        return self._begun

    async def __aenter__(self) -> "AsyncStream":
        await self._stream()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        stream = await self._stream()
        await asyncio.to_thread(stream.__exit__, kind, error, trace)

    async def write(self, chunk: str, *, last: bool = False) -> None:
        """As `Stream.write`."""
        stream = await self._stream()
        # Most pieces only wait for the next write, which is not worth a thread.
        is_due = stream.take(chunk)
        if last:
            await self.close()
        elif is_due:
            await asyncio.to_thread(stream.flush)

    async def pour(self, chunks: AsyncIterable[str]) -> None:
        """As `Stream.pour`, for pieces that `async for` gives."""
        async for chunk in chunks:
            await self.write(chunk)

    async def close(self) -> Outcome:
        """As `Stream.close`."""
        return await asyncio.to_thread((await self._stream()).close)

    async def cancel(self) -> Outcome:
        """As `Stream.cancel`."""
        return await asyncio.to_thread((await self._stream()).cancel)
