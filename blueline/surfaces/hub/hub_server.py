"""A process of the hub: any number of them are equal, and none keeps anything that cannot be had again."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from blueline.errors import BluelineError
from blueline.hub.blob_copies import NoSuchContent, OtherContent
from blueline.hub.hub_database import DatabaseAway, HubDatabase
from blueline.hub.journal_copies import Gap
from blueline.hub.machines import NotInvited, TakenOver
from blueline.hub.notices import Notices
from blueline.hub.pushed_bytes import NotWhole, OtherBytes
from blueline.hub.requests import NoSuchRequest
from blueline.surfaces.hub.machine_routes import MachineRoutes
from blueline.surfaces.web.responses import RequestRefused, failed


class CannotListen(BluelineError):
    """Somebody else does, or the address is not this machine's."""


Report = Callable[[BaseException], str]

STATUS: dict[type[BluelineError], int] = {
    NoSuchContent: 404,
    NotInvited: 403,
    NotWhole: 400,
    OtherContent: 400,
    Gap: 409,
    OtherBytes: 409,
    TakenOver: 409,
    NoSuchRequest: 404,
    DatabaseAway: 503,
}


def application(database: HubDatabase, report: Report) -> Starlette:
    """The hub as one application, for any server that speaks ASGI."""

    notices = Notices(database.address)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await database.open()
        notices.start()
        yield
        await notices.close()
        await database.close()

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, BluelineError)
        status = error.status if isinstance(error, RequestRefused) else STATUS.get(type(error), 409)
        return failed(str(error), error.hint, status)

    async def bug(request: Request, error: Exception) -> Response:
        hint = f"please send this report to the makers of Blueline: {report(error)}"
        return failed("a bug in Blueline stopped this request", hint, 500)

    return Starlette(
        routes=MachineRoutes(database, notices).all(),
        lifespan=lifespan,
        exception_handlers={HTTPException: _http, BluelineError: refused, Exception: bug},
    )


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return failed(error.detail, "see docs/hub.md", error.status_code)


class HubServer:
    """One process that listens for machines, and answers from one database."""

    def __init__(self, database: HubDatabase, host: str, port: int, report: Report) -> None:
        self._app = application(database, report)
        self._socket = _listening(host, port)
        self.port: int = self._socket.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        self.address = f"http://{shown}:{self.port}"

    def run(self) -> None:
        """Serve until somebody stops it."""
        config = uvicorn.Config(
            self._app,
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            # Streams never end by themselves.
            timeout_graceful_shutdown=1,
        )
        uvicorn.Server(config).run(sockets=[self._socket])


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except (OSError, OverflowError) as error:
        listener.close()
        raise CannotListen(f"cannot listen at {host}, port {port}: {error}", hint="name another") from error
    return listener
