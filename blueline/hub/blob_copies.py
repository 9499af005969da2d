"""Contents that the copied journals name, each under its hash: in the database, or, if they are large and the
hub has object storage, there, with a row that says so."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Iterable, Sequence

from psycopg import AsyncConnection

from blueline.errors import BluelineError
from blueline.hub.object_storage import ObjectStorage
from blueline.kernel import disk

SQUEEZED = b"z"
SIZES = range(256, disk.LONGEST_PAYLOAD)
"""Of content that is compressed, if that helps."""

LARGE = 1 << 18
"""Bytes, as they are held, from which on content goes to object storage."""

ELSEWHERE = b"o"
"""What the row of content that is in object storage holds."""


PUT_BACK = "whoever runs the hub puts the object back from a backup"


class OtherContent(BluelineError):
    """Content that does not belong to the hash it was sent under."""


class NoSuchContent(BluelineError):
    """Nothing is stored under that hash, or not any more."""


class ContentElsewhere(BluelineError):
    """It is in object storage, of which this process was not told."""


class ObjectLost(BluelineError):
    """It is not where it was put, or not what was put there."""


async def missing(connection: AsyncConnection, project: str, hashes: Iterable[bytes]) -> list[bytes]:
    """Those that are not there: what was purged may be needed again, if the machine has it again."""
    found = await connection.execute(
        "SELECT hash FROM unnest(%s::bytea[]) AS hash"
        " WHERE NOT EXISTS (SELECT FROM blob WHERE project = %s AND blob.hash = hash.hash"
        " AND content IS NOT NULL)",
        [list(hashes), project],
    )
    return [bytes(row[0]) async for row in found]


async def put(
    connection: AsyncConnection, objects: ObjectStorage | None, project: str, name: bytes, content: bytes
) -> None:
    """Keep content, once it is seen to be what it is called."""
    if disk.blob_id(content) != name.hex():
        raise OtherContent(
            f"what was sent is not the content of {name.hex()}",
            hint="it was changed on the way: send it again",
        )
    held = disk.squeeze(content, SIZES)
    if objects is None or len(held) < LARGE:
        await _keep(connection, project, name, held)
        return
    # Until this is committed, nobody clears away what has no row.
    await connection.execute("SELECT FROM project WHERE project = %s FOR KEY SHARE", [project])
    if await _keep(connection, project, name, ELSEWHERE):
        # The row is not to be seen yet: it will be once the object is there.
        await objects.put(_key(project, name), held)


async def _keep(connection: AsyncConnection, project: str, name: bytes, held: bytes) -> bool:
    """Write the row; False if there is one with content."""
    found = await connection.execute(
        "INSERT INTO blob (project, hash, content) VALUES (%s, %s, %s)"
        " ON CONFLICT (project, hash) DO UPDATE SET content = excluded.content WHERE blob.content IS NULL",
        [project, name, held],
    )
    return found.rowcount > 0


async def get(connection: AsyncConnection, objects: ObjectStorage | None, project: str, name: bytes) -> bytes:
    """The content, checked against its hash."""
    found = await connection.execute(
        "SELECT content FROM blob WHERE project = %s AND hash = %s", [project, name], binary=True
    )
    row = await found.fetchone()
    if row is None or row[0] is None:
        gone = "was purged" if row is not None else "is not stored here"
        raise NoSuchContent(f"the content of {name.hex()} {gone}")
    if bytes(row[0]) == ELSEWHERE:
        return await _fetched(objects, project, name)
    content = _plain(bytes(row[0]))
    assert disk.blob_id(content) == name.hex(), "it was checked when it was stored"
    return content


async def get_all(
    connection: AsyncConnection, objects: ObjectStorage | None, project: str, names: Sequence[bytes]
) -> list[bytes]:
    """Several contents, those that there are."""
    found = await connection.execute(
        "SELECT hash, content FROM blob WHERE project = %s AND hash = ANY(%s) AND content IS NOT NULL",
        [project, list(names)],
        binary=True,
    )
    rows = [(bytes(name), bytes(held)) async for name, held in found]
    elsewhere = [_fetched(objects, project, name) for name, held in rows if held == ELSEWHERE]
    return [*(_plain(held) for _, held in rows if held != ELSEWHERE), *await asyncio.gather(*elsewhere)]


async def _fetched(objects: ObjectStorage | None, project: str, name: bytes) -> bytes:
    """Content from object storage, checked against its hash."""
    if objects is None:
        raise _elsewhere(name)
    held = await objects.get(_key(project, name))
    if held is None:
        raise ObjectLost(f"the content of {name.hex()} is not in object storage any more", hint=PUT_BACK)
    try:
        content = _plain(held)
    except zlib.error:
        content = None
    if content is None or disk.blob_id(content) != name.hex():
        raise ObjectLost(f"what is in object storage is not the content of {name.hex()}", hint=PUT_BACK)
    return content


def _elsewhere(name: bytes) -> ContentElsewhere:
    return ContentElsewhere(
        f"the content of {name.hex()} is in object storage, of which this process of the hub was not told",
        hint="whoever runs the hub starts it with --objects URL, as the others",
    )


def _key(project: str, name: bytes) -> str:
    return f"{project}/{name.hex()}"


def _plain(held: bytes) -> bytes:
    return zlib.decompress(held[1:]) if held[:1] == SQUEEZED else held[1:]


async def forget(
    connection: AsyncConnection, objects: ObjectStorage | None, project: str, names: Sequence[bytes]
) -> None:
    """Remove contents for good, and remember that they were there. Then `clear`, in a step of its own."""
    if objects is None:
        found = await connection.execute(
            "SELECT hash FROM blob WHERE project = %s AND hash = ANY(%s) AND content = %s LIMIT 1",
            [project, list(names), ELSEWHERE],
        )
        if (row := await found.fetchone()) is not None:
            raise _elsewhere(bytes(row[0]))
    await connection.execute(
        "UPDATE blob SET content = NULL WHERE project = %s AND hash = ANY(%s)", [project, list(names)]
    )


async def clear(
    connection: AsyncConnection, objects: ObjectStorage, project: str, names: Sequence[bytes]
) -> None:
    """Remove the objects of contents that were forgotten. Of those, too, that never got a row: somebody put
    one and was killed."""
    # Whoever puts one just now is waited for, and waits: else its row would name what is removed here.
    await connection.execute("SELECT FROM project WHERE project = %s FOR UPDATE", [project])
    gone = await missing(connection, project, names)
    await objects.remove([_key(project, name) for name in gone])
