"""Old contents, many in one file: one file for each day, in which frames follow each other as in the journal.

A frame of kind `b` has a line for each content, with its id and its length, an empty line, and all of them
one after the other, compressed. One of kind `x` has the ids of contents that were removed for good. Frames
are added at the end, and a torn one is passed over; what is removed is left out of a new file, which takes
the old one's place. Whoever adds or removes holds the project's lock; anybody may read.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from blueline.kernel import disk
from blueline.model.ids import BlobId

PACKED, REMOVED = b"b", b"x"

CHUNK = 1 << 20
"""Bytes of content in a frame, before they are compressed; more if a single one is longer."""


class PackedPlace(NamedTuple):
    """Where a content stands."""

    file: Path
    start: int
    end: int
    """Of its frame."""
    offset: int
    size: int
    """Of the content among those of the frame."""


class _Listed(NamedTuple):
    """What one file holds, as it was when it looked like that."""

    look: tuple[int, int, int]
    places: dict[BlobId, PackedPlace]
    removed: frozenset[BlobId]


class Packs:
    """The packs in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._listed: dict[Path, _Listed] = {}
        self._last: tuple[tuple[Path, int, int], bytes] | None = None
        """The frame that was read last, and its contents."""

    def places(self, blob: BlobId) -> list[PackedPlace]:
        """Where a content stands: in several packs, if it came back."""
        return [one.places[blob] for one in self._known() if blob in one.places]

    def is_removed(self, blob: BlobId) -> bool:
        """Whether a content stood here, and was removed for good."""
        return any(blob in one.removed for one in self._known())

    def ids(self) -> set[BlobId]:
        return {blob for one in self._known() for blob in one.places}

    def removed(self) -> set[BlobId]:
        """Those that were removed for good."""
        return {blob for one in self._known() for blob in one.removed}

    def read(self, place: PackedPlace) -> bytes:
        """A content; a ValueError if its frame is not there, or damaged."""
        name = place.file, place.start, place.end
        if self._last is None or self._last[0] != name:
            with place.file.open("rb") as file:
                data = os.pread(file.fileno(), place.end - place.start, place.start)
            found = disk.whole_frames(data, 0)
            if len(found) != 1:
                raise ValueError("no frame is there")
            try:
                self._last = name, zlib.decompress(_split(found[0][2])[1])
            except zlib.error as error:
                raise ValueError("it cannot be expanded") from error
        return self._last[1][place.offset : place.offset + place.size]

    def add(self, contents: Iterable[tuple[BlobId, bytes]], day: str) -> None:
        """Store contents, durably."""
        frames = [disk.frame(PACKED, _payload(some)) for some in _in_chunks(contents)]
        if frames:
            self._append(day, b"".join(frames))

    def note_removed(self, blobs: Collection[BlobId], day: str) -> None:
        """Remember that contents, which do not stand here, were removed for good."""
        if blobs:
            self._append(day, disk.frame(REMOVED, _ids(blobs)))

    def remove(self, blobs: Collection[BlobId]) -> None:
        """Remove contents for good, and remember that they were here."""
        going = {*blobs}
        for path, listed in [(path, self._listed[path]) for path in self._files()]:
            if going & listed.places.keys():
                # Never half a file: cut short, the old one is there with all that it held.
                data = b"".join(_frames_without(path.read_bytes(), going, listed.removed))
                disk.place(os.fsencode(path.absolute()), data, os.fsencode(self._temporaries()))
        self._last = None

    def _append(self, day: str, data: bytes) -> None:
        folder = os.fsencode(self.folder.absolute())
        disk.make_folder(folder)
        disk.append(folder + b"/" + day.encode(), data)

    def _temporaries(self) -> Path:
        return self.folder.absolute().parent / "tmp"

    def _files(self) -> list[Path]:
        self._known()
        return sorted(self._listed)

    def _known(self) -> list[_Listed]:
        """What each file holds; only those are read that are not as they were."""
        try:
            with os.scandir(self.folder) as entries:
                found = [entry for entry in entries if entry.is_file(follow_symlinks=False)]
        except FileNotFoundError:
            found = []
        now: dict[Path, _Listed] = {}
        for entry in found:
            stat, path = entry.stat(follow_symlinks=False), Path(entry.path)
            look = stat.st_ino, stat.st_size, stat.st_mtime_ns
            known = self._listed.get(path)
            now[path] = known if known is not None and known.look == look else _list(path, look)
        self._listed = now
        return [*now.values()]


def _list(path: Path, look: tuple[int, int, int]) -> _Listed:
    places: dict[BlobId, PackedPlace] = {}
    removed: set[BlobId] = set()
    for start, end, kind, payload in _frames(path.read_bytes()):
        if kind == REMOVED:
            removed |= _removed_in(payload)
            continue
        offset = 0
        for blob, size in _rows(payload):
            places[blob] = PackedPlace(path, start, end, offset, size)
            offset += size
    return _Listed(look, places, frozenset(removed - places.keys()))


def _frames(data: bytes) -> Iterator[tuple[int, int, bytes, bytes]]:
    """Every whole frame, with what is none passed over: a process was killed while it wrote that."""
    at = 0
    while 0 <= at < len(data):
        start = at
        for end, kind, payload in disk.whole_frames(data, at):
            yield start, end, kind, payload
            start = end
        at = data.find(disk.MAGIC, start + 1 if start == at else start)


def _frames_without(data: bytes, going: set[BlobId], before: Iterable[BlobId]) -> Iterator[bytes]:
    removed = {*before}
    for start, end, kind, payload in _frames(data):
        if kind != PACKED:
            continue
        rows = _rows(payload)
        if not any(blob in going for blob, _ in rows):
            yield data[start:end]
            continue
        removed |= {blob for blob, _ in rows if blob in going}
        whole, at, left = zlib.decompress(_split(payload)[1]), 0, []
        for blob, size in rows:
            if blob not in going:
                left.append((blob, whole[at : at + size]))
            at += size
        if left:
            yield disk.frame(PACKED, _payload(left))
    yield disk.frame(REMOVED, _ids(removed))


def _in_chunks(contents: Iterable[tuple[BlobId, bytes]]) -> Iterator[list[tuple[BlobId, bytes]]]:
    some: list[tuple[BlobId, bytes]] = []
    size = 0
    for blob, content in contents:
        if some and size + len(content) > CHUNK:
            yield some
            some, size = [], 0
        some.append((blob, content))
        size += len(content)
    if some:
        yield some


def _payload(contents: list[tuple[BlobId, bytes]]) -> bytes:
    rows = "".join(f"{blob} {len(content)}\n" for blob, content in contents)
    return rows.encode() + b"\n" + zlib.compress(b"".join(content for _, content in contents))


def _ids(blobs: Iterable[BlobId]) -> bytes:
    return "".join(f"{blob}\n" for blob in sorted(blobs)).encode()


def _removed_in(payload: bytes) -> set[BlobId]:
    return {BlobId(line) for line in payload.decode("ascii").splitlines()}


def _split(payload: bytes) -> tuple[bytes, bytes]:
    rows, _, rest = payload.partition(b"\n\n")
    return rows, rest


def _rows(payload: bytes) -> list[tuple[BlobId, int]]:
    pairs = [line.split() for line in _split(payload)[0].decode("ascii").splitlines()]
    return [(BlobId(blob), int(size)) for blob, size in pairs]
