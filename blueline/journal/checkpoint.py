"""A copy of the index as it was at an event, beside it, compressed: a lost index costs the events since.

It is a cache, as the index is. Its seal, made last, has a checksum of all its bytes, and the number of the
event that it was made at. Whoever takes it up reads on in the journal behind the record that it names as its
last one, if that one is there; and SQLite has to find the file in order.
"""

import os
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from blueline.journal.database import WINDOW, checksum, remove
from blueline.kernel import disk

NAME = "checkpoint.sqlite"

LEAST_EVENTS = 500
"""Fewer are read again in a moment."""

SHARE = 10
"""One in so many events may have to be read again. So all copies together are ten times the last at most."""


def discard(index: Path) -> None:
    """Remove the checkpoint of an index."""
    remove(index.with_name(NAME))


def is_due(index: Path, event: int) -> bool:
    """Whether so much happened since the last checkpoint that it is time for another."""
    return event >= LEAST_EVENTS and event - made_at(index) >= max(LEAST_EVENTS, event // SHARE)


def made_at(index: Path) -> int:
    """The number of the event that the checkpoint was made at; 0 if there is none."""
    return _sealed(index.with_name(NAME))[1]


def make(index: Path, event: int) -> None:
    """Keep the index as it is; nobody may be writing to it. If that cannot be done, there is none."""
    place = index.with_name(NAME)
    with suppress(OSError):
        remove(place)
        _write(place, _compressed(index), _temporaries(index))
        seal = b"%s %d\n" % (checksum(place), event)
        disk.put_in_place(os.fsencode(_seal(place)), seal, _temporaries(index))


def restore(index: Path, *, of: Path | None = None) -> bool:
    """Put the checkpoint of an index, or of another one, in its place; whether there was a sound one."""
    place = (of or index).with_name(NAME)
    total, _ = _sealed(place)
    try:
        if not total or checksum(place) != total:
            return False
        remove(index)
        _write(index, _expanded(place), _temporaries(place))
    except (OSError, zlib.error):
        return False
    return True


def _seal(place: Path) -> Path:
    return place.with_name(place.name + "-seal")


def _sealed(place: Path) -> tuple[bytes, int]:
    try:
        total, _, event = _seal(place).read_bytes().partition(b" ")
        return total, int(event)
    except (OSError, ValueError):
        return b"", 0


def _temporaries(place: Path) -> bytes:
    """Where the next one removes what a killed process leaves."""
    return os.fsencode(place.parent / "blobs" / "tmp")


def _windows(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while data := file.read(WINDOW):
            yield data


def _compressed(path: Path) -> Iterator[bytes]:
    # Quickly: some command waits for it.
    packer = zlib.compressobj(1)
    for data in _windows(path):
        yield packer.compress(data)
    yield packer.flush()


def _expanded(path: Path) -> Iterator[bytes]:
    opener = zlib.decompressobj()
    for data in _windows(path):
        yield opener.decompress(data)
    yield opener.flush()


def _write(target: Path, parts: Iterator[bytes], temporaries: bytes) -> None:
    """Write a file: under its name, there is never half of it."""
    fd, temporary = disk.open_temporary(temporaries)
    try:
        with open(fd, "wb") as taken:
            for data in parts:
                taken.write(data)
        os.rename(temporary, target)
    except (OSError, zlib.error):
        with suppress(OSError):
            os.unlink(temporary)
        raise
