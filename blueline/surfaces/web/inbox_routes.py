"""The inbox: every project of this machine in which something is undecided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from blueline.desk.inbox import NOTHING
from blueline.errors import BluelineError
from blueline.model.risk import LEVELS
from blueline.surfaces.web.project import Project, Projects
from blueline.surfaces.web.responses import answer

if TYPE_CHECKING:
    from blueline.contract.overview import InboxDocument, WaitingProject

LAST = "~"
"""Comes after every time."""


class InboxRoutes:
    """One look at all projects, one after the other: none stays open for it."""

    def __init__(self, projects: Projects) -> None:
        self._projects = projects

    def all(self) -> list[Route]:
        return [Route("/api/inbox", self.inbox)]

    async def inbox(self, request: Request) -> Response:
        found = [await self._entry(project) for project in self._projects.everywhere()]
        waits = [one for one in found if one["counts"]["hunks"] or one["error"]]
        document: InboxDocument = {"projects": in_order(waits)}
        return answer(document)

    async def _entry(self, project: Project) -> WaitingProject:
        found, error = NOTHING, ""
        try:
            found = await project.waiting()
        except BluelineError as refusal:
            error = str(refusal)
        return {
            "id": project.id,
            "name": project.name,
            "root": str(project.root),
            "branch": found.branch,
            "repository": found.repository or str(project.root),
            "counts": found.counts,
            "since": found.since,
            "risk": found.risk,
            "agents": [*found.agents],
            "folders": [*found.folders],
            "looking": [],
            "error": error,
        }


def in_order(found: list[WaitingProject]) -> list[WaitingProject]:
    """The riskiest first, then what waits longest; work trees of one repository together; what cannot be
    looked into last."""

    def urgency(one: WaitingProject) -> tuple[bool, int, str]:
        return bool(one["error"]), -LEVELS.index(one["risk"]), one["since"] or LAST

    first: dict[str, tuple[bool, int, str]] = {}
    for one in found:
        known = first.get(one["repository"])
        first[one["repository"]] = urgency(one) if known is None else min(known, urgency(one))
    return sorted(
        found, key=lambda one: (first[one["repository"]], one["repository"], urgency(one), one["root"])
    )
