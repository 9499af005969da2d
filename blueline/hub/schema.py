"""The tables of the hub's database, brought up to this version by numbered steps."""

from __future__ import annotations

from importlib.resources import files
from typing import NamedTuple

from psycopg import AsyncConnection, errors

from blueline.errors import BluelineError

LOCK = 0x62_6C_75_65
"""Of the database, not of a table: two processes that start at once upgrade one after the other."""


RECORD = "INSERT INTO schema_version (version) VALUES (%s)"


class NewerSchema(BluelineError):
    """The database was upgraded by a later version."""


class Migration(NamedTuple):
    """One step: from the version before it to this one."""

    version: int
    statements: bytes


def migrations() -> list[Migration]:
    """All of them, oldest first."""
    found = [
        one for one in files("blueline.hub").joinpath("migrations").iterdir() if one.name.endswith(".sql")
    ]
    return sorted(Migration(int(one.name.removesuffix(".sql")), one.read_bytes()) for one in found)


async def upgrade(connection: AsyncConnection) -> tuple[int, int]:
    """Make the tables, or bring them up; the version before and after. Each step is one transaction, so that
    a process that is killed leaves a version and no half of one."""
    await connection.execute("SELECT pg_advisory_lock(%s)", [LOCK])
    try:
        before = at = await version(connection)
        known = migrations()
        if before > known[-1].version:
            raise NewerSchema(
                f"the database is of version {before}, and this hub knows {known[-1].version}",
                hint="start the newer Blueline, or restore the backup from before its upgrade",
            )
        for one in known:
            if one.version > at:
                async with connection.transaction():
                    await connection.execute(one.statements)
                    await connection.execute(
                        "INSERT INTO schema_version (version) VALUES (%s)", [one.version]
                    )
                at = one.version
        return before, at
    finally:
        await connection.execute("SELECT pg_advisory_unlock(%s)", [LOCK])


async def version(connection: AsyncConnection) -> int:
    """How far a database is; 0 for an empty one."""
    async with connection.transaction():
        try:
            async with connection.transaction():
                row = await (
                    await connection.execute("SELECT coalesce(max(version), 0) FROM schema_version")
                ).fetchone()
        except errors.UndefinedTable:
            await connection.execute(
                "CREATE TABLE schema_version ("
                "version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())"
            )
            return 0
    assert row is not None, "an aggregate has one row"
    return int(row[0])
