"""The workbench through the hub: each request is answered for one person, as far as their role goes."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING, cast

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from blueline.desk import Desk
from blueline.desk.copied_desk import CopiedDesk
from blueline.hub import local_copies, looking, people, requests, summaries
from blueline.hub.hub_database import DatabaseAway, HubDatabase
from blueline.hub.local_copies import Machine
from blueline.hub.people import ROLES, HubPerson, Role
from blueline.hub.summaries import Waits
from blueline.surfaces.hub.hub_projects import HubProjects
from blueline.surfaces.web import static
from blueline.surfaces.web.body import LONGEST_KEY, Fields, query
from blueline.surfaces.web.inbox_routes import in_order
from blueline.surfaces.web.live import Lives
from blueline.surfaces.web.project import Project
from blueline.surfaces.web.responses import NotHere, RequestRefused, answer
from blueline.surfaces.web.routes import Routes

if TYPE_CHECKING:
    from blueline.contract.conversations import ConversationsDocument
    from blueline.contract.decisions import DecisionDocument
    from blueline.contract.hub import WishDocument
    from blueline.contract.overview import InboxDocument, ProjectsDocument, WaitingProject

COOKIE = "blueline_hub"
DECISIONS = ("/api/decide", "/api/undo", "/api/redo")

Endpoint = Callable[[Request], Awaitable[Response]]

_asking: ContextVar[HubPerson] = ContextVar("asking")


class NotSignedIn(RequestRefused):
    """Nobody knows whose browser it is."""

    status = 401


class NotAllowed(RequestRefused):
    """Their role does not go that far."""

    status = 403


class PageRoutes(Routes):
    """The API of the workbench, over copies."""

    def __init__(self, database: HubDatabase, projects: HubProjects, live: Lives) -> None:
        super().__init__(projects, live)
        self._database = database
        self._copies = projects
        self._leaving: set[asyncio.Task[None]] = set()

    def all(self) -> list[Route]:
        return [
            Route("/api/inbox", self.inbox),
            Route("/api/chat", self.chat),
            *(self._guarded(route) for route in super().all()),
            Route("/api/{rest:path}", self.elsewhere, methods=["GET", "POST"]),
        ]

    def _guarded(self, route: Route) -> Route:
        methods = [*(route.methods or ())]
        if route.path.startswith("/static/") or route.path == "/api/projects":
            return route
        if route.path == "/":
            return Route("/", self._signed_in(functools.partial(static.page, at="hub")))
        if "POST" not in methods:
            return Route(route.path, self.allowed("reader", route.endpoint))
        endpoint = route.endpoint if route.path in DECISIONS else self.elsewhere
        return Route(route.path, self.allowed("reviewer", endpoint), methods=["POST"])

    async def person(self, request: Request) -> HubPerson:
        """Whose browser it is."""
        async with self._database.step() as connection:
            found = await people.known_by(connection, request.cookies.get(COOKIE, ""))
        if found is None:
            raise NotSignedIn("this browser is not signed in", hint="open the link of your invitation")
        return found

    def _signed_in(self, endpoint: Endpoint) -> Endpoint:
        async def asked(request: Request) -> Response:
            await self.person(request)
            return await endpoint(request)

        return asked

    def allowed(self, least: Role, endpoint: Endpoint) -> Endpoint:
        """Only for who has at least this role in the project. Of others nobody learns that they exist."""

        async def asked(request: Request) -> Response:
            person, project = await self.person(request), query(request).text_or("project", "")
            role = await self._role(person, project)
            if role is None:
                raise NotHere("there is no such project", hint="see the inbox")
            if ROLES.index(role) < ROLES.index(least):
                raise NotAllowed(
                    f"a {role} may look, and not do this", hint=f"an owner can make you a {least}"
                )
            await self._copies.bring_up(project)
            _asking.set(person)
            return await endpoint(request)

        return asked

    async def _role(self, person: HubPerson, project: str) -> Role | None:
        async with self._database.step() as connection:
            return await people.role_of(connection, person, project)

    async def elsewhere(self, request: Request) -> Response:
        """What people do on the machine itself."""
        await self.person(request)
        raise NotAllowed(
            "the hub shows what its machines sent, and hands decisions on",
            hint="do this on the machine: blueline ui",
        )

    async def projects(self, request: Request) -> Response:
        """None by itself: whoever comes here begins with the inbox."""
        person = await self.person(request)
        found: ProjectsDocument = {"projects": [], "person": person.name}
        return answer(found)

    async def chat(self, request: Request) -> Response:
        await self.person(request)
        none: ConversationsDocument = {"conversations": [], "agents": []}
        return answer(none)

    async def inbox(self, request: Request) -> Response:
        """Every project in which something is undecided, as far as this person may see it."""
        person = await self.person(request)
        async with self._database.step() as connection:
            machines = await local_copies.machines_for(connection, person.number)
            ids = [one.project for one in machines]
            names = await looking.at(connection, ids, besides=person.number)
        failed = await self._copies.summarise(ids)
        async with self._database.step() as connection:
            waits = await summaries.waiting(connection, ids)
        found = [
            _entry(one, waits.get(one.project, NOTHING), names.get(one.project, []), failed)
            for one in machines
        ]
        document: InboxDocument = {
            "projects": in_order([one for one in found if one["counts"]["hunks"] or one["error"]])
        }
        return answer(document)

    async def events(self, request: Request) -> Response:
        response = await super().events(request)
        assert isinstance(response, StreamingResponse)
        project = self._copies.named(query(request).text("project"))
        self._copies.follow(project)
        response.body_iterator = self._while_allowed(request, project.id, response.body_iterator)
        return response

    async def _while_allowed(
        self, request: Request, project: str, stream: AsyncIterable[object]
    ) -> AsyncIterator[bytes]:
        """A stream lasts, and a role may end before it does. As long as it does, somebody looks."""
        person = await self.person(request)
        try:
            async for piece in stream:
                if await self._role(await self.person(request), project) is None:
                    return
                async with self._database.step() as connection:
                    await looking.look(connection, project, person)
                yield cast(bytes, piece)
        finally:
            # By itself: nothing is waited for any more in what is called off.
            leaving = asyncio.create_task(self._turn_away(project, person))
            self._leaving.add(leaving)
            leaving.add_done_callback(self._leaving.discard)

    async def _turn_away(self, project: str, person: HubPerson) -> None:
        # When the database is away, it is forgotten there after a while.
        with suppress(DatabaseAway):
            async with self._database.step() as connection:
                await looking.turn_away(connection, project, person)

    async def _decided(
        self, project: Project, said: Fields, verb: Callable[[Desk], DecisionDocument]
    ) -> Response:
        """Let a decision wait for the machine. Asked again under the same key, it is the same request."""
        key = said.text("key", at_most=LONGEST_KEY)
        path, known = said.text("open") if "open" in said else None, said.number("known")

        def act(desk: Desk) -> tuple[DecisionDocument, WishDocument | None, bytes]:
            assert isinstance(desk, CopiedDesk)
            desk.wish = None
            document = verb(desk)
            screens = b"" if path is None else project.screens(desk, path, known)
            return {**document, "version": desk.workbench.version}, desk.wish, screens

        document, wish, screens = await project.ask(act)
        if wish is not None:
            person = _asking.get()
            identifier = f"{person.number}-{key}"
            async with self._database.step() as connection:
                await requests.ask(connection, project.id, person, identifier, wish)
            document = {**document, "request": identifier}
        return self._told(document, screens)


NOTHING: Waits = {
    "counts": {"hunks": 0, "files": 0, "calls": 0, "turns": 0},
    "since": "",
    "risk": "low",
    "agents": [],
    "folders": [],
}


def _entry(machine: Machine, waits: Waits, looks: list[str], failed: Mapping[str, str]) -> WaitingProject:
    return {
        "id": machine.project,
        "name": machine.name,
        "root": machine.machine,
        "heard": machine.heard,
        "branch": None,
        "repository": machine.project,
        "counts": waits["counts"],
        "since": waits["since"],
        "risk": waits["risk"],
        "agents": waits["agents"],
        "folders": waits["folders"],
        "looking": looks,
        "error": failed.get(machine.project, ""),
    }
