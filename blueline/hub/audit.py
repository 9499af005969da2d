"""Who did what, for good: the database itself refuses to change it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from psycopg import AsyncConnection

from blueline.hub.machines import said

if TYPE_CHECKING:
    from blueline.contract.hub import AuditEntry

PAGE = 200


async def latest(connection: AsyncConnection, project: str, before: int | None = None) -> list[AuditEntry]:
    """What was done in a project, the latest first: a page of it, or the page behind a number."""
    found = await connection.execute(
        "SELECT number, at, who, what, about FROM audit WHERE project = %s AND number < %s"
        " ORDER BY number DESC LIMIT %s",
        [project, before if before is not None else 1 << 62, PAGE],
    )
    return [
        {
            "number": row[0],
            "at": said(row[1]),
            "who": row[2],
            "what": row[3],
            "about": row[4],
        }
        async for row in found
    ]
