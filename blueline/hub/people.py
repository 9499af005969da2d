"""People: how they are let in, by what they are known, and what they may do in which project."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

from psycopg import AsyncConnection

from blueline.errors import BluelineError
from blueline.hub.machines import INVITED_FOR, NotInvited, digest, note, said

if TYPE_CHECKING:
    from blueline.contract.hub import KnownPerson, PersonRole

Role = Literal["reader", "reviewer", "owner"]
ROLES: tuple[Role, ...] = ("reader", "reviewer", "owner")
"""Each may do what those before it may."""

EVERYWHERE = "*"
OPERATOR = "who runs the hub"
SIGNED_IN_FOR = timedelta(days=30)
VOUCHED_FOR = timedelta(hours=12)
"""With a provider it is one click to sign in again, and then it is known what the provider says by now."""

SECRET_BYTES = 32
INVITED, SIGNED_IN = "blp", "bls"


class NoSuchPerson(BluelineError):
    """Nobody goes by that number."""


class HubPerson(NamedTuple):
    """Somebody who was let in."""

    number: int
    name: str


class Identity(NamedTuple):
    """Somebody whom a provider vouches for."""

    issuer: str
    subject: str
    name: str
    role: Role | None
    """What they may do everywhere, by what the provider says of them; None if that lets them in nowhere."""


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


async def enter(connection: AsyncConnection, code: str, about: str = "") -> str:
    """Exchange the secret of a link for that of a browser that is signed in."""
    person = await _spend(connection, code)
    return await sign_in(connection, person, "by an invitation", SIGNED_IN_FOR, about)


async def _spend(connection: AsyncConnection, code: str) -> int:
    """Use up the secret of a link; whom it was for."""
    found = await connection.execute(
        "UPDATE invitation SET used = now() WHERE hash = %s AND person IS NOT NULL AND used IS NULL"
        " AND expires > now() RETURNING person",
        [digest(code)],
    )
    row = await found.fetchone()
    if row is None:
        raise NotInvited("this link is not good, or not any more", hint="ask for another: it is good once")
    return int(row[0])


async def admit(connection: AsyncConnection, who: Identity, code: str = "", about: str = "") -> str:
    """Let somebody in whom a provider vouches for: with the secret of a link, because they were here before,
    or because of what the provider says of them. The secret of their browser."""
    found = await connection.execute(
        "SELECT person FROM person WHERE issuer = %s AND subject = %s", [who.issuer, who.subject]
    )
    row = await found.fetchone()
    known = None if row is None else int(row[0])
    if code:
        known = await _bound(connection, who, await _spend(connection, code), known)
    elif known is None:
        if who.role is None:
            raise NotInvited(
                f"nobody has invited {who.name} yet", hint="ask an owner, or whoever runs the hub, for a link"
            )
        known = await _made(connection, who)
    await connection.execute("UPDATE person SET name = %s WHERE person = %s", [who.name, known])
    await _by_provider(connection, known, who)
    return await sign_in(connection, known, f"by {who.issuer}", VOUCHED_FOR, about)


async def _made(connection: AsyncConnection, who: Identity) -> int:
    made = await connection.execute(
        "INSERT INTO person (name, issuer, subject) VALUES (%s, %s, %s)"
        # Two browsers of one person at once: the second waits for the first, and finds it.
        " ON CONFLICT (issuer, subject) DO UPDATE SET name = excluded.name RETURNING person",
        [who.name, who.issuer, who.subject],
    )
    row = await made.fetchone()
    assert row is not None, "it is there now"
    return int(row[0])


async def _bound(connection: AsyncConnection, who: Identity, invited: int, known: int | None) -> int:
    """Whom a link was made for is whoever came with it: from now on, or, if they were here before, by what
    they were given with it."""
    if known is None:
        bound = await connection.execute(
            "UPDATE person SET issuer = %s, subject = %s WHERE person = %s AND subject IS NULL",
            [who.issuer, who.subject, invited],
        )
        if bound.rowcount:
            return invited
        raise NotInvited("this link is for somebody else", hint="ask for one of your own")
    if known != invited:
        found = await connection.execute("SELECT project, role FROM role WHERE person = %s", [invited])
        for project, role in await found.fetchall():
            mine = await connection.execute(
                "SELECT role FROM role WHERE person = %s AND project = %s", [known, project]
            )
            both = [cast(Role, row[0]) async for row in mine] + [cast(Role, role)]
            await give(connection, f"person {known}", known, project, highest(both))
            await connection.execute(
                "DELETE FROM role WHERE person = %s AND project = %s", [invited, project]
            )
    return known


async def _by_provider(connection: AsyncConnection, person: int, who: Identity) -> None:
    """Bring the role that follows from what a provider says up to what it says now. One that was given by
    hand stays."""
    found = await connection.execute(
        "SELECT role, by_provider FROM role WHERE person = %s AND project = %s FOR UPDATE",
        [person, EVERYWHERE],
    )
    row = await found.fetchone()
    if row is not None and (not row[1] or row[0] == who.role):
        return
    if row is None and who.role is None:
        return
    await give(connection, who.issuer, person, EVERYWHERE, who.role, by_provider=True)


async def sign_in(
    connection: AsyncConnection, person: int, how: str, lasts: timedelta, about: str = ""
) -> str:
    """The secret by which a browser is known from now on; `about` says what kind of browser it is."""
    secret = f"{SIGNED_IN}_{secrets.token_urlsafe(SECRET_BYTES)}"
    await connection.execute(
        "INSERT INTO browser (hash, person, expires, about) VALUES (%s, %s, now() + %s, %s)",
        [digest(secret), person, lasts, about],
    )
    await note(connection, EVERYWHERE, f"person {person}", "signed in", {"how": how})
    return secret


async def sign_out(connection: AsyncConnection, secret: str) -> None:
    """Let a browser be a stranger again."""
    done = await connection.execute(
        "UPDATE browser SET ended = now() WHERE hash = %s AND ended IS NULL RETURNING person",
        [digest(secret)],
    )
    if (row := await done.fetchone()) is not None:
        await note(connection, EVERYWHERE, f"person {row[0]}", "signed out", {})


async def sign_out_everywhere(connection: AsyncConnection, person: int) -> int:
    """The same for all browsers of somebody, and for links that nobody has opened; how many browsers."""
    known = await connection.execute("SELECT FROM person WHERE person = %s", [person])
    if await known.fetchone() is None:
        raise NoSuchPerson(f"there is nobody with the number {person}", hint="see blueline hub people")
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


async def give(
    connection: AsyncConnection,
    who: str,
    person: int,
    project: str,
    role: Role | None,
    *,
    by_provider: bool = False,
) -> None:
    """Let somebody do in a project what a role may; None takes it away."""
    known = await connection.execute("SELECT FROM person WHERE person = %s", [person])
    if await known.fetchone() is None:
        raise NoSuchPerson(f"there is nobody with the number {person}", hint="see /api/people")
    if role is None:
        await connection.execute("DELETE FROM role WHERE project = %s AND person = %s", [project, person])
    else:
        await connection.execute(
            "INSERT INTO role (project, person, role, by_provider) VALUES (%s, %s, %s, %s)"
            " ON CONFLICT (project, person) DO UPDATE SET role = excluded.role,"
            " by_provider = excluded.by_provider",
            [project, person, role, by_provider],
        )
    await note(connection, project, who, "gave a role", {"person": person, "role": role})


_BROWSERS = (
    "(SELECT count(*) FROM browser"
    " WHERE browser.person = person.person AND ended IS NULL AND expires > now())"
)


async def of(connection: AsyncConnection, project: str) -> list[PersonRole]:
    """The people of a project, and those of all projects."""
    query = (
        f"SELECT person, name, role, project = %(everywhere)s, {_BROWSERS},"
        " (SELECT max(expires) FROM invitation"
        " WHERE invitation.person = person.person AND used IS NULL AND expires > now())"
        " FROM role JOIN person USING (person)"
        " WHERE project IN (%(project)s, %(everywhere)s) ORDER BY name, person, project"
    )
    found = await connection.execute(query.encode(), {"project": project, "everywhere": EVERYWHERE})
    return [
        {
            "person": row[0],
            "name": row[1],
            "role": row[2],
            "everywhere": row[3],
            "browsers": row[4],
            "invited": None if row[5] is None else said(row[5]),
        }
        async for row in found
    ]


async def everybody(connection: AsyncConnection) -> list[KnownPerson]:
    """All whom the hub knows, and what they may do where."""
    query = (
        f"SELECT person, name, issuer, {_BROWSERS}, coalesce((SELECT jsonb_object_agg(project, role)"
        " FROM role WHERE role.person = person.person), '{}') FROM person ORDER BY name, person"
    )
    found = await connection.execute(query.encode())
    return [
        {"person": row[0], "name": row[1], "issuer": row[2], "roles": row[4], "browsers": row[3]}
        async for row in found
    ]


async def role_of(connection: AsyncConnection, person: HubPerson, project: str) -> Role | None:
    """What somebody may do in a project: the most that they were given, here or everywhere."""
    found = await connection.execute(
        "SELECT role FROM role JOIN project ON project.project = %s"
        " WHERE person = %s AND role.project IN (project.project, %s)",
        [project, person.number, EVERYWHERE],
    )
    return highest([cast(Role, row[0]) async for row in found])


async def role_everywhere(connection: AsyncConnection, person: HubPerson) -> Role | None:
    """What somebody may do in all projects that there are and will be."""
    found = await connection.execute(
        "SELECT role FROM role WHERE person = %s AND project = %s", [person.number, EVERYWHERE]
    )
    return highest([cast(Role, row[0]) async for row in found])


def highest(roles: list[Role]) -> Role | None:
    return max(roles, key=ROLES.index, default=None)
