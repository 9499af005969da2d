"""JSON-RPC as the Language Server Protocol frames it, on two pipes: both sides ask, and both answer.

Messages are read in a thread of their own, so that a client which writes is never kept waiting; all else
happens in one loop. Notifications are taken in the order in which they came; a request waits for nobody.
"""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, BinaryIO

from blueline.errors import BluelineError
from blueline.model.ids import whole_number

LONGEST_MESSAGE = 256 << 20
LONGEST_HEADER = 4096
END_OF_HEADER = b"\r\n\r\n"
READ_AT_ONCE = 1 << 16

NOT_JSON, NOT_A_REQUEST, NO_SUCH_METHOD, WRONG_PARAMETERS, BUG = -32700, -32600, -32601, -32602, -32603
"""Codes of JSON-RPC."""
MOVED_ON, REFUSED = -32801, -32803
"""Codes of the Language Server Protocol: a text has changed meanwhile; what was asked for cannot be done."""

Message = dict[str, Any]
OnRequest = Callable[[str, "Given"], Awaitable[object]]
OnNotification = Callable[[str, "Given"], None]
Report = Callable[[BaseException], str]
"""Writes a report of a bug; where."""


class Unanswerable(Exception):
    """A request that gets an error of the protocol for an answer."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data


class Given:
    """What came with a message. Nothing in it is trusted to be what it should be."""

    def __init__(self, values: object) -> None:
        self._values: Mapping[str, Any] = values if isinstance(values, dict) else {}

    def __contains__(self, name: str) -> bool:
        return self._values.get(name) is not None

    def raw(self, name: str) -> Any:
        return self._values.get(name)

    def text(self, name: str, default: str | None = None) -> str:
        found = self._values.get(name, default)
        if isinstance(found, str):
            return found
        self._refuse(name, "a text", default)
        return default or ""

    def number(self, name: str, default: int | None = None) -> int:
        found = self._values.get(name, default)
        if isinstance(found, int) and not isinstance(found, bool):
            return found
        self._refuse(name, "a number", default)
        return default or 0

    def flag(self, name: str) -> bool:
        return self._values.get(name) is True

    def choice(self, name: str, of: tuple[str, ...], default: str | None = None) -> str:
        found = self.text(name, default)
        if found not in of:
            raise Unanswerable(WRONG_PARAMETERS, f"{name} must be one of: {', '.join(of)}")
        return found

    def inner(self, name: str) -> Given:
        return Given(self._values.get(name))

    def all(self, name: str) -> list[Given]:
        found = self._values.get(name)
        return [Given(one) for one in found] if isinstance(found, list) else []

    def texts(self, name: str) -> list[str]:
        found = self._values.get(name, [])
        if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
            raise Unanswerable(WRONG_PARAMETERS, f"{name} must be a list of texts")
        return found

    def mapping(self, name: str) -> dict[str, str]:
        found = self._values.get(name, {})
        if not isinstance(found, dict) or not all(isinstance(one, str) for one in found.values()):
            raise Unanswerable(WRONG_PARAMETERS, f"{name} must be an object of texts")
        return found

    def _refuse(self, name: str, what: str, default: object) -> None:
        """Unless there is nothing, and that is good enough."""
        if default is not None and name not in self:
            return
        raise Unanswerable(WRONG_PARAMETERS, f"{name} must be {what}")


class Connection:
    """One client: its messages in, answers and notices out."""

    def __init__(self, requests: int, answers: BinaryIO, report: Report) -> None:
        self._requests = MessageReader(requests)
        self._answers = answers
        self._report = report
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._asked = 0
        self._is_over = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self, on_request: OnRequest, on_notification: OnNotification) -> None:
        """Answer until the client has gone, or `end` is called."""
        self._on_request, self._on_notification = on_request, on_notification
        loop = asyncio.get_running_loop()

        def read() -> None:
            with suppress(RuntimeError):  # the loop has ended
                while (body := self._requests.next()) is not None:
                    loop.call_soon_threadsafe(self._take, body)
                loop.call_soon_threadsafe(self._is_over.set)

        threading.Thread(target=read, daemon=True).start()
        await self._is_over.wait()
        for task in [*self._tasks]:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def end(self) -> None:
        self._is_over.set()

    def begin(self, work: Awaitable[None]) -> None:
        """Have something done that nobody waits for."""
        self._begin(self._guarded(work))

    async def _guarded(self, work: Awaitable[None]) -> None:
        try:
            await work
        except BluelineError as error:
            self.show(sentence(error))
        except Exception as error:
            self.show(f"a bug in Blueline: see {self._report(error)}", is_error=True)

    def _begin(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def notify(self, method: str, params: object) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method: str, params: object) -> asyncio.Future[Any]:
        """Ask the client; None if it cannot answer."""
        self._asked += 1
        self._waiting[self._asked] = future = asyncio.get_running_loop().create_future()
        self._send({"jsonrpc": "2.0", "id": self._asked, "method": method, "params": params})
        return future

    def show(self, message: str, *, is_error: bool = False) -> None:
        """Have a sentence shown to the person."""
        self.notify("window/showMessage", {"type": 1 if is_error else 2, "message": f"Blueline: {message}"})

    def _send(self, message: Message) -> None:
        data = json.dumps(message, ensure_ascii=False).encode("utf-8", "backslashreplace")
        try:
            self._answers.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
            self._answers.flush()
        except (OSError, ValueError):
            self._is_over.set()

    def _take(self, body: bytes) -> None:
        try:
            said = json.loads(body)
        except (ValueError, RecursionError):
            self._send(_error(None, NOT_JSON, "this is not JSON"))
            return
        if not isinstance(said, dict):
            self._send(_error(None, NOT_A_REQUEST, "this is no request"))
            return
        method = said.get("method")
        if not isinstance(method, str):
            self._take_answer(said)
        elif "id" in said:
            self._begin(self._answer(said["id"], method, Given(said.get("params"))))
        else:
            self._notice(method, Given(said.get("params")))

    def _take_answer(self, said: Message) -> None:
        future = self._waiting.pop(said["id"], None) if isinstance(said.get("id"), int) else None
        if future is not None and not future.done():
            future.set_result(said.get("result"))

    def _notice(self, method: str, given: Given) -> None:
        try:
            self._on_notification(method, given)
        except Unanswerable:
            pass  # nobody is told of what is wrong with a notification
        except BluelineError as error:
            self.show(sentence(error))
        except Exception as error:
            self.show(f"a bug in Blueline: see {self._report(error)}", is_error=True)

    async def _answer(self, identifier: object, method: str, given: Given) -> None:
        try:
            result = await self._on_request(method, given)
        except Unanswerable as error:
            self._send(_error(identifier, error.code, str(error), error.data))
        except BluelineError as error:
            data = {"error": str(error), "hint": error.hint, "now": getattr(error, "now", [])}
            self._send(_error(identifier, REFUSED, sentence(error), data))
        except Exception as error:
            where = self._report(error)
            self._send(_error(identifier, BUG, f"a bug in Blueline: see {where}"))
        else:
            self._send({"jsonrpc": "2.0", "id": identifier, "result": result})


def sentence(error: BluelineError) -> str:
    return f"{error} ({error.hint})" if error.hint else str(error)


def _error(identifier: object, code: int, message: str, data: object = None) -> Message:
    error: Message = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    return {"jsonrpc": "2.0", "id": identifier, "error": error}


class MessageReader:
    """Messages from a pipe. It is read as a bare descriptor: nobody holds a lock while they wait, and a
    process can end meanwhile."""

    def __init__(self, pipe: int) -> None:
        self._pipe = pipe
        self._ahead = bytearray()

    def next(self) -> bytes | None:
        """The next one; None at the end, or if nothing more can be made out."""
        while (end := self._ahead.find(END_OF_HEADER)) < 0:
            if len(self._ahead) > LONGEST_HEADER or not self._more():
                return None
        length = _length(bytes(self._ahead[:end]))
        if length is None or length > LONGEST_MESSAGE:
            return None
        start = end + len(END_OF_HEADER)
        while len(self._ahead) < start + length:
            if not self._more():
                return None
        body = bytes(self._ahead[start : start + length])
        del self._ahead[: start + length]
        return body

    def _more(self) -> bool:
        try:
            found = os.read(self._pipe, READ_AT_ONCE)
        except OSError:
            return False
        self._ahead += found
        return bool(found)


def _length(header: bytes) -> int | None:
    """How long the message is that follows."""
    for line in header.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            return whole_number(value.strip().decode("ascii", "replace"))
    return None
