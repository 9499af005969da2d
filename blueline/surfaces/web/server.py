"""The server: started by `blueline ui`, on this machine's own address only."""

from __future__ import annotations

import logging
import signal
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from types import FrameType

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from blueline.chat.conversation_files import NoSuchConversation
from blueline.desk.screens.typed_text import NotText
from blueline.desk.selectors import UnknownSelector
from blueline.errors import BluelineError
from blueline.quiet_server import QUIET
from blueline.surfaces.web.chat_routes import ChatRoutes, Chats
from blueline.surfaces.web.connections import LONGEST_HEAD, Door
from blueline.surfaces.web.gate_routes import GateRoutes
from blueline.surfaces.web.guard import Guard, Secrets
from blueline.surfaces.web.inbox_routes import InboxRoutes
from blueline.surfaces.web.live import Lives, Report
from blueline.surfaces.web.names import Names, public_origin
from blueline.surfaces.web.ports import listen, listen_near, own_port
from blueline.surfaces.web.project import Projects
from blueline.surfaces.web.responses import Clash, RequestRefused, failed
from blueline.surfaces.web.routes import Routes
from blueline.surfaces.web.streams import Streams

SOON_SECONDS = 60.0

STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class WorkbenchServer:
    """A server on a port of this machine, with secrets that end with it."""

    def __init__(self, projects: Projects, port: int | None, report: Report, public: str = "") -> None:
        """Listen on a port, or, without one, on the first project's own if that is free. `public` is where a
        browser on another machine has us, or in another container."""
        origin = public_origin(public) if public else ""
        self._projects = projects
        self._report = report
        self.wanted_port = own_port(projects.first) if port is None else port
        self._socket = listen_near(self.wanted_port) if port is None else listen(port)
        self.port: int = self._socket.getsockname()[1]
        self._names = Names(self.port, origin)
        self.secrets = Secrets(self.port, is_secure=self._names.is_secure)

    def address(self) -> str:
        """Where to find it, with a token that opens it once."""
        return f"{self._names.origin}/?token={self.secrets.token()}"

    def address_soon_used(self) -> str:
        """The same, for a browser that is started now: other people can read the words of its command."""
        return f"{self._names.origin}/?token={self.secrets.token(SOON_SECONDS)}"

    def run(self) -> int:
        """Serve until somebody stops it; the signal that did."""
        # What a client sends must not get into anybody's terminal, and what goes wrong here is reported.
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)
        live = Lives(self._report)
        self._projects.may_rest = live.rest
        chats = Chats(self._projects, live, self._report)
        gating = GateRoutes(self._projects)

        @asynccontextmanager
        async def lifespan(app: Starlette) -> AsyncIterator[None]:
            for project in self._projects:
                live.of(project)
            if self._projects.first is not None:
                self._projects.first.prepare()
            yield
            await chats.close()
            await gating.close()

        app = Starlette(
            routes=[
                *Routes(self._projects, live).all(),
                *ChatRoutes(self._projects, chats).all(),
                *gating.all(),
                *InboxRoutes(self._projects).all(),
            ],
            lifespan=lifespan,
            exception_handlers={
                HTTPException: _http,
                BluelineError: _refused,
                Exception: self._bug,
            },
        )
        app.router.redirect_slashes = False
        config = uvicorn.Config(
            Guard(Streams(app), self.secrets, self._names),
            http=Door,
            h11_max_incomplete_event_size=LONGEST_HEAD,
            lifespan="on",
            timeout_graceful_shutdown=1,
            **QUIET,
        )
        run = _Run(config, live)
        try:
            run.run(sockets=[self._socket])
        finally:
            self._projects.close()
        return run.stopped_by

    async def _bug(self, request: Request, error: Exception) -> Response:
        hint = f"please send this report to the makers of Blueline: {self._report(error)}"
        return failed("a bug in Blueline stopped this request", hint, 500)


class _Run(uvicorn.Server):
    """Streams never end by themselves, and uvicorn waits for them: they are told."""

    def __init__(self, config: uvicorn.Config, live: Lives) -> None:
        super().__init__(config)
        self._live = live
        self.stopped_by = 0

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Unlike uvicorn's own, does not send the signal once more at the end."""
        before = {number: signal.signal(number, self.handle_exit) for number in STOPS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.stopped_by = sig
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._live.close()
        await super().shutdown(sockets)


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return failed(error.detail, "see docs/workbench.md", error.status_code)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, BluelineError)
    match error:
        case RequestRefused():
            status = error.status
        case UnknownSelector() | NoSuchConversation():
            status = 404
        case NotText():
            status = 400
        case _:
            status = 409
    more = error.more if isinstance(error, Clash) else {}
    return failed(str(error), error.hint, status, **more)
