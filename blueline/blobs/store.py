"""Content by hash, in a folder.

Every blob is a file `ab/cdef…` that starts with one byte saying how to read the rest: as it is, compressed,
as a list of chunks (which are blobs of a store of their own, in `chunks/`), or that it was purged. Those that
only old history names stand many in one file, in `packs/`.
"""

import contextlib
import os
import re
import time
import zlib
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from blueline.blobs.batch import Batch
from blueline.errors import BluelineError
from blueline.kernel import disk
from blueline.model.ids import BlobId

if TYPE_CHECKING:
    from blueline.blobs.packs import Packs

RAW, CHUNKS, PURGED = b"0", b"c", b"x"

SQUEEZED_HERE = range(4096, disk.CHUNKED_FROM)
"""Nobody waits here as an agent waits for its hook, so smaller content is compressed as well."""

READING = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK

ID = re.compile(r"[0-9a-f]{40}")
CHECK = "run `blueline check` to see what else is affected"


class BlobMissing(BluelineError):
    """Nothing is stored under that id."""


class BlobDamaged(BluelineError):
    """What is stored under that id is not what was put there."""


class BlobPurged(BluelineError):
    """It was stored, and somebody had it removed."""


class BlobNotStored(BluelineError):
    """The disk is full, or closed to us."""


class Adopted(NamedTuple):
    """What became of another store's blobs."""

    moved: int
    left: tuple[BlobId, ...]
    """Damaged ones, still where they were."""


class StoredContent(NamedTuple):
    """Content that is there, by its id, and its length."""

    blob: BlobId
    size: int


