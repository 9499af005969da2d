"""Which machines may add to which project: invitations, and the tokens that they are exchanged for.

Of both only hashes are kept. A token names its project, so that one look tells whether it is good.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from psycopg import AsyncConnection
from psycopg.types.json import Jsonb

from blueline.errors import BluelineError
from blueline.model.machine_token import project_in

if TYPE_CHECKING:
    from blueline.contract.hub import MachineEntry

INVITED_FOR = timedelta(days=7)
TRUSTED_FOR = timedelta(days=365)
SECRET_BYTES = 32
INVITED = "bli"
ID_DIGITS = 16
"""Of a token's hash: enough to tell machines apart, and nobody gets in with it."""


class NotInvited(BluelineError):
    """The invitation is not good, or not any more."""


class TakenOver(BluelineError):
    """The project is another machine's already."""


class NoSuchMachine(BluelineError):
    """No machine of the project goes by that."""


class Joining(NamedTuple):
    """What a machine says of itself."""

    project: str
    name: str
    machine: str
    format: str
    token: bytes
    """The hash of the token that it will come with."""


def digest(secret: str) -> bytes:
    # Secrets are long and random: nothing is gained by a slow hash.
    return sha256(secret.encode("utf-8", "surrogateescape")).digest()


async def invite(connection: AsyncConnection, project: str | None = None) -> str:
    """An invitation for one machine: to join with a project of its own, or to take one over."""
    # With a prefix, so that it is never taken for an option.
    code = f"{INVITED}_{secrets.token_urlsafe(SECRET_BYTES)}"
    await connection.execute(
        "INSERT INTO invitation (hash, expires, project) VALUES (%s, now() + %s, %s)",
        [digest(code), INVITED_FOR, project],
    )
    return code


async def join(connection: AsyncConnection, code: str, who: Joining) -> None:
    """Let a machine in, with a token that it has made itself. An invitation is good once, however often the
    machine asks because it got no answer."""
    found = await connection.execute(
        "SELECT used_by, expires > now(), project FROM invitation WHERE hash = %s FOR UPDATE", [digest(code)]
    )
    row = await found.fetchone()
    if row is not None and row[0] is not None and bytes(row[0]) == who.token:
        return
    if row is None or row[0] is not None or not row[1]:
        raise NotInvited(
            "this invitation is not good, or not any more", hint="ask for another: blueline hub invite"
        )
    if row[2] is None:
        await _make(connection, who)
    elif row[2] != who.project:
        raise NotInvited("this invitation is for another project", hint="ask for one for this project")
    else:
        await _take_over(connection, who)
    await connection.execute(
        "UPDATE invitation SET used = now(), used_by = %s WHERE hash = %s", [who.token, digest(code)]
    )
    await connection.execute(
        "INSERT INTO machine_token (project, hash, machine, expires) VALUES (%s, %s, %s, now() + %s)",
        [who.project, who.token, who.machine, TRUSTED_FOR],
    )


async def _make(connection: AsyncConnection, who: Joining) -> None:
    made = await connection.execute(
        "INSERT INTO project (project, name, machine, format) VALUES (%s, %s, %s, %s)"
        " ON CONFLICT DO NOTHING RETURNING project",
        [who.project, who.name, who.machine, who.format],
    )
    if await made.fetchone() is None:
        raise TakenOver(
            "this project has joined already",
            hint="to let this machine go on with it, ask for an invitation for the project itself",
        )
    await connection.execute("INSERT INTO journal (project, copy) VALUES (%s, 1)", [who.project])
    await note(connection, who.project, who.machine, "joined", {"name": who.name})


async def _take_over(connection: AsyncConnection, who: Joining) -> None:
    """From now on this machine is the project's, and the one before it is not any more: a journal has one
    writer."""
    await connection.execute(
        "UPDATE machine_token SET ended = now() WHERE project = %s AND ended IS NULL", [who.project]
    )
    await connection.execute(
        "UPDATE project SET machine = %s, heard = now() WHERE project = %s", [who.machine, who.project]
    )
    await note(connection, who.project, who.machine, "took over", {})


async def project_of(connection: AsyncConnection, token: str) -> str | None:
    """The project that a token is good for; None if it is good for none."""
    if (project := project_in(token)) is None:
        return None
    found = await connection.execute(
        "SELECT project FROM machine_token"
        " WHERE project = %s AND hash = %s AND ended IS NULL AND expires > now()",
        [project, digest(token)],
    )
    row = await found.fetchone()
    return None if row is None else str(row[0])


async def of(connection: AsyncConnection, project: str) -> list[MachineEntry]:
    """The machines that a project had, the latest first."""
    found = await connection.execute(
        "SELECT left(encode(hash, 'hex'), %s), token.machine, made,"
        " CASE WHEN ended IS NULL AND expires > now() THEN heard END, expires, ended"
        " FROM machine_token AS token JOIN project USING (project) WHERE project = %s ORDER BY made DESC",
        [ID_DIGITS, project],
    )
    return [
        {
            "id": row[0],
            "machine": row[1],
            "joined": said(row[2]),
            "heard": None if row[3] is None else said(row[3]),
            "expires": said(row[4]),
            "ended": None if row[5] is None else said(row[5]),
        }
        async for row in found
    ]


async def send_away(connection: AsyncConnection, who: str, project: str, identifier: str) -> None:
    """A machine is not the project's any more: its token is good for nothing from now on."""
    done = await connection.execute(
        "UPDATE machine_token SET ended = now()"
        " WHERE project = %s AND left(encode(hash, 'hex'), %s) = %s AND ended IS NULL RETURNING machine",
        [project, ID_DIGITS, identifier],
    )
    row = await done.fetchone()
    if row is None:
        raise NoSuchMachine("there is no such machine, or not any more", hint="see /api/machines")
    await note(connection, project, who, "sent a machine away", {"machine": row[0]})


def said(at: datetime) -> str:
    """A time as documents have it."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


async def hear(connection: AsyncConnection, project: str) -> None:
    """The machine is there."""
    await connection.execute("UPDATE project SET heard = now() WHERE project = %s", [project])


async def note(
    connection: AsyncConnection, project: str, who: str, what: str, about: dict[str, object]
) -> None:
    """Write down, for good, who did what."""
    await connection.execute(
        "INSERT INTO audit (project, who, what, about) VALUES (%s, %s, %s, %s)",
        [project, who, what, Jsonb(about)],
    )
