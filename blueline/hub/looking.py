"""Who looks at which project just now, through whichever process of the hub."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from psycopg import AsyncConnection

from blueline.hub.notices import tell
from blueline.hub.people import HubPerson

LOOKS_FOR = timedelta(seconds=40)
"""Without another word. A page says one every 15 seconds."""


async def look(connection: AsyncConnection, project: str, person: HubPerson) -> None:
    """Somebody looks at a project, and is still there."""
    done = await connection.execute(
        "INSERT INTO looking (project, person, until) VALUES (%(project)s, %(person)s, now() + %(for)s)"
        " ON CONFLICT (project, person) DO UPDATE SET until = excluded.until"
        # What was there before: nobody, or somebody who had gone.
        " RETURNING NOT EXISTS (SELECT FROM looking AS before WHERE before.project = %(project)s"
        " AND before.person = %(person)s AND before.until > now())",
        {"project": project, "person": person.number, "for": LOOKS_FOR},
    )
    row = await done.fetchone()
    if row is not None and row[0]:
        await tell(connection, project)


async def turn_away(connection: AsyncConnection, project: str, person: HubPerson) -> None:
    """They have closed the page; another of theirs says so again soon."""
    await connection.execute(
        "DELETE FROM looking WHERE project = %s AND person = %s", [project, person.number]
    )
    await tell(connection, project)


async def at(
    connection: AsyncConnection, projects: Sequence[str], besides: int | None = None
) -> dict[str, list[str]]:
    """The names of who looks at each of some projects, but for one person."""
    found = await connection.execute(
        "SELECT project, name FROM looking JOIN person USING (person)"
        " WHERE project = ANY(%s) AND until > now() AND person IS DISTINCT FROM %s ORDER BY name",
        [[*projects], besides],
    )
    names: dict[str, list[str]] = {}
    async for project, name in found:
        names.setdefault(project, []).append(name)
    return names
