"""A webhook receiver: takes events that the host vouches for, answers at once, deals with them one by one."""

from __future__ import annotations

import asyncio
import logging
import queue
import re
import socket
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING

from blueline.errors import BluelineError
from blueline.forge.responder import Handled
from blueline.forge.webhook import comment_of
from blueline.hosts.api_client import Say
from blueline.hosts.host import Comment, HostKind
from blueline.model.visible import visible
from blueline.quiet_server import QUIET

if TYPE_CHECKING:
    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

ADDRESS = "127.0.0.1"
LARGEST = 5 << 20
"""Bytes: a comment and all that comes with it are far less."""

SHORTEST_SECRET = 16
MOST_WAITING = 1_000
MOST_REMEMBERED = 10_000
MOST_CONNECTIONS = 64
PATIENCE_SECONDS = 20
BACKLOG = 128

_DELIVERY = re.compile(r"[0-9A-Za-z-]{8,80}")
_EVENT = re.compile(r"[A-Za-z_ ]{1,60}")


class CannotServe(BluelineError):
    """The receiver cannot be started like this."""


class Receiver:
    """Takes deliveries, each once, and deals with them in the order in which they came."""

    def __init__(self, kind: HostKind, secret: str, handle: Callable[[Comment], Handled], say: Say) -> None:
        if len(secret) < SHORTEST_SECRET:
            raise CannotServe(
                f"the secret of the webhook is shorter than {SHORTEST_SECRET} characters",
                hint="make one with: openssl rand -hex 32",
            )
        self.kind = kind
        self._secret = secret.encode()
        self._handle = handle
        self._say = say
        self._lock = threading.Lock()
        self._seen: OrderedDict[str, None] = OrderedDict()
        self._waiting: queue.Queue[tuple[str, Comment] | None] = queue.Queue(MOST_WAITING)
        self._thread = threading.Thread(target=self._work, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Deal with what was taken, and end."""
        self._waiting.put(None)
        self._thread.join(PATIENCE_SECONDS)

    def wait(self) -> None:
        """Until everything that was taken is dealt with."""
        self._waiting.join()

    def take(self, event: str, delivery: str, proof: str, payload: bytes) -> tuple[int, str]:
        """What to answer to one delivery: a status, and a word."""
        if not self.kind.webhook.is_genuine(self._secret, payload, proof):
            return 401, "the signature is missing or wrong"
        if not _DELIVERY.fullmatch(delivery) or not _EVENT.fullmatch(event):
            return 400, f"this is not a delivery of {self.kind.label}'s"
        with self._lock:
            return self._take(event, delivery, payload)

    def _take(self, name: str, delivery: str, payload: bytes) -> tuple[int, str]:
        if delivery in self._seen:
            return 200, "it was taken before"
        try:
            event = comment_of(self.kind, name, payload)
        except BluelineError as error:
            return 400, str(error)
        if not isinstance(event, Comment):
            return 200, f"ignored: {event.why}"
        try:
            self._waiting.put_nowait((delivery, event))
        except queue.Full:
            return 503, "too much is waiting"
        self._remember(delivery)
        return 202, "taken"

    def _remember(self, delivery: str) -> None:
        self._seen[delivery] = None
        while len(self._seen) > MOST_REMEMBERED:
            self._seen.popitem(last=False)

    def _work(self) -> None:
        while (found := self._waiting.get()) is not None:
            delivery, comment = found
            where = f"#{comment.number}, comment {comment.id} by {visible(comment.login)}"
            try:
                done = self._handle(comment)
                self._say(f"{where}: {done.outcome}")
            except BluelineError as error:
                # The host, or a person, can send it again.
                self._seen.pop(delivery, None)
                self._say(f"{where}: {visible(str(error))}")
            except Exception as error:
                # One event must not end the service; whoever reads the log is told that this is a bug.
                self._seen.pop(delivery, None)
                self._say(f"{where}: a bug in Blueline ({type(error).__name__})")
            finally:
                self._waiting.task_done()
        self._waiting.task_done()


def app_of(receiver: Receiver) -> Starlette:
    """The receiver behind an address: one path, one method."""
    from starlette.applications import Starlette
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    async def deliver(request: Request) -> Response:
        payload = await _body(request)
        if payload is None:
            return JSONResponse({"error": f"more than {LARGEST} bytes, or too slow"}, 413)
        headers = request.headers
        form = receiver.kind.webhook
        if any(len(headers.getlist(name)) > 1 for name in (form.event, *form.deliveries, form.proof)):
            return JSONResponse({"error": "a header was sent twice"}, 400)
        delivery = next((headers[name] for name in form.deliveries if name in headers), "")
        event, proof = headers.get(form.event, ""), headers.get(form.proof, "")
        status, word = await asyncio.to_thread(receiver.take, event, delivery, proof, payload)
        return JSONResponse({"error" if status >= 400 else "outcome": word}, status)

    app = Starlette(routes=[Route("/", deliver, methods=["POST"])])
    app.router.redirect_slashes = False
    return app


async def _body(request: Request) -> bytes | None:
    from starlette.requests import ClientDisconnect

    said = request.headers.get("content-length", "0")
    if not said.isdecimal() or len(said) > len(str(LARGEST)) or int(said) > LARGEST:
        return None
    raw = bytearray()
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            async for chunk in request.stream():
                raw += chunk
                if len(raw) > LARGEST:
                    return None
    except (TimeoutError, ClientDisconnect):
        return None
    return bytes(raw)


class WebhookServer:
    """The receiver behind a socket, which takes one path and one method."""

    def __init__(self, receiver: Receiver, address: str, port: int) -> None:
        self._receiver = receiver
        self._socket = _listen(address, port)
        self.port: int = self._socket.getsockname()[1]

    def config(self) -> uvicorn.Config:
        import uvicorn

        return uvicorn.Config(
            app_of(self._receiver),
            http="h11",
            lifespan="off",
            limit_concurrency=MOST_CONNECTIONS,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=PATIENCE_SECONDS,
            **QUIET,
        )

    def run(self) -> None:
        """Serve until somebody stops it."""
        import uvicorn

        logging.getLogger("asyncio").setLevel(logging.CRITICAL)
        self._receiver.start()
        try:
            uvicorn.Server(self.config()).run(sockets=[self._socket])
        finally:
            self._receiver.stop()
            self._socket.close()


def _listen(address: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((address, port))
        listener.listen(BACKLOG)
    except (OSError, OverflowError) as error:
        raise CannotServe(
            f"{visible(address)}:{port} cannot be used: {error}", hint="name another"
        ) from error
    return listener
