"""What of a journal may leave this machine: its bytes, at their offsets, and the contents that they name.

A record about a file whose content never leaves is sent as it would be after a purge of that file: the hub
learns that something happened, and not what. The journal here stays as it is.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from blueline.blobs.store import BlobDamaged, BlobMissing, BlobPurged, Blobs
from blueline.desk import person_config, unsent_purges
from blueline.desk.needed_blobs import paths_and_blobs, states_in
from blueline.desk.open_project import OpenProject
from blueline.desk.scrubbed import without_content
from blueline.errors import BluelineError
from blueline.journal import frames
from blueline.journal.event_bytes import dump_event, load_event
from blueline.journal.frames import EVENT, OBSERVATION, Damage, Frame
from blueline.journal.log import Journal
from blueline.journal.observation import parse
from blueline.kernel import disk
from blueline.model.fact import Event
from blueline.model.ids import BlobId

PARCEL = 4 << 20
"""Bytes that are sent at once, or one record that is longer."""

NEVER = "never"
USUAL = (
    ".env",
    ".env.*",
    "*.key",
    "*.pem",
    "*.p12",
    "*.pfx",
    "id_rsa*",
    "id_ecdsa*",
    "id_ed25519*",
    ".netrc",
    ".npmrc",
    ".pypirc",
    "credentials.json",
)
"""Files that hold secrets by custom."""


class Parcel(NamedTuple):
    """A stretch of the journal, ready to be sent."""

    start: int
    data: bytes
    damaged: tuple[tuple[int, int], ...]
    """Stretches that are no record, and have their place all the same."""
    blobs: tuple[BlobId, ...]
    """Contents that have to be there before it."""
    records: int


def patterns(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Whose content never leaves: as the person's own config says, or else what holds secrets by custom."""
    found = person_config.read(environ).get(NEVER, list(USUAL))
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise person_config.PersonConfigUnreadable(
            f"{person_config.config_path(environ)}: {NEVER} must be a list of names",
            hint='such as never = [".env", "*.pem"]',
        )
    return tuple(found)


def is_withheld(path: str, never: Sequence[str]) -> bool:
    """A pattern with a slash is about the whole path, one without about any name on the way."""
    names = path.split("/")
    return any(
        fnmatchcase(path, one) if "/" in one else any(fnmatchcase(name, one) for name in names)
        for one in never
    )


class Outgoing:
    """All that was recorded up to the moment in which it was asked for."""

    def __init__(self, project: OpenProject, never: Sequence[str]) -> None:
        store = project.store
        self._never = never
        self._state = store.state
        self.purges = unsent_purges.read(store.state)
        self._journal = Journal(store.state / "journal")
        self._blobs = Blobs(store.state / "blobs")
        self.end = store.mark.cursor
        files = {
            number: {str(setting.value) for setting in file.paths}
            for number, _ in store.index.files.paths()
            if (file := store.ledger.file(number)) is not None
        }
        self._files = {one for one, paths in files.items() if any(is_withheld(p, never) for p in paths)}
        self.withheld = sorted({path for number in self._files for path in files[number]})

    def is_known_as(self, start: int, header: bytes) -> bool:
        """Whether this journal has, at that place, the frame that was sent under this header."""
        try:
            frame = self._journal.at(start)
        except BluelineError:
            return False
        # As it is, too: it may have been sent before its file got a name that never leaves.
        forms = (self._sent(frame), disk.frame(frame.kind, frame.payload))
        return header in {one[: disk.HEADER_SIZE] for one in forms}

    def purged(self, before: int) -> Iterator[tuple[int, bytes]]:
        """The records that a purge has changed since they may have been sent: where each starts, and as it
        leaves now. Of those behind an offset nobody has heard yet."""
        for start in self.purges.frames:
            if start < before:
                yield start, self._sent(self._journal.at(start))

    def settled(self) -> None:
        """All of these purges were told."""
        unsent_purges.settle(self._state, self.purges)

    def parcels(self, after: int) -> Iterator[Parcel]:
        """What stands behind an offset, in order and without a gap. The end of a record that somebody is
        still writing is left for the next time."""
        pieces: list[bytes] = []
        damaged: list[tuple[int, int]] = []
        blobs: dict[BlobId, None] = {}
        start, size, records = after, 0, 0
        for found in self._journal.read(after):
            if found.end > self.end or (isinstance(found, Damage) and found.tail):
                break
            if isinstance(found, Damage):
                piece = self._raw(found.start, found.end)
                damaged.append((found.start, found.end))
            else:
                piece = self._sent(found)
                records += 1
                for frame in frames.read(piece, base=found.start):
                    if isinstance(frame, Frame):
                        blobs.update(dict.fromkeys(blob for _, blob in paths_and_blobs(frame, self._read)))
            pieces.append(piece)
            size += len(piece)
            # Not behind damage: what stands there may belong to a record that begins in it.
            if size >= PARCEL and isinstance(found, Frame):
                yield Parcel(start, b"".join(pieces), tuple(damaged), tuple(blobs), records)
                start, size, records = found.end, 0, 0
                pieces, damaged, blobs = [], [], {}
        if records:
            yield Parcel(start, b"".join(pieces), tuple(damaged), tuple(blobs), records)

    def content(self, blob: BlobId) -> bytes | None:
        """A stored content; None if it is lost, or was purged."""
        return self._read(blob)

    def _sent(self, frame: Frame) -> bytes:
        """A frame as it leaves: of the same length."""
        if not self._files:
            return disk.frame(frame.kind, frame.payload)
        if frame.kind == OBSERVATION and self._tells_of_withheld(frame):
            return frames.purged(frame)
        if frame.kind != EVENT:
            return disk.frame(frame.kind, frame.payload)
        event = load_event(frame.payload)
        paths = set(self.withheld)
        facts = tuple(without_content(fact, self._files, paths) for fact in event.facts)
        if facts == event.facts:
            return disk.frame(frame.kind, frame.payload)
        payload = dump_event(Event(number=event.number, at=event.at, source=event.source, facts=facts))
        # The same length as before: blanks after a JSON document mean nothing.
        return disk.frame(frame.kind, payload.ljust(len(frame.payload)))

    def _tells_of_withheld(self, frame: Frame) -> bool:
        try:
            seen = parse(frame.payload)
        except BluelineError:
            return True  # nobody can say what is in it
        paths = {path for path, _ in states_in(seen, self._read)}
        return any(is_withheld(path, self._never) for path in paths | ({seen.path} if seen.path else set()))

    def _read(self, blob: BlobId) -> bytes | None:
        try:
            return self._blobs.get(blob)
        except (BlobPurged, BlobMissing, BlobDamaged):
            return None

    def _raw(self, start: int, end: int) -> bytes:
        with self._journal.path.open("rb") as file:
            return os.pread(file.fileno(), end - start, start)
