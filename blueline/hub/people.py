"""People: how they are let in, by what they are known, and what they may do in which project."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

from psycopg import AsyncConnection

from blueline.errors import BluelineError
from blueline.hub.machines import INVITED_FOR, NotInvited, digest, note

if TYPE_CHECKING:
    from blueline.contract.hub import PersonRole

Role = Literal["reader", "reviewer", "owner"]
ROLES: tuple[Role, ...] = ("reader", "reviewer", "owner")
"""Each may do what those before it may."""

EVERYWHERE = "*"
OPERATOR = "who runs the hub"
SIGNED_IN_FOR = timedelta(days=30)
SECRET_BYTES = 32
INVITED, SIGNED_IN = "blp", "bls"


class NoSuchPerson(BluelineError):
    """Nobody goes by that number."""


class HubPerson(NamedTuple):
    """Somebody who was let in."""

    number: int
    name: str


async def invite(
    connection: AsyncConnection, name: str, project: str, role: Role, who: str = OPERATOR
) -> tuple[HubPerson, str]:
    """Make somebody known, with a role; and the secret of the link that lets them in, once."""
    made = await connection.execute("INSERT INTO person (name) VALUES (%s) RETURNING person", [name])
    row = await made.fetchone()
    assert row is not None, "an insert returns its row"
    person = HubPerson(int(row[0]), name)
    await give(connection, who, person.number, project, role)
    return person, await link(connection, person.number)


async def link(connection: AsyncConnection, person: int) -> str:
    """The secret of a link that lets somebody in who is known: at first, or on another machine."""
    code = f"{INVITED}_{secrets.token_urlsafe(SECRET_BYTES)}"
    made = await connection.execute(
        "INSERT INTO invitation (hash, expires, person)"
        " SELECT %s, now() + %s, person FROM person WHERE person = %s RETURNING person",
        [digest(code), INVITED_FOR, person],
    )
    if await made.fetchone() is None:
        raise NoSuchPerson(f"there is nobody with the number {person}", hint="see blueline hub people")
    return code


async def enter(connection: AsyncConnection, code: str) -> str:
    """Exchange the secret of a link for that of a browser that is signed in."""
    found = await connection.execute(
        "UPDATE invitation SET used = now() WHERE hash = %s AND person IS NOT NULL AND used IS NULL"
        " AND expires > now() RETURNING person",
        [digest(code)],
    )
    row = await found.fetchone()
    if row is None:
        raise NotInvited("this link is not good, or not any more", hint="ask for another: it is good once")
    return await sign_in(connection, int(row[0]), "by an invitation")


async def sign_in(connection: AsyncConnection, person: int, how: str) -> str:
    """The secret by which a browser is known from now on."""
    secret = f"{SIGNED_IN}_{secrets.token_urlsafe(SECRET_BYTES)}"
    await connection.execute(
        "INSERT INTO browser (hash, person, expires) VALUES (%s, %s, now() + %s)",
        [digest(secret), person, SIGNED_IN_FOR],
    )
    await note(connection, EVERYWHERE, f"person {person}", "signed in", {"how": how})
    return secret


async def sign_out(connection: AsyncConnection, secret: str) -> None:
    """Let a browser be a stranger again."""
    await connection.execute(
        "UPDATE browser SET ended = now() WHERE hash = %s AND ended IS NULL", [digest(secret)]
    )


async def sign_out_everywhere(connection: AsyncConnection, person: int) -> int:
    """The same for all browsers of somebody, and for links that nobody has opened; how many browsers."""
    done = await connection.execute(
        "UPDATE browser SET ended = now() WHERE person = %s AND ended IS NULL AND expires > now()", [person]
    )
    await connection.execute(
        "UPDATE invitation SET expires = now() WHERE person = %s AND used IS NULL", [person]
    )
    await note(connection, EVERYWHERE, OPERATOR, "signed out everywhere", {"person": person})
    return done.rowcount


async def known_by(connection: AsyncConnection, secret: str) -> HubPerson | None:
    """Whose browser it is; None if it is nobody's, or not any more."""
    found = await connection.execute(
        "SELECT person, name FROM browser JOIN person USING (person)"
        " WHERE hash = %s AND ended IS NULL AND expires > now()",
        [digest(secret)],
    )
    row = await found.fetchone()
    return None if row is None else HubPerson(int(row[0]), str(row[1]))


async def give(connection: AsyncConnection, who: str, person: int, project: str, role: Role | None) -> None:
    """Let somebody do in a project what a role may; None takes it away."""
    if role is None:
        await connection.execute("DELETE FROM role WHERE project = %s AND person = %s", [project, person])
    else:
        await connection.execute(
            "INSERT INTO role (project, person, role) VALUES (%s, %s, %s)"
            " ON CONFLICT (project, person) DO UPDATE SET role = excluded.role",
            [project, person, role],
        )
    await note(connection, project, who, "gave a role", {"person": person, "role": role})


async def of(connection: AsyncConnection, project: str) -> list[PersonRole]:
    """The people of a project, and those of all projects."""
    found = await connection.execute(
        "SELECT person, name, role, project = %(everywhere)s FROM role JOIN person USING (person)"
        " WHERE project IN (%(project)s, %(everywhere)s) ORDER BY name, person, project",
        {"project": project, "everywhere": EVERYWHERE},
    )
    return [{"person": row[0], "name": row[1], "role": row[2], "everywhere": row[3]} async for row in found]


async def role_of(connection: AsyncConnection, person: HubPerson, project: str) -> Role | None:
    """What somebody may do in a project: the most that they were given, here or everywhere."""
    found = await connection.execute(
        "SELECT role FROM role JOIN project ON project.project = %s"
        " WHERE person = %s AND role.project IN (project.project, %s)",
        [project, person.number, EVERYWHERE],
    )
    return highest([cast(Role, row[0]) async for row in found])


def highest(roles: list[Role]) -> Role | None:
    return max(roles, key=ROLES.index, default=None)
