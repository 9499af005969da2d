"""The report for whoever runs the hub: over all of its projects, with nobody signed in."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from blueline.hub import local_copies
from blueline.hub.hub_database import HubDatabase
from blueline.hub.notices import Notices
from blueline.surfaces.hub.hub_projects import HubProjects
from blueline.surfaces.hub.report_routes import ALL, day, hub_report
from blueline.surfaces.web.live import Lives
from blueline.surfaces.web.responses import NotHere

if TYPE_CHECKING:
    from blueline.contract.report import HubReportDocument

__all__ = ["ALL", "operator_report"]


async def operator_report(database: HubDatabase, project: str, since: str) -> HubReportDocument:
    """Of one project, or of all."""
    then = day(since)
    await database.upgrade()
    await database.open()
    try:
        with TemporaryDirectory(prefix="blueline-hub-") as folder:
            # Nobody looks on: nothing is told to anybody.
            projects = HubProjects(database, Notices(database.address), Path(folder), Lives(str), str)
            async with database.step() as connection:
                machines = await local_copies.all_machines(connection)
            names = {one.project: one.name for one in machines if project in ("", one.project)}
            if project and not names:
                raise NotHere("there is no such project", hint="see blueline hub report --json: projects")
            try:
                return await hub_report(database, projects, names, then)
            finally:
                await projects.close_all()
    finally:
        await database.close()
