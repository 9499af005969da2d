"""How people leave, and what an owner may do about others."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from blueline.hub import audit, browsers, machines, people
from blueline.hub.hub_database import HubDatabase
from blueline.hub.notices import tell
from blueline.hub.people import ROLES, Role
from blueline.surfaces.hub.machine_routes import words
from blueline.surfaces.hub.page_routes import COOKIE, PageRoutes
from blueline.surfaces.web.body import body, query
from blueline.surfaces.web.responses import RequestRefused, answer

if TYPE_CHECKING:
    from blueline.contract.hub import (
        AuditDocument,
        BrowsersDocument,
        InvitationDocument,
        MachinesDocument,
        MeDocument,
        PeopleDocument,
    )

NO_ROLE = "none"


class PeopleRoutes:
    """The people of a project."""

    def __init__(self, database: HubDatabase, pages: PageRoutes) -> None:
        self._database = database
        self._pages = pages

    def all(self) -> list[Route]:
        owner = self._pages.allowed
        return [
            Route("/api/me", self.me),
            Route("/api/sign-out", self.leave, methods=["POST"]),
            Route("/api/browsers", self.browsers),
            Route("/api/browsers/{browser}/end", self.end_browser, methods=["POST"]),
            Route("/api/people", owner("owner", self.people)),
            Route("/api/people", owner("owner", self.invite), methods=["POST"]),
            Route("/api/role", owner("owner", self.give), methods=["POST"]),
            Route("/api/machines", owner("owner", self.machines)),
            Route("/api/machines", owner("owner", self.invite_machine), methods=["POST"]),
            Route("/api/machines/{machine}/end", owner("owner", self.send_away), methods=["POST"]),
            Route("/api/audit", owner("owner", self.audit)),
        ]

    async def me(self, request: Request) -> Response:
        person = await self._pages.person(request)
        project = query(request).text_or("project", "")
        async with self._database.step() as connection:
            if project:
                role = await people.role_of(connection, person, project)
            else:
                role = await people.role_everywhere(connection, person)
        found: MeDocument = {"person": person.number, "name": person.name, "role": role}
        return answer(found)

    async def leave(self, request: Request) -> Response:
        await self._pages.person(request)
        async with self._database.step() as connection:
            await people.sign_out(connection, request.cookies.get(COOKIE, ""))
        return Response(status_code=204, headers={"Set-Cookie": f"{COOKIE}=; Path=/; Max-Age=0"})

    async def browsers(self, request: Request) -> Response:
        """Where somebody is signed in."""
        person = await self._pages.person(request)
        async with self._database.step() as connection:
            listed = await browsers.of(connection, person, request.cookies.get(COOKIE, ""))
        found: BrowsersDocument = {"browsers": listed}
        return answer(found)

    async def end_browser(self, request: Request) -> Response:
        person = await self._pages.person(request)
        await body(request)
        async with self._database.step() as connection:
            await browsers.end(connection, person, str(request.path_params["browser"]))
            listed = await browsers.of(connection, person, request.cookies.get(COOKIE, ""))
        found: BrowsersDocument = {"browsers": listed}
        return answer(found)

    async def people(self, request: Request) -> Response:
        async with self._database.step() as connection:
            found: PeopleDocument = {"people": await people.of(connection, _project(request))}
        return answer(found)

    async def invite(self, request: Request) -> Response:
        said = await body(request)
        name, role = words(said, "name"), cast(Role, said.choice("role", ROLES))
        async with self._database.step() as connection:
            who = await self._who(request)
            _, code = await people.invite(connection, name, _project(request), role, who)
        made: InvitationDocument = {"invitation": code}
        return answer(made, 201)

    async def give(self, request: Request) -> Response:
        said = await body(request)
        role, person = said.choice("role", (*ROLES, NO_ROLE)), said.number("person")
        if person is None:
            raise RequestRefused("person is missing", hint="name the number that /api/people shows")
        async with self._database.step() as connection:
            given = None if role == NO_ROLE else cast(Role, role)
            await people.give(connection, await self._who(request), person, _project(request), given)
            found: PeopleDocument = {"people": await people.of(connection, _project(request))}
        return answer(found)

    async def machines(self, request: Request) -> Response:
        async with self._database.step() as connection:
            found: MachinesDocument = {"machines": await machines.of(connection, _project(request))}
        return answer(found)

    async def invite_machine(self, request: Request) -> Response:
        """Another machine may go on with the project."""
        await body(request)
        async with self._database.step() as connection:
            code = await machines.invite(connection, _project(request))
            who = await self._who(request)
            await machines.note(connection, _project(request), who, "invited a machine", {})
        made: InvitationDocument = {"invitation": code}
        return answer(made, 201)

    async def send_away(self, request: Request) -> Response:
        await body(request)
        project = _project(request)
        async with self._database.step() as connection:
            machine = str(request.path_params["machine"])
            await machines.send_away(connection, await self._who(request), project, machine)
            # Whoever listens with its token is not told anything any more.
            await tell(connection, project)
            found: MachinesDocument = {"machines": await machines.of(connection, project)}
        return answer(found)

    async def audit(self, request: Request) -> Response:
        """The latest first, page by page."""
        before = query(request).number("before")
        async with self._database.step() as connection:
            found: AuditDocument = {"entries": await audit.latest(connection, _project(request), before)}
        return answer(found)

    async def _who(self, request: Request) -> str:
        return f"person {(await self._pages.person(request)).number}"


def _project(request: Request) -> str:
    return query(request).text("project")
