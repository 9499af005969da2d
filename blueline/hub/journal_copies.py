"""Copies of journals, byte by byte, at the same offsets. Nothing here writes an event."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple

from psycopg import AsyncConnection

from blueline.errors import BluelineError
from blueline.hub import summaries
from blueline.hub.pushed_bytes import (
    LastFrame,
    Stretch,
    last_frame,
    must_be_what_is_left,
    purged_since,
)
from blueline.journal.frames import HEADER


class Gap(BluelineError):
    """What stands between is not known here."""


class Copied(NamedTuple):
    """How far a copy is."""

    copy: int
    length: int
    last: LastFrame
    purges: int = 0
    """How often frames of it were purged."""


async def reached(connection: AsyncConnection, project: str, *, locked: bool = False) -> Copied:
    """How far the copy is that the machine adds to now; with `locked`, nobody else adds to it meanwhile."""
    found = await connection.execute(
        "SELECT journal.copy, length, last_start, last_header, purges FROM journal"
        " JOIN project USING (project) WHERE project = %s AND journal.copy = project.copy"
        + (" FOR UPDATE OF journal" if locked else ""),
        [project],
    )
    row = await found.fetchone()
    assert row is not None, "a project begins with a journal"
    return Copied(row[0], row[1], LastFrame(row[2], bytes(row[3])), row[4])


async def add(
    connection: AsyncConnection, project: str, start: int, data: bytes, damaged: Sequence[Stretch] = ()
) -> Copied:
    """Take bytes of a journal in. The same bytes again change nothing; other bytes at a known place are
    refused, but for frames that were purged."""
    last = last_frame(data, start, damaged)
    known = await reached(connection, project, locked=True)
    if start > known.length:
        raise Gap(
            f"bytes from {start} on were sent, and only {known.length} are known",
            hint=f"send them from {known.length} on",
        )
    behind = known.length - start
    if behind:
        known = await _compared(connection, project, known, start, data[:behind])
    if len(data) <= behind:
        return known
    await connection.execute(
        "INSERT INTO segment (project, copy, start, bytes) VALUES (%s, %s, %s, %s)",
        [project, known.copy, known.length, data[behind:]],
    )
    now = known._replace(length=start + len(data), last=last if last.header else known.last)
    await _reach(connection, project, now)
    return now


async def replace(connection: AsyncConnection, project: str, start: int, data: bytes) -> Copied:
    """Put one frame, as it is since a purge, in the place of the frame that it was."""
    known = await reached(connection, project, locked=True)
    end = start + len(data)
    if end > known.length:
        raise Gap(f"the record at {start} is not known", hint="send it as a part of the journal")
    stored = b"".join([one async for one in stretches(connection, project, known.copy, start, end)])
    if stored == data:
        return known
    must_be_what_is_left(stored, data, start)
    await _overwrite(connection, project, known.copy, start, data)
    if start == known.last.start:
        known = known._replace(last=LastFrame(start, data[: HEADER.size]))
    await _reach(connection, project, known)
    return await have_purged(connection, project)


async def have_purged(connection: AsyncConnection, project: str) -> Copied:
    """Something was purged: whoever has a copy of the copy throws that away, and copies of what the journal
    was once go altogether, as nobody can say where in them the same stands."""
    known = await reached(connection, project, locked=True)
    known = known._replace(purges=known.purges + 1)
    await _reach(connection, project, known)
    await summaries.forget(connection, project)
    for table in ("segment", "journal"):
        await connection.execute(
            f"DELETE FROM {table} WHERE project = %s AND copy < %s".encode(), [project, known.copy]
        )
    return known


async def _compared(
    connection: AsyncConnection, project: str, known: Copied, start: int, sent: bytes
) -> Copied:
    """See that what was sent is what is known, and purge what was purged."""
    end = start + len(sent)
    stored = b"".join([one async for one in stretches(connection, project, known.copy, start, end)])
    for place, now in purged_since(stored, sent, start):
        await _overwrite(connection, project, known.copy, place, now)
        if place == known.last.start:
            known = known._replace(last=LastFrame(place, now[: HEADER.size]))
        known = known._replace(purges=known.purges + 1)
        await _reach(connection, project, known)
        await summaries.forget(connection, project)
    return known


async def _reach(connection: AsyncConnection, project: str, now: Copied) -> None:
    await connection.execute(
        "UPDATE journal SET length = %s, last_start = %s, last_header = %s, purges = %s"
        " WHERE project = %s AND copy = %s",
        [now.length, *now.last, now.purges, project, now.copy],
    )


async def _overwrite(connection: AsyncConnection, project: str, copy: int, place: int, now: bytes) -> None:
    """Put a purged frame in the place of the frame it was. One frame is never in two segments."""
    await connection.execute(
        "UPDATE segment SET bytes = overlay(bytes PLACING %(now)s FROM (%(place)s - start + 1)::integer)"
        " WHERE project = %(project)s AND copy = %(copy)s AND start = (SELECT max(start) FROM segment"
        " WHERE project = %(project)s AND copy = %(copy)s AND start <= %(place)s)",
        {"now": now, "place": place, "project": project, "copy": copy},
    )


async def stretches(
    connection: AsyncConnection, project: str, copy: int, start: int, end: int
) -> AsyncIterator[bytes]:
    """The bytes of a copy from one offset to another, piece by piece."""
    async with connection.cursor(binary=True) as cursor:
        await cursor.execute(
            "SELECT start, bytes FROM segment WHERE project = %(project)s AND copy = %(copy)s"
            " AND start < %(end)s AND start >= (SELECT coalesce(max(start), 0) FROM segment"
            " WHERE project = %(project)s AND copy = %(copy)s AND start <= %(start)s) ORDER BY start",
            {"project": project, "copy": copy, "start": start, "end": end},
        )
        async for place, held in cursor:
            yield bytes(held[max(start - place, 0) : end - place])


async def begin_anew(connection: AsyncConnection, project: str, instead_of: int) -> Copied:
    """Begin another copy beside the one that is known, which stays as it is. Asked twice, it is one copy."""
    known = await reached(connection, project, locked=True)
    if known.copy != instead_of:
        return known
    await connection.execute("INSERT INTO journal (project, copy) VALUES (%s, %s)", [project, known.copy + 1])
    await connection.execute("UPDATE project SET copy = %s WHERE project = %s", [known.copy + 1, project])
    return Copied(known.copy + 1, 0, LastFrame())
