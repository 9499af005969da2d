"""The index's file: opened, made, thrown away, and its errors in our own words.

Beside it stands its seal, a checksum of all its bytes, made when the file is closed and broken before it is
changed. A sealed file that has other bytes is damaged, whatever SQLite makes of it. One without a seal was
left by a process that was killed: SQLite puts it back in order, and is asked whether it could.

To read all bytes takes the longer, the more ever happened. So the seal also says when that was last done, and
what the file system said of the file then. As long as it says the same, nobody has written to the file; what
a disk loses by itself is found within the hour, or after the machine was started anew.

Of a large file not even the seal is a checksum, which would take longer to make than the change took: it says
what the file system says of the file, and counts for this run of the machine. Without it SQLite is asked.
"""

from __future__ import annotations

import os
import time
from _sqlite3 import Error, OperationalError, connect  # what the module around it adds takes longer to load
from contextlib import contextmanager, suppress

from blueline.errors import BluelineError
from blueline.kernel import disk
from blueline.kernel.plain_file import read_plain

TYPE_CHECKING = False  # the typing module costs more than a short command has
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from sqlite3 import Connection
    from typing import Any

    from _typeshed import StrPath

WINDOW = 1 << 20
"""How much is read at a time. Read, not mapped: a mapped file that shrinks kills the process."""


RACY_NS = 2_000_000_000
"""Two writes closer together may leave the same times, on a file system that keeps whole seconds."""

SECOND_NS = 1_000_000_000

LARGE = 32 << 20
UNREAD = b"unread"
"""In the place of the checksum of a large file."""

CHECKED_FOR_NS = 3600 * 1_000_000_000

MOST_CACHED_KB = 32 << 10
"""Of its pages, in memory. Hunks stand in the order of their ids, so those of one file are on all pages:
with the usual 2 MB, a decision about thousands reads most of them many times, and writes them as often."""

LOOSE = 10
"""One page in so many may be free."""


class IndexDamaged(Exception):
    """The index cannot be read, or is of another version."""


class IndexUnwritable(BluelineError):
    """The disk is full, or closed to us."""


def unwritable(why: str | None, path: str) -> IndexUnwritable:
    """What is said of it."""
    hint = f"free some space or check the permissions of {os.path.dirname(path)}"
    return IndexUnwritable(f"cannot write the index: {why}", hint=hint)


def remove(path: StrPath) -> None:
    """Delete an index with all that is kept beside it."""
    for suffix in ("", "-seal", "-wal", "-shm", "-journal"):
        with suppress(FileNotFoundError):
            os.unlink(f"{os.fspath(path)}{suffix}")


class Database:
    """One SQLite file, made with a schema of the version `known` if it is not there."""

    def __init__(self, path: StrPath, schema: str, known: int) -> None:
        self.path = os.fspath(path)
        self._seal = f"{self.path}-seal"
        self._is_sealed = _is_sealed(self.path, self._seal)
        self._is_sound = True
        with self._translated():
            self._connection = self._open()
            try:
                self._prepare(schema, known)
            except BaseException:
                self._connection.close()
                raise

    def _open(self) -> Connection:
        if not os.path.exists(self.path):
            # What an earlier one left beside it would be played back into the new one.
            remove(self.path)
        try:
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW, 0o600))
        except OSError as error:
            raise unwritable(error.strerror, self.path) from error
        return connect(self.path, isolation_level=None)

    def _prepare(self, schema: str, known: int) -> None:
        self._connection.execute("pragma synchronous = normal")
        self._connection.execute(f"pragma cache_size = -{MOST_CACHED_KB}")
        (version,) = self._connection.execute("pragma user_version").fetchone()
        if version == 0:
            self._break_seal()
            self._connection.executescript(
                f"begin immediate; {schema} pragma user_version = {known}; commit;"
            )
        elif version != known:
            raise IndexDamaged(f"made by another version ({version})")
        elif not self._is_sealed and (wrong := self.wrong("quick_check")):
            raise IndexDamaged(wrong[0])

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except IndexDamaged:
            self._is_sound = False
            raise
        except Error as error:
            said = str(error)
            if isinstance(error, OperationalError) and any(
                word in said for word in ("readonly", "disk", "full")
            ):
                raise unwritable(said, self.path) from error
            self._is_sound = False
            raise IndexDamaged(said) from error

    def rows(self, query: str, *values: object) -> list[Any]:
        """What a query finds."""
        with self._translated():
            return self._connection.execute(query, values).fetchall()

    def run(self, statement: str, *values: object) -> None:
        """Run a statement that changes something; what it finds is not asked for."""
        with self._translated():
            self._connection.execute(statement, values)

    def run_each(self, statement: str, rows: Iterable[tuple[object, ...]]) -> None:
        """Change something for each of some rows."""
        with self._translated():
            self._connection.executemany(statement, rows)

    @contextmanager
    def saving(self) -> Iterator[None]:
        """All that is changed inside becomes true at once, or not at all. Nothing is changed outside."""
        self._break_seal()
        with self._translated():
            self._connection.execute("begin immediate")
        try:
            yield
        except BaseException:
            self._connection.rollback()
            raise
        with self._translated():
            self._connection.commit()

    def tighten(self) -> None:
        """Give back the room of what was deleted, if that is much: work for each page that is left."""
        ((free,),), ((pages,),) = self.rows("pragma freelist_count"), self.rows("pragma page_count")
        if free > pages // LOOSE:
            self._break_seal()
            self.run("vacuum")

    def wrong(self, check: str = "integrity_check") -> list[str]:
        """What SQLite finds wrong with the file."""
        return [row[0] for row in self.rows(f"pragma {check}") if row[0] != "ok"]

    def _break_seal(self) -> None:
        if self._is_sealed:
            try:
                with suppress(FileNotFoundError):
                    os.unlink(self._seal)
            except OSError as error:
                raise unwritable(error.strerror, self.path) from error
            self._is_sealed = False

    def signature(self) -> bytes:
        """What the file system says of the file: another one once anybody has written to it."""
        try:
            return _signature(self.path)
        except OSError:
            return b""

    def resume(self) -> None:
        """Others had the file for a while. They have changed nothing, but may have sealed it."""
        self._is_sealed = os.path.exists(self._seal)

    def seal(self) -> None:
        """Let the next one who opens the file trust it."""
        if not self._is_sealed and self._is_sound:
            with suppress(OSError):
                _write(self._seal, _seal_of(self.path))
                self._is_sealed = True

    def abandon(self) -> None:
        """Let go of a file that others have changed since."""
        self._connection.close()

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()
        # Without a seal, the next one to open it has to look at it for longer: nothing else is lost.
        self.seal()


