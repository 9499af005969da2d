"""Contents that the copied journals name, each under its hash."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence

from psycopg import AsyncConnection

from blueline.errors import BluelineError
from blueline.kernel import disk

SQUEEZED = b"z"
SIZES = range(256, disk.LONGEST_PAYLOAD)
"""Of content that is compressed, if that helps."""


class OtherContent(BluelineError):
    """Content that does not belong to the hash it was sent under."""


class NoSuchContent(BluelineError):
    """Nothing is stored under that hash, or not any more."""


async def missing(connection: AsyncConnection, project: str, hashes: Iterable[bytes]) -> list[bytes]:
    """Those that are not there: what was purged may be needed again, if the machine has it again."""
    found = await connection.execute(
        "SELECT hash FROM unnest(%s::bytea[]) AS hash"
        " WHERE NOT EXISTS (SELECT FROM blob WHERE project = %s AND blob.hash = hash.hash"
        " AND content IS NOT NULL)",
        [list(hashes), project],
    )
    return [bytes(row[0]) async for row in found]


async def put(connection: AsyncConnection, project: str, name: bytes, content: bytes) -> None:
    """Keep content, once it is seen to be what it is called."""
    if disk.blob_id(content) != name.hex():
        raise OtherContent(
            f"what was sent is not the content of {name.hex()}",
            hint="it was changed on the way: send it again",
        )
    await connection.execute(
        "INSERT INTO blob (project, hash, content) VALUES (%s, %s, %s)"
        " ON CONFLICT (project, hash) DO UPDATE SET content = excluded.content WHERE blob.content IS NULL",
        [project, name, disk.squeeze(content, SIZES)],
    )


async def get(connection: AsyncConnection, project: str, name: bytes) -> bytes:
    """The content, checked against its hash."""
    found = await connection.execute(
        "SELECT content FROM blob WHERE project = %s AND hash = %s", [project, name], binary=True
    )
    row = await found.fetchone()
    if row is None or row[0] is None:
        gone = "was purged" if row is not None else "is not stored here"
        raise NoSuchContent(f"the content of {name.hex()} {gone}")
    content = _plain(bytes(row[0]))
    assert disk.blob_id(content) == name.hex(), "it was checked when it was stored"
    return content


async def get_all(connection: AsyncConnection, project: str, names: Sequence[bytes]) -> list[bytes]:
    """Several contents, those that there are."""
    found = await connection.execute(
        "SELECT content FROM blob WHERE project = %s AND hash = ANY(%s) AND content IS NOT NULL",
        [project, list(names)],
        binary=True,
    )
    return [_plain(bytes(row[0])) async for row in found]


def _plain(held: bytes) -> bytes:
    return zlib.decompress(held[1:]) if held[:1] == SQUEEZED else held[1:]


async def forget(connection: AsyncConnection, project: str, names: Sequence[bytes]) -> None:
    """Remove contents for good, and remember that they were there."""
    await connection.execute(
        "UPDATE blob SET content = NULL WHERE project = %s AND hash = ANY(%s)", [project, list(names)]
    )
