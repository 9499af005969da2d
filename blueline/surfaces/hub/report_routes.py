"""What agents wrote in all projects that somebody may see, and what became of it."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from blueline.hub import local_copies, summaries
from blueline.hub.hub_database import HubDatabase
from blueline.model.visible import shortened
from blueline.surfaces.hub.hub_projects import HubProjects
from blueline.surfaces.hub.page_routes import PageRoutes
from blueline.surfaces.report_page import page
from blueline.surfaces.web.body import query
from blueline.surfaces.web.guard import policy
from blueline.surfaces.web.responses import NotHere, RequestRefused, answer

if TYPE_CHECKING:
    from blueline.contract.report import HubReportDocument

REPORT = "/report"
ALL = "all projects"
TIMES = {"4 weeks": 28, "12 weeks": 84, "a year": 365}


class ReportRoutes:
    """The report, for people and for programs. Whoever may look at a project may see what became of it."""

    def __init__(self, database: HubDatabase, projects: HubProjects, pages: PageRoutes) -> None:
        self._database = database
        self._projects = projects
        self._pages = pages

    def all(self) -> list[Route]:
        return [Route("/api/report", self.document), Route(REPORT, self.page)]

    async def document(self, request: Request) -> Response:
        return answer((await self._found(request))[0])

    async def page(self, request: Request) -> Response:
        found, names = await self._found(request)
        project, since = query(request).text_or("project", ""), query(request).text_or("since", "")
        nonce = secrets.token_urlsafe(16)
        links = {one: _address(one, since) for one in names}
        above = [*_above(project, since, found["uncounted"])]
        lines = page(found, names.get(project, ALL), nonce=nonce, above=above, links=links)
        return Response(
            "\n".join(lines), headers={"Content-Security-Policy": policy(nonce)}, media_type="text/html"
        )

    async def _found(self, request: Request) -> tuple[HubReportDocument, dict[str, str]]:
        """With the names of the projects that were asked for, by id."""
        person = await self._pages.person(request)
        asked, since = query(request).text_or("project", ""), day(query(request).text_or("since", ""))
        async with self._database.step() as connection:
            machines = await local_copies.machines_for(connection, person.number)
        names = {one.project: one.name for one in machines if asked in ("", one.project)}
        if asked and not names:
            raise NotHere("there is no such project", hint="see the inbox")
        return await hub_report(self._database, self._projects, names, since), names


async def hub_report(
    database: HubDatabase, projects: HubProjects, names: dict[str, str], since: str
) -> HubReportDocument:
    """Over some projects, by id, with their names. It costs the reading of what has grown since last time."""
    failed = await projects.summarise([*names])
    async with database.step() as connection:
        return await summaries.report(connection, names, since, len(failed))


def day(text: str) -> str:
    """A day that somebody named, or none."""
    try:
        return date.fromisoformat(text).isoformat() if text else ""
    except ValueError:
        raise RequestRefused(f"{shortened(text)!r} is not a day", hint="such as 2030-01-31") from None


def _address(project: str, since: str) -> str:
    said = {name: value for name, value in (("project", project), ("since", since)) if value}
    return f"{REPORT}?{urlencode(said)}" if said else REPORT


def _above(project: str, since: str, uncounted: int) -> Iterator[str]:
    """Where one gets from here: the inbox, the workbench, the same over other times, the numbers."""
    today = datetime.now(UTC).date()
    ways = {
        "Inbox": "/",
        **({"Workbench": f"/?project={project}", ALL.capitalize(): _address("", since)} if project else {}),
    }
    times = {name: (today - timedelta(days=days)).isoformat() for name, days in TIMES.items()} | {"ever": ""}
    yield f'<nav aria-label="Elsewhere">{"".join(_link(*one) for one in ways.items())}</nav>'
    shown = [
        f"<strong>{name}</strong>" if then == since else _link(name, _address(project, then))
        for name, then in times.items()
    ]
    numbers = _link("as numbers", f"/api{_address(project, since)}")
    yield f'<nav aria-label="Since when">{"".join(shown)}{numbers}</nav>'
    if uncounted:
        words = f"{uncounted:,} projects are not counted: what was sent of them cannot be read."
        yield f'<p role="status">{words}</p>'


def _link(name: str, where: str) -> str:
    return f'<a href="{escape(where, quote=True)}">{escape(name)}</a>'
