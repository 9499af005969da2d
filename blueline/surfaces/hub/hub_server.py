"""A process of the hub: any number of them are equal, and none keeps anything that cannot be had again."""

from __future__ import annotations

import logging
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from blueline.desk.selectors import UnknownSelector
from blueline.errors import BluelineError
from blueline.hub.blob_copies import ContentElsewhere, NoSuchContent, ObjectLost, OtherContent
from blueline.hub.browsers import NoSuchBrowser
from blueline.hub.hub_database import CannotBeKept, DatabaseAway, HubDatabase
from blueline.hub.journal_copies import Gap
from blueline.hub.machines import NoSuchMachine, NotInvited, TakenOver
from blueline.hub.notices import Notices
from blueline.hub.object_storage import ObjectsAway
from blueline.hub.openid import OpenId, ProviderAway, SignInFailed
from blueline.hub.people import NoSuchPerson
from blueline.hub.pushed_bytes import NotWhole, OtherBytes
from blueline.hub.requests import NoSuchRequest
from blueline.quiet_server import QUIET
from blueline.surfaces.hub.door import SIGN_IN, HubDoor
from blueline.surfaces.hub.entrance_pages import is_for_people, page
from blueline.surfaces.hub.entrance_routes import EntranceRoutes
from blueline.surfaces.hub.hub_projects import HubProjects
from blueline.surfaces.hub.machine_routes import MachineRoutes
from blueline.surfaces.hub.page_routes import NotSignedIn, PageRoutes
from blueline.surfaces.hub.people_routes import PeopleRoutes
from blueline.surfaces.hub.report_routes import ReportRoutes
from blueline.surfaces.web.live import Lives
from blueline.surfaces.web.names import Names, public_origin
from blueline.surfaces.web.responses import Clash, RequestRefused, failed


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
    NoSuchPerson: 404,
    NoSuchMachine: 404,
    NoSuchBrowser: 404,
    UnknownSelector: 404,
    CannotBeKept: 400,
    DatabaseAway: 503,
    ObjectsAway: 503,
    ContentElsewhere: 503,
    ObjectLost: 500,
    ProviderAway: 502,
    SignInFailed: 403,
}


def application(
    database: HubDatabase, names: Names, port: int, folder: Path, report: Report, provider: OpenId | None
) -> ASGIApp:
    """The hub as one application, for any server that speaks ASGI. What is in `folder` may be thrown away."""
    entrance = EntranceRoutes(database, names, provider)
    notices, live = Notices(database.address), Lives(report)
    projects = HubProjects(database, notices, folder, live, report)
    pages = PageRoutes(database, projects, live)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await database.open()
        notices.start()
        yield
        live.close()
        await projects.close_all()
        await notices.close()
        await database.close()

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, BluelineError)
        if isinstance(error, NotSignedIn) and is_for_people(request):
            way = (SIGN_IN, f"Sign in with {entrance.name}") if entrance.name else None
            words = "Sign in to see the inbox." if way else "Open the link of your invitation."
            return page("This browser is not signed in", words, way, error.status)
        status = error.status if isinstance(error, RequestRefused) else STATUS.get(type(error), 409)
        if is_for_people(request):
            return page("That did not work", f"{str(error).capitalize()}: {error.hint}", None, status)
        more = error.more if isinstance(error, Clash) else {}
        return failed(str(error), error.hint, status, **more)

    async def bug(request: Request, error: Exception) -> Response:
        hint = f"please send this report to the makers of Blueline: {report(error)}"
        return failed("a bug in Blueline stopped this request", hint, 500)

    app = Starlette(
        routes=[
            *MachineRoutes(database, notices).all(),
            *entrance.all(),
            *PeopleRoutes(database, pages).all(),
            *ReportRoutes(database, projects, pages).all(),
            *pages.all(),
        ],
        lifespan=lifespan,
        exception_handlers={HTTPException: _http, BluelineError: refused, Exception: bug},
    )
    return HubDoor(app, names, port)


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return failed(error.detail, "see docs/hub.md", error.status_code)


class HubServer:
    """One process that listens for machines, and answers from one database."""

    def __init__(
        self,
        database: HubDatabase,
        host: str,
        port: int,
        report: Report,
        public: str = "",
        provider: OpenId | None = None,
    ) -> None:
        """`public` is where browsers have it, behind a proxy."""
        origin = public_origin(public) if public else ""
        self._socket = _listening(host, port)
        self.port: int = self._socket.getsockname()[1]
        self._names = Names(self.port, origin)
        self._database, self._report, self._provider = database, report, provider
        shown = f"[{host}]" if ":" in host else host
        self.address = f"http://{shown}:{self.port}"

    def run(self) -> None:
        """Serve until somebody stops it."""
        with TemporaryDirectory(prefix="blueline-hub-") as folder:
            place = Path(folder)
            app = application(self._database, self._names, self.port, place, self._report, self._provider)
            self._run(app)

    def _run(self, app: ASGIApp) -> None:
        # A page that is closed calls off what it was about to ask: the connection is lost, and another made.
        logging.getLogger("psycopg").setLevel(logging.ERROR)
        config = uvicorn.Config(
            app,
            **QUIET,
            date_header=False,
            # Streams never end by themselves.
            timeout_graceful_shutdown=1,
        )
        uvicorn.Server(config).run(sockets=[self._socket])


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # By its full name: only then asyncio sends answers at once, and does not wait 40 ms for more to send.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        # Whoever reads the address asks at once, and has to wait a moment at most.
        listener.listen()
    except (OSError, OverflowError) as error:
        listener.close()
        raise CannotListen(f"cannot listen at {host}, port {port}: {error}", hint="name another") from error
    return listener