class Blobs:
    """The blobs below one folder. Any number of processes may use it at once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._place_of_all = os.fspath(folder)

    @cached_property
    def packs(self) -> "Packs":
        """Those that only old history names."""
        from blueline.blobs.packs import Packs  # hardly ever is one of these asked for

        return Packs(self.folder / "packs")

    def put(self, content: bytes) -> BlobId:
        """Store content, durably, unless it is there already."""
        return self.put_all([content])[0]

    def put_all(self, contents: Iterable[bytes]) -> list[BlobId]:
        """The same for several contents, which are taken one after the other: not all need be in memory."""
        folder = os.fsencode(self.folder.absolute())
        try:
            return [*map(BlobId, Batch(folder, SQUEEZED_HERE).put(contents))]
        except OSError as error:
            raise BlobNotStored(
                f"cannot store content below {self.folder}: {error.strerror}",
                hint="free some space or check the folder's permissions, then try again",
            ) from error

    def stored(self, contents: Iterable[bytes | BlobId | None]) -> list[StoredContent | None]:
        """Store those that are bytes; those that are ids are there. None stays None."""
        found: list[int | BlobId | None] = []

        def new() -> Iterator[bytes]:
            for content in contents:
                if isinstance(content, bytes):
                    found.append(len(content))
                    yield content
                else:
                    found.append(content)

        names = iter(self.put_all(new()))
        return [
            None
            if one is None
            else StoredContent(next(names), one)
            if isinstance(one, int)
            else StoredContent(one, self.size(one))
            for one in found
        ]

    def get(self, blob: BlobId) -> bytes:
        """The content, checked against its id."""
        try:
            data = self._read(blob)
        except BlobMissing:
            return self._packed(blob)
        if data == PURGED:
            raise purged(blob)
        try:
            content = self._unpack(data)
        except (zlib.error, ValueError, BlobMissing, BlobDamaged) as error:
            raise damaged(blob) from error
        if disk.blob_id(content) != blob:
            raise damaged(blob)
        return content

    def has(self, blob: BlobId) -> bool:
        try:
            with self._open(blob) as file:
                return file.read(2) not in (b"", PURGED)
        except BlobMissing:
            return bool(self.packs.places(blob))
        except BlobDamaged:
            return False

    def size(self, blob: BlobId) -> int:
        """Length of the content; quick, except for a compressed one."""
        try:
            with self._open(blob) as file:
                tag = file.read(1)
                if tag == RAW:
                    return os.fstat(file.fileno()).st_size - 1
                if tag == CHUNKS:
                    with contextlib.suppress(ValueError):
                        return sum(size for _, size in rows(tag + file.read()))
        except BlobMissing:
            if places := self.packs.places(blob):
                return places[0].size
        return len(self.get(blob))

    def ids(self) -> Iterator[BlobId]:
        """Every blob that is there, without chunks, which belong to the blobs that list them."""
        packed = self.packs.ids()
        for name in self._names():
            if self.has(name):
                packed.discard(name)
                yield name
        yield from packed

    def pack(self, blobs: Iterable[BlobId], day: str) -> None:
        """Have contents stand together in the pack of a day. Large ones, which share chunks, stay."""
        alone: list[BlobId] = []

        def contents() -> Iterator[tuple[BlobId, bytes]]:
            for blob in dict.fromkeys(blobs):
                if (content := self._alone(blob)) is not None:
                    alone.append(blob)
                    yield blob, content

        # One may stand in another pack already, if it came back or a process was killed here. To find out,
        # all packs would have to be read, and these grow for ever.
        self.packs.add(contents(), day)
        for blob in alone:
            self._path(blob).unlink(missing_ok=True)

    def remove(self, blobs: Collection[BlobId], day: str) -> None:
        """Remove contents for good, many at once; what is left says that they were there."""
        self.packs.remove(blobs)
        alone = {blob for blob in blobs if self._alone(blob) is not None}
        self.packs.note_removed(alone - self.packs.removed(), day)
        for blob in alone:
            self._path(blob).unlink(missing_ok=True)
        self.forget_all({*blobs} - alone)

    def forget(self, blob: BlobId) -> None:
        """Remove the content and leave a tombstone. Chunks go too, where no other blob shares them.

        A hook that stores a later version of the same large file in this very moment may count on a chunk
        that goes; `get` then finds that version damaged.
        """
        data = self._read(blob)
        if data[:1] == CHUNKS:
            # Before the tombstone: if this is cut short, the blob still says what has to go.
            self._drop_chunks(parts(data), besides=blob)
        if data != PURGED:
            self._place(blob, PURGED)

    def forget_all(self, blobs: Collection[BlobId]) -> None:
        """The same for many, wherever they stand."""
        self.packs.remove(blobs)
        for blob in blobs:
            if os.path.lexists(self._path(blob)):
                self.forget(blob)

    def sweep(self, older_than_seconds: float) -> int:
        """Remove what killed processes left behind; says how many files. Younger ones may be in use."""
        count = 0
        limit = time.time() - older_than_seconds
        for folder in (self.folder / "tmp", self.folder / "chunks" / "tmp"):
            for entry in listing(folder):
                with contextlib.suppress(FileNotFoundError):
                    if entry.stat(follow_symlinks=False).st_mtime < limit:
                        os.unlink(entry)
                        count += 1
        return count

    def collect(self, orphans: Collection[BlobId], older_than_seconds: float) -> int:
        """Remove blobs that nobody names; says how many. Younger ones may be about to be named."""
        count = 0
        limit = time.time() - older_than_seconds
        packed = [blob for blob in orphans if not os.path.lexists(self._path(blob))]
        self.packs.remove(packed)
        for blob in orphans:
            with contextlib.suppress(FileNotFoundError):
                if os.lstat(self._path(blob)).st_mtime < limit:
                    data = self._read(blob)
                    if data[:1] == CHUNKS:
                        self._drop_chunks(parts(data), besides=blob)
                    self._path(blob).unlink()
                    count += 1
        return count + len(packed)

    def adopt(self, source: Path) -> Adopted:
        """Move the blobs of another folder in: stored here first, then removed there."""
        other = Blobs(source)
        moved = 0
        left: list[BlobId] = []
        for blob in list(other.ids()):
            try:
                data = other._read(blob)
                self.put(other.get(blob))
            except (BlobMissing, BlobDamaged):
                left.append(blob)
                continue
            if data[:1] == CHUNKS:
                other._drop_chunks(parts(data), besides=blob)
            other._path(blob).unlink(missing_ok=True)
            moved += 1
        return Adopted(moved, tuple(left))

    def _packed(self, blob: BlobId) -> bytes:
        """A content that stands in a pack."""
        for _ in range(2):  # the pack may be exchanged under our eyes
            places = self.packs.places(blob)
            if not places:
                raise purged(blob) if self.packs.is_removed(blob) else missing(blob)
            for place in places:
                with contextlib.suppress(OSError, ValueError):
                    content = self.packs.read(place)
                    if disk.blob_id(content) == blob:
                        return content
        raise damaged(blob)

    def _alone(self, blob: BlobId) -> bytes | None:
        """A content that stands in a file of its own, whole, and not in chunks."""
        try:
            data = self._read(blob)
            content = None if data[:1] in (b"", CHUNKS, PURGED) else self._unpack(data)
        except (BlobMissing, BlobDamaged, ValueError, zlib.error):
            return None
        return content if content is not None and disk.blob_id(content) == blob else None

    def _path(self, blob: BlobId) -> Path:
        return self.folder / blob[:2] / blob[2:]

    def _open(self, blob: BlobId) -> BinaryIO:
        return os.fdopen(self._descriptor(blob), "rb")

    def _descriptor(self, blob: BlobId) -> int:
        if not ID.fullmatch(blob):
            raise missing(blob)
        try:
            # Put together by hand: there are thousands of these.
            return os.open(f"{self._place_of_all}/{blob[:2]}/{blob[2:]}", READING)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise missing(blob) from error
        except OSError as error:
            raise damaged(blob, f" cannot be read: {error.strerror}") from error

    def _read(self, blob: BlobId) -> bytes:
        fd = self._descriptor(blob)
        try:
            return disk.read_whole(fd)
        except OSError as error:
            raise damaged(blob, f" cannot be read: {error.strerror}") from error
        finally:
            os.close(fd)

    def _unpack(self, data: bytes) -> bytes:
        match data[:1]:
            case b"0":
                return data[1:]
            case b"z":
                return zlib.decompress(memoryview(data)[1:])
            case b"c":
                chunks = self._chunks()
                return b"".join([chunks.get(part) for part, _ in rows(data)])
            case _:
                raise ValueError("no such way to store content")

    def _place(self, blob: BlobId, data: bytes) -> None:
        folder = os.fsencode(self.folder.absolute())
        disk.place(disk.blob_path(folder, blob), data, folder + b"/tmp")

    def _chunks(self) -> "Blobs":
        return Blobs(self.folder / "chunks")

    def _drop_chunks(self, chunks: Iterable[BlobId], *, besides: BlobId) -> None:
        """Remove chunks that no blob lists besides the one given."""
        shared = {part for blob in self._names() if blob != besides for part in self._parts(blob)}
        for chunk in set(chunks) - shared:
            path = self._chunks()._path(chunk)
            path.unlink(missing_ok=True)
            with contextlib.suppress(FileNotFoundError):
                disk.sync_folder(os.fsencode(path.parent.absolute()))

    def _parts(self, blob: BlobId) -> list[BlobId]:
        try:
            with self._open(blob) as file:
                return parts(CHUNKS + file.read()) if file.read(1) == CHUNKS else []
        except (BlobMissing, BlobDamaged):
            return []

    def _names(self) -> Iterator[BlobId]:
        """Every name in use, tombstones included."""
        for folder in listing(self.folder):
            if len(folder.name) == 2 and folder.is_dir(follow_symlinks=False):
                for entry in listing(Path(folder)):
                    if ID.fullmatch(folder.name + entry.name):
                        yield BlobId(folder.name + entry.name)


def missing(blob: BlobId) -> BlobMissing:
    return BlobMissing(f"the content of {blob} is not stored", hint=CHECK)


def damaged(blob: BlobId, how: str = " is damaged") -> BlobDamaged:
    return BlobDamaged(f"the stored content of {blob}{how}", hint=CHECK)


def purged(blob: BlobId) -> BlobPurged:
    return BlobPurged(f"the content of {blob} was purged", hint="it cannot be brought back")


def rows(data: bytes) -> list[tuple[BlobId, int]]:
    """The chunks a chunk list names, with their sizes; a ValueError if it is not one."""
    pairs = [line.split() for line in data[1:].decode("ascii").splitlines()]
    return [(BlobId(name), int(size)) for name, size in pairs]


def parts(data: bytes) -> list[BlobId]:
    """The chunks a chunk list names; none if it is damaged."""
    try:
        return [part for part, _ in rows(data)]
    except ValueError:
        return []


def listing(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except FileNotFoundError:
        return []
