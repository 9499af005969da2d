"""Sending what is new: contents first, then the records that name them, as on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from blueline.desk.outgoing_journal import Outgoing, Parcel
from blueline.model.ids import BlobId
from blueline.sync.hub_client import HubClient

ASKED_AT_ONCE = 1000


@dataclass
class SyncCount:
    """What was sent, or would be."""

    records: int = 0
    bytes: int = 0
    blobs: int = 0
    lost: int = 0
    """Contents that are named and not stored here: purged, or never had."""


Progress = Callable[[SyncCount], None]


def push(
    hub: HubClient, going: Outgoing, *, dry_run: bool = False, tell: Progress = lambda so_far: None
) -> SyncCount:
    """Bring the hub's copy up to this journal. Stopped anywhere, it goes on from there the next time."""
    done = SyncCount()
    known = hub.reached()
    if not dry_run and _purge(hub, going, known["length"]):
        known = hub.reached()
    start = known["length"]
    if start and not going.is_known_as(known["last_start"], bytes.fromhex(known["last_header"])):
        # This journal was cut or put back since. What the hub has stays there, beside the copy that begins.
        if not dry_run:
            hub.begin_anew(known["copy"])
        start = 0
    for parcel in going.parcels(start):
        _send_blobs(hub, going, parcel, done, dry_run=dry_run)
        if not dry_run:
            hub.add(parcel.start, parcel.data, parcel.damaged)
        done.records += parcel.records
        done.bytes += len(parcel.data)
        tell(done)
    return done


def _purge(hub: HubClient, going: Outgoing, length: int) -> bool:
    """Have the hub purge what was purged here since; whether there was anything. Told twice, it is done
    once."""
    if not going.purges.frames and not going.purges.blobs:
        return False
    for some in _in_parts(going.purges.blobs):
        hub.forget(some)
    for start, data in going.purged(length):
        hub.replace(start, data)
    going.settled()
    return True


def _send_blobs(hub: HubClient, going: Outgoing, parcel: Parcel, done: SyncCount, *, dry_run: bool) -> None:
    for some in _in_parts(parcel.blobs):
        for name in hub.missing(some):
            content = going.content(BlobId(name))
            if content is None:
                done.lost += 1
                continue
            if not dry_run:
                hub.put(name, content)
            done.blobs += 1
            done.bytes += len(content)


def _in_parts(blobs: Sequence[BlobId]) -> Iterator[Sequence[BlobId]]:
    for at in range(0, len(blobs), ASKED_AT_ONCE):
        yield blobs[at : at + ASKED_AT_ONCE]
