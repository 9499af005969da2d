"""The browsers that somebody is signed in with: they see them, and can end them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from psycopg import AsyncConnection

from blueline.errors import BluelineError
from blueline.hub.machines import ID_DIGITS, digest, note, said
from blueline.hub.people import EVERYWHERE, HubPerson

if TYPE_CHECKING:
    from blueline.contract.hub import BrowserEntry

# In this order: each says that it is those behind it, too.
KINDS = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("Firefox", "Firefox"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("Linux", "Linux"),
)


class NoSuchBrowser(BluelineError):
    """None of theirs goes by that."""


def kind_of(agent: str) -> str:
    """What a browser says that it is, in a few words; nothing else of it is kept."""
    kind = next((name for word, name in KINDS if re.search(rf"{word}\w*/", agent)), "")
    system = next((name for word, name in SYSTEMS if word in agent), "")
    return " on ".join(one for one in (kind, system) if one)


async def of(connection: AsyncConnection, person: HubPerson, secret: str) -> list[BrowserEntry]:
    """Those that are signed in, the latest first; `secret` is the one that asks."""
    found = await connection.execute(
        "SELECT left(encode(hash, 'hex'), %s), about, made, expires, hash = %s FROM browser"
        " WHERE person = %s AND ended IS NULL AND expires > now() ORDER BY made DESC",
        [ID_DIGITS, digest(secret), person.number],
    )
    return [
        {"id": row[0], "about": row[1], "since": said(row[2]), "expires": said(row[3]), "here": row[4]}
        async for row in found
    ]


async def end(connection: AsyncConnection, person: HubPerson, identifier: str) -> None:
    """One of somebody's own browsers is a stranger from now on."""
    done = await connection.execute(
        "UPDATE browser SET ended = now() WHERE person = %s AND left(encode(hash, 'hex'), %s) = %s"
        " AND ended IS NULL RETURNING about",
        [person.number, ID_DIGITS, identifier],
    )
    row = await done.fetchone()
    if row is None:
        raise NoSuchBrowser("you have no such browser, or not any more", hint="see /api/browsers")
    await note(connection, EVERYWHERE, f"person {person.number}", "signed out", {"browser": row[0]})
