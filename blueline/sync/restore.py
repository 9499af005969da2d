"""Going on with a project here that was on another machine: its journal, its contents, its files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from blueline.blobs.store import Blobs
from blueline.desk import state_folder
from blueline.desk.laid_out import LaidOut, lay_out
from blueline.desk.needed_blobs import paths_and_blobs
from blueline.desk.new_records import Interpret
from blueline.errors import BluelineError
from blueline.journal.frames import Frame
from blueline.journal.log import Journal
from blueline.kernel import disk, identity
from blueline.model.ids import BlobId
from blueline.sync import membership
from blueline.sync.hub_client import HubAway, HubClient
from blueline.sync.join import ask
from blueline.sync.membership import Membership


class NotEmpty(BluelineError):
    """The folder is a project already."""


class CutShort(BluelineError):
    """Not all of the journal came."""


class Restored(NamedTuple):
    """A project that goes on here."""

    root: Path
    records: int
    files: LaidOut


def restore(
    url: str, invitation: str, project: str, folder: Path, environ: Mapping[str, str], interpret: Interpret
) -> Restored:
    """Take a project over: from now on this machine is the one that writes its journal."""
    folder.mkdir(parents=True, exist_ok=True)
    state = state_folder.state_of(folder, environ)
    if (state / "journal").exists():
        raise NotEmpty(
            f"{folder} is a project already, with a review of its own",
            hint="name another folder, or forget it: blueline projects --forget",
        )
    state_folder.create(folder, environ)
    member = _member(state, url, invitation, project, folder.name or "/")
    identity.give(os.fsencode(state), os.fsencode(folder.resolve()), project.encode())
    with HubClient(url, project, member.token) as hub:
        _fetch_journal(hub, state / "incoming")
        records = _fetch_blobs(hub, state)
    # Last: a folder without a journal is no project yet, and the same command goes on with it.
    os.replace(state / "incoming", state / "journal")
    disk.sync_folder(os.fsencode(state))
    return Restored(folder.resolve(), records, lay_out(folder.resolve(), state, interpret))


def _member(state: Path, url: str, invitation: str, project: str, name: str) -> Membership:
    """The right to it: an invitation is good once, so what it was exchanged for is kept before all else."""
    try:
        known = membership.read(state)
    except membership.NoHub:
        known = None
    if known is not None and (known.url, known.project) == (url, project):
        return known
    made = ask(url, invitation, project, name)
    membership.keep(state, made)
    return made


def _fetch_journal(hub: HubClient, place: Path) -> None:
    wanted = hub.reached()["length"]
    with place.open("wb") as file:
        for piece in hub.journal(0):
            file.write(piece)
        file.flush()
        disk.sync_file(file.fileno())
        if file.tell() < wanted:
            raise CutShort(
                f"{file.tell()} of {wanted} bytes of the journal came", hint="type the same command again"
            )


def _fetch_blobs(hub: HubClient, state: Path) -> int:
    """Get all that the records name, and the hub has."""
    blobs = Blobs(state / "blobs")

    def read(blob: BlobId) -> bytes | None:
        if not blobs.has(blob):
            content = hub.get(blob)
            if content is None:
                return None
            if blobs.put(content) != blob:
                raise HubAway(f"what the hub sent is not the content of {blob}", hint="try again")
        return blobs.get(blob)

    records = 0
    for frame in Journal(state / "incoming").read():
        if isinstance(frame, Frame):
            records += 1
            for _, blob in paths_and_blobs(frame, read):
                read(blob)
    return records
