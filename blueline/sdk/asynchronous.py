"""The same for programs that wait for many things at once: what touches the disk runs in a thread.

Methods have the arguments of those they are made from, and their docstrings.
"""

import asyncio
import inspect
import os
from collections.abc import AsyncIterable, Callable, Coroutine, Iterable, Mapping
from contextlib import AbstractContextManager
from functools import partial, wraps
from types import TracebackType
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, overload

from blueline.sdk.call import WatchedCall
from blueline.sdk.outcome import Outcome
from blueline.sdk.session import Session
from blueline.sdk.stream import Stream
from blueline.sdk.turn import AgentTurn, Path

Value = TypeVar("Value")
Given = ParamSpec("Given")
Sync = TypeVar("Sync", bound=AbstractContextManager[Any])


class Threaded(Generic[Sync]):
    """Something of the SDK, entered and left in a thread."""

    def __init__(self, sync: Sync) -> None:
        self._sync = sync

    async def __aenter__(self) -> Self:
        await asyncio.to_thread(self._sync.__enter__)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.to_thread(self._sync.__exit__, kind, error, trace)


def threaded(
    method: Callable[Concatenate[Sync, Given], Value],
) -> Callable[Concatenate[Threaded[Sync], Given], Coroutine[Any, Any, Value]]:
    """The method, run in a thread."""

    @wraps(method)
    async def run(self: Threaded[Sync], /, *args: Given.args, **options: Given.kwargs) -> Value:
        return await asyncio.to_thread(method, self._sync, *args, **options)

    return run


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

    async def __aenter__(self) -> Self:
        await self._stream()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        stream = await self._stream()
        await asyncio.to_thread(stream.__exit__, kind, error, trace)

    async def write(self, chunk: str, *, last: bool = False) -> None:
        """As `Stream.write`; whoever waits for a disk does so in a thread."""
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
        """As `Stream.close`: the outcome, once all is written."""
        return await asyncio.to_thread((await self._stream()).close)

    async def cancel(self) -> Outcome:
        """As `Stream.cancel`: the outcome of what was written so far."""
        return await asyncio.to_thread((await self._stream()).cancel)


def begun_later(
    method: Callable[Concatenate[Sync, Given], Stream],
) -> Callable[Concatenate[Threaded[Sync], Given], AsyncStream]:
    """The method, for `async with`: to begin a stream is to read a file."""

    @wraps(method)
    def stream(self: Threaded[Sync], /, *args: Given.args, **options: Given.kwargs) -> AsyncStream:
        return AsyncStream(partial(method, self._sync, *args, **options))

    return stream


class AsyncTurn(Threaded[AgentTurn]):
    """As `AgentTurn`, with what touches the disk in a thread."""

    edit_file = threaded(AgentTurn.edit_file)
    write_file = threaded(AgentTurn.write_file)
    propose_edit = threaded(AgentTurn.propose_edit)
    edit_cell = threaded(AgentTurn.edit_cell)
    add_cell = threaded(AgentTurn.add_cell)
    delete_cell = threaded(AgentTurn.delete_cell)
    stream = begun_later(AgentTurn.stream)

    def call(
        self, tool: str, *, paths: Iterable[Path] | None = None, call_id: str | None = None, command: str = ""
    ) -> Threaded[WatchedCall]:
        """As `Turn.call`, for `async with`."""
        return Threaded(self._sync.call(tool, paths=paths, call_id=call_id, command=command))

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


class AsyncSession(Threaded[Session]):
    """As `Session`, with what touches the disk in a thread."""

    close = threaded(Session.close)

    def __init__(
        self,
        root: str | os.PathLike[str],
        agent: str = "my-agent",
        conversation: str | None = None,
        *,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        super().__init__(Session(root, agent, conversation, environ=environ))
        self.root = self._sync.root
        self.agent = agent
        self.conversation = self._sync.conversation

    @property
    def mode(self) -> str:
        """How edits arrive just now: review, hold or direct."""
        return self._sync.mode

    def turn(self, prompt: str) -> AsyncTurn:
        """As `Session.turn`, for `async with`."""
        return AsyncTurn(self._sync.turn(prompt))

    def join(self) -> AsyncTurn:
        """As `Session.join`, for `async with`."""
        return AsyncTurn(self._sync.join())
