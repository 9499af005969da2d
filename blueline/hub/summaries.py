"""What was found in each project when its copy was last read: what waits, and what became of agents' work.

It follows from the copies and costs the reading of those that have grown since, whatever else there is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from psycopg import AsyncConnection
from psycopg.types.json import Jsonb

from blueline.desk.work_report import PENDING, AgentChange, document, rows, week
from blueline.model.visible import visible, visible_within

if TYPE_CHECKING:
    from blueline.contract.groups import CountsDocument
    from blueline.contract.report import HubReportDocument, ReportProjectDocument
    from blueline.model.risk import Level

VERSION = 1
"""Goes up with what is counted, and how."""

LONGEST_NAME = 200
NAMES = ("project", "agent", "model", "tool", "folder", "person", "day")


class Waits(TypedDict):
    """What is undecided in a project."""

    counts: CountsDocument
    since: str
    risk: Level
    agents: list[str]
    folders: list[str]


class ReadUpTo(NamedTuple):
    """How much of which copy somebody has read."""

    copy: int
    purges: int
    length: int


async def stale(connection: AsyncConnection, projects: Sequence[str]) -> list[str]:
    """Those of which more is known by now than when they were last read."""
    found = await connection.execute(
        "SELECT project FROM project JOIN journal USING (project, copy) LEFT JOIN summary USING (project)"
        " WHERE project = ANY(%s) AND (summary.copy, summary.purges, summary.length, summary.version)"
        " IS DISTINCT FROM (journal.copy, journal.purges, journal.length, %s::integer) ORDER BY project",
        [[*projects], VERSION],
    )
    return [str(row[0]) async for row in found]


async def keep(
    connection: AsyncConnection,
    project: str,
    read: ReadUpTo,
    waits: Waits,
    changes: Mapping[AgentChange, int],
) -> None:
    """What was found in a project, unless somebody has read more of it meanwhile."""
    kept = await connection.execute(
        "INSERT INTO summary (project, copy, purges, length, version, waiting)"
        " VALUES (%s, %s, %s, %s, %s, %s)"
        " ON CONFLICT (project) DO UPDATE SET copy = excluded.copy, purges = excluded.purges,"
        " length = excluded.length, version = excluded.version, waiting = excluded.waiting"
        " WHERE (summary.version, summary.copy, summary.purges, summary.length)"
        " <= (excluded.version, excluded.copy, excluded.purges, excluded.length)",
        [project, *read, VERSION, Jsonb(visible_within(waits))],
    )
    if not kept.rowcount:
        return
    await connection.execute("DELETE FROM outcome WHERE project = %s", [project])
    # What differs in nothing that is kept of it is one row.
    counted: Counter[AgentChange] = Counter()
    for change, number in changes.items():
        counted[AgentChange._make(visible(one)[:LONGEST_NAME] for one in change)] += number
    async with connection.cursor() as cursor:
        statement = f"COPY outcome (project, {', '.join(AgentChange._fields)}, changes) FROM STDIN"
        async with cursor.copy(statement.encode()) as copy:
            for change, number in counted.items():
                await copy.write_row((project, *change, number))


async def forget(connection: AsyncConnection, project: str) -> None:
    """Something was purged: what was counted may name it."""
    await connection.execute("DELETE FROM outcome WHERE project = %s", [project])
    await connection.execute("DELETE FROM summary WHERE project = %s", [project])


async def waiting(connection: AsyncConnection, projects: Sequence[str]) -> dict[str, Waits]:
    """What waits in each project that was ever read."""
    found = await connection.execute(
        "SELECT project, waiting FROM summary WHERE project = ANY(%s)", [[*projects]]
    )
    return {str(row[0]): row[1] async for row in found}


async def report(
    connection: AsyncConnection, names: Mapping[str, str], since: str = "", uncounted: int = 0
) -> HubReportDocument:
    """What became of agents' work in some projects, each with its name, since a day."""
    sets = ", ".join(f"({name}, outcome)" for name in NAMES)
    query = (
        f"SELECT grouping({', '.join(NAMES)}), {', '.join(NAMES)}, outcome, sum(changes) FROM outcome"
        f" WHERE project = ANY(%s) AND day >= %s GROUP BY GROUPING SETS ({sets})"
    )
    groups: dict[str, dict[str, Counter[str]]] = {name: {} for name in NAMES}
    async for grouping, *values, outcome, number in await connection.execute(
        query.encode(), [[*names], since]
    ):
        # The one of them that this row is about has no bit.
        (at,) = [at for at in range(len(NAMES)) if not grouping >> (len(NAMES) - 1 - at) & 1]
        value = week(values[at]) if NAMES[at] == "day" else values[at]
        if NAMES[at] != "person" or outcome != PENDING:
            groups[NAMES[at]].setdefault(value, Counter())[outcome] += int(number)
    found = document(
        since,
        {
            "agents": groups["agent"],
            "models": groups["model"],
            "tools": groups["tool"],
            "folders": groups["folder"],
            "people": groups["person"],
            "weeks": groups["day"],
        },
    )
    projects: list[ReportProjectDocument] = [
        {**row, "id": row["name"], "name": names[row["name"]]} for row in rows(groups["project"])
    ]
    return {**found, "projects": projects, "uncounted": uncounted}
