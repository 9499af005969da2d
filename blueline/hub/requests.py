"""What people ask machines for: it waits here until the machine has carried it out, or says why not."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from psycopg import AsyncConnection
from psycopg.types.json import Jsonb

from blueline.errors import BluelineError
from blueline.hub.machines import note, said
from blueline.hub.notices import tell
from blueline.hub.people import HubPerson

if TYPE_CHECKING:
    from blueline.contract.hub import OutcomeDocument, RequestDocument, RequestState, WishDocument

WAITS_FOR = timedelta(days=30)
MOST_WAITING = 1000


class TooManyWait(BluelineError):
    """The machine has not been heard from for a long time, and people went on asking."""


class NoSuchRequest(BluelineError):
    """Nobody has asked for that."""


class Asked(NamedTuple):
    """A request, and what became of it."""

    request: RequestDocument
    state: RequestState
    outcome: OutcomeDocument | None


async def ask(
    connection: AsyncConnection, project: str, person: HubPerson, identifier: str, wish: WishDocument
) -> Asked:
    """Let something wait for a project's machine. Asked twice under one id, it is one request."""
    # The row of the project is locked by this: numbers come in order, whoever asks at the same time.
    await connection.execute("SELECT FROM project WHERE project = %s FOR UPDATE", [project])
    if known := await _found(connection, project, identifier):
        return known[0]
    waiting = await connection.execute(
        "SELECT count(*) FROM request WHERE project = %s AND state IS NULL AND expires > now()", [project]
    )
    row = await waiting.fetchone()
    if row is not None and row[0] >= MOST_WAITING:
        raise TooManyWait(
            f"{MOST_WAITING} decisions wait for this machine already",
            hint="start it (blueline sync), or go on elsewhere: blueline hub restore",
        )
    await connection.execute(
        "WITH counted AS (UPDATE project SET requests = requests + 1 WHERE project = %(project)s"
        " RETURNING requests)"
        " INSERT INTO request (project, number, id, person, name, wish, expires)"
        " SELECT %(project)s, requests, %(id)s, %(person)s, %(name)s, %(wish)s, now() + %(waits)s"
        " FROM counted",
        {
            "project": project,
            "id": identifier,
            "person": person.number,
            "name": person.name,
            "wish": Jsonb(wish),
            "waits": WAITS_FOR,
        },
    )
    await note(connection, project, f"person {person.number}", "asked", {"request": identifier, **wish})
    await tell(connection, project)
    return (await _found(connection, project, identifier))[0]


async def _found(connection: AsyncConnection, project: str, identifier: str) -> list[Asked]:
    return await _selected(connection, "project = %s AND id = %s", [project, identifier])


async def waiting(connection: AsyncConnection, project: str, after: int = 0) -> list[Asked]:
    """What the machine has not answered yet, in the order in which it was asked for."""
    return await _selected(
        connection,
        "project = %s AND number > %s AND state IS NULL AND expires > now()",
        [project, after],
    )


async def latest(connection: AsyncConnection, project: str, most: int) -> list[Asked]:
    """What was asked for last, oldest first."""
    return await _selected(
        connection,
        "project = %s AND number > (SELECT requests - %s FROM project WHERE project = %s)",
        [project, most, project],
    )


async def _selected(connection: AsyncConnection, condition: str, values: list[object]) -> list[Asked]:
    query = (
        "SELECT number, id, name, made, wish,"
        " coalesce(state, CASE WHEN expires > now() THEN 'waiting' ELSE 'expired' END), outcome"
        f" FROM request WHERE {condition} ORDER BY number"
    )
    found = await connection.execute(query.encode(), values)
    return [_asked(*row) async for row in found]


def _asked(
    number: int,
    identifier: str,
    name: str,
    made: datetime,
    wish: WishDocument,
    state: RequestState,
    outcome: OutcomeDocument | None,
) -> Asked:
    return Asked({"number": number, "id": identifier, "by": name, "at": said(made), **wish}, state, outcome)


async def answer(connection: AsyncConnection, project: str, number: int, outcome: OutcomeDocument) -> None:
    """What became of a request. What was done stays done, whatever else is said of it: it stands in the
    journal."""
    done = await connection.execute(
        "UPDATE request SET state = %s, outcome = %s, answered = now()"
        " WHERE project = %s AND number = %s AND (state IS NULL OR (state = 'refused' AND %s = 'done'))",
        [outcome["state"], Jsonb(outcome), project, number, outcome["state"]],
    )
    if done.rowcount:
        await note(connection, project, "machine", outcome["state"], {"number": number, **outcome})
        await tell(connection, project)
        return
    found = await connection.execute(
        "SELECT FROM request WHERE project = %s AND number = %s", [project, number]
    )
    if await found.fetchone() is None:
        raise NoSuchRequest(f"there is no request {number}", hint="see GET …/requests")
