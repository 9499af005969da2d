"""Copies of the copies, on the disk of one process of the hub: as state folders, which a desk can read.

They may be thrown away at any time. Contents are there before the records that name them, as on a machine.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from psycopg import AsyncConnection

from blueline.blobs.store import BlobMissing, Blobs
from blueline.desk import state_folder
from blueline.desk.needed_blobs import paths_and_blobs
from blueline.errors import BluelineError
from blueline.hub import blob_copies, journal_copies
from blueline.hub.hub_database import HubDatabase
from blueline.hub.machines import said
from blueline.journal import frames
from blueline.journal.frames import Frame
from blueline.model.ids import BlobId

AT_ONCE = 200
"""Contents that are asked for at once."""


class Machine(NamedTuple):
    """What a machine said of itself and its project, and when."""

    project: str
    name: str
    machine: str
    heard: str
    is_there: bool
    """It was heard from just now: one that follows says something every 15 seconds."""


_ABOUT = "project, name, machine, heard, heard > now() - interval '1 minute'"


async def machine_of(connection: AsyncConnection, project: str) -> Machine | None:
    """The machine of a project; None if there is no such project."""
    found = await connection.execute(f"SELECT {_ABOUT} FROM project WHERE project = %s".encode(), [project])
    row = await found.fetchone()
    return None if row is None else _machine(*row)


async def machines_for(connection: AsyncConnection, person: int) -> list[Machine]:
    """Those in whose projects somebody has a role, which last was heard from first."""
    found = await connection.execute(
        f"SELECT {_ABOUT} FROM project WHERE EXISTS (SELECT FROM role WHERE person = %s"
        " AND role.project IN (project.project, '*')) ORDER BY heard DESC".encode(),
        [person],
    )
    return [_machine(*row) async for row in found]


async def all_machines(connection: AsyncConnection) -> list[Machine]:
    """Those of all projects, which last was heard from first."""
    found = await connection.execute(f"SELECT {_ABOUT} FROM project ORDER BY heard DESC".encode())
    return [_machine(*row) async for row in found]


def _machine(project: str, name: str, machine: str, heard: datetime, is_there: bool) -> Machine:
    return Machine(project, name, machine, said(heard), is_there)


def spoken(heard: str) -> str:
    """A time of a document, for people."""
    return f"{heard[:10]} {heard[11:16]} UTC"


class Generation(NamedTuple):
    """What has to stay the same for a local copy to go on."""

    copy: int
    purges: int


class LocalCopy:
    """One project's journal and contents, as far as this process has fetched them."""

    def __init__(self, database: HubDatabase, folder: Path, about: Machine) -> None:
        self._database = database
        self._folder = folder
        self._lock = asyncio.Lock()
        self.about = about
        self.generation = Generation(0, 0)
        self.length = 0

    @property
    def root(self) -> Path:
        """An empty folder, which is called what the project is called."""
        name = self.about.name
        is_plain = name not in (".", "..") and "/" not in name and len(os.fsencode(name)) < 200
        return self._place / (name if is_plain else self.about.project)

    @property
    def state(self) -> Path:
        return self._place / ".state"

    @property
    def _place(self) -> Path:
        copy, purges = self.generation
        return self._folder / self.about.project / f"{copy}-{purges}"

    async def refresh(self) -> bool:
        """Fetch what is new; True if all that was here before is void."""
        async with self._lock, self._database.step() as connection:
            known = await journal_copies.reached(connection, self.about.project)
            now = Generation(known.copy, known.purges)
            is_other = now != self.generation
            if is_other:
                if self.generation.copy:
                    await asyncio.to_thread(shutil.rmtree, self._place)
                self.generation, self.length = now, 0
                await asyncio.to_thread(self._make)
            try:
                if known.length > self.length:
                    await self._fetch(connection, known.copy, known.length)
            except BluelineError:
                if is_other:
                    # As if it had not begun: else the next time nobody would hear that all before is void.
                    await asyncio.to_thread(self.remove)
                raise
            return is_other

    def remove(self) -> None:
        """Throw away what was fetched."""
        if self.generation.copy:
            shutil.rmtree(self._place)
        self.generation, self.length = Generation(0, 0), 0

    def _make(self) -> None:
        self.root.mkdir(parents=True)
        state_folder.prepare(self.state, os.fsencode(self.root))

    async def _fetch(self, connection: AsyncConnection, copy: int, end: int) -> None:
        project = self.about.project
        async for piece in journal_copies.stretches(connection, project, copy, self.length, end):
            await self._fetch_contents(connection, piece)
            await asyncio.to_thread(self._append, piece)
            self.length += len(piece)

    async def _fetch_contents(self, connection: AsyncConnection, piece: bytes) -> None:
        """What the records of a piece name. Some contents name more: those come in the next round."""
        blobs = Blobs(self.state / "blobs")
        tried: set[BlobId] = set()
        while True:
            named = await asyncio.to_thread(_missing, blobs, piece)
            wanted = [blob for blob in named if blob not in tried]
            if not wanted:
                return
            for at in range(0, len(wanted), AT_ONCE):
                names = [bytes.fromhex(blob) for blob in wanted[at : at + AT_ONCE]]
                contents = await blob_copies.get_all(
                    connection, self._database.objects, self.about.project, names
                )
                await asyncio.to_thread(blobs.put_all, contents)
            tried.update(wanted)

    def _append(self, piece: bytes) -> None:
        with (self.state / "journal").open("ab") as file:
            file.write(piece)


def _missing(blobs: Blobs, piece: bytes) -> list[BlobId]:
    """The contents that a piece of a journal names, and that are not here."""

    def read(blob: BlobId) -> bytes | None:
        try:
            return blobs.get(blob)
        except BlobMissing:
            return None

    records = [one for one in frames.read(piece) if isinstance(one, Frame)]
    named = dict.fromkeys(blob for one in records for _, blob in paths_and_blobs(one, read))
    return [blob for blob in named if not blobs.has(blob)]