def _is_sealed(path: str, seal: str) -> bool:
    """Whether there is a seal; raises IndexDamaged when it is not the one of these bytes."""
    try:
        total, _, checked = read_plain(seal).partition(b"\n")
        if not total:  # killed while it was made
            return False
        if total == UNREAD:
            return _noted(checked, _signature(path)) is not None
        if _is_checked(checked, _signature(path)):
            return True
        if total != checksum(path):
            raise IndexDamaged("its bytes are not those that were written")
    except OSError:
        return False
    with suppress(OSError):  # the next one reads all of it again
        _write(seal, b"%s\n%s" % (total, _check(_signature(path))))
    return True


def _seal_of(path: str) -> bytes:
    """What a seal says of a file that was just closed."""
    found = os.stat(path)
    # Where times are whole seconds, another write may leave the same.
    tells = any(at % SECOND_NS for at in (found.st_mtime_ns, found.st_ctime_ns))
    if found.st_size < LARGE or not tells:
        return checksum(path) + b"\n"
    return b"%s\n%s" % (UNREAD, _note(_signature(path)))


def _signature(path: str) -> bytes:
    """What the file system knows of a file: any write changes it, sooner or later."""
    found = os.stat(path)
    times = (found.st_mtime_ns, found.st_ctime_ns)
    return b"%d %d %d %d %d" % (found.st_dev, found.st_ino, found.st_size, *times)


def _check(signature: bytes) -> bytes:
    """A note that all bytes were looked at just now; empty if they were written so shortly before that
    another write may leave the same times."""
    *_, mtime, ctime = map(int, signature.split())
    return _note(signature) if time.time_ns() - max(mtime, ctime) > RACY_NS else b""


def _note(signature: bytes) -> bytes:
    return b"%d %s %s\n" % (time.time_ns(), disk.boot(), signature)


def _is_checked(note: bytes, signature: bytes) -> bool:
    """Whether all bytes were looked at not long ago, in this run of the machine, and not written since."""
    at = _noted(note, signature)
    return at is not None and 0 <= time.time_ns() - at < CHECKED_FOR_NS


def _noted(note: bytes, signature: bytes) -> int | None:
    """When a note was made, in this run of the machine, of a file that nobody has written to since."""
    at, _, rest = note.strip().partition(b" ")
    boot, _, then = rest.partition(b" ")
    return int(at) if at.isdigit() and boot == disk.boot() and then == signature else None


def checksum(path: StrPath) -> bytes:
    """Of all bytes of a file."""
    import zlib  # an index that nobody has touched is not read

    found, window = 0, memoryview(bytearray(WINDOW))
    with open(path, "rb", buffering=0) as file:
        while count := file.readinto(window):
            found = zlib.crc32(window[:count], found)
    return b"%08x" % found


def _write(path: str, data: bytes) -> None:
    fd = os.open(path, os.O_CREAT | os.O_TRUNC | os.O_WRONLY | os.O_NOFOLLOW, 0o600)
    try:
        os.write(fd, data)
    finally:
        os.close(fd)
