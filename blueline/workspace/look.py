"""Look at what stands at a path, without following a link and without waiting for anybody.

Paths are relative to a root. Every folder on the way is opened by itself, below the one before: a parent
that is a link, or has just become one, leads nowhere rather than out of the project.
"""

import contextlib
import os
import stat
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from blueline.errors import BluelineError
from blueline.kernel import disk, sight
from blueline.model.file_state import Absent, FileState, Folder, Link, Other, Regular, Unknown
from blueline.model.ids import BlobId

PASSING: int = os.O_DIRECTORY | os.O_NOFOLLOW | getattr(os, "O_PATH", os.O_RDONLY)
"""Enough to name what is in a folder, also in one that may not be listed."""

READING = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY
LOOKS = 2

RACY_NS = 20_000_000
"""Two writes closer together than a tick of the kernel's clock leave the same time behind."""

COARSE_RACY_NS = 2_000_000_000
"""The same on file systems that keep whole seconds; FAT keeps even ones."""

SECOND_NS = 1_000_000_000

CHANGED = "it was changed meanwhile"
GONE = "it is no longer there"
TAKEN = "something else stands there now"
FOLDER = "a folder stands there now"
OPEN = "another program has it open for writing"


class Signature(NamedTuple):
    """What changes when a file does, without its bytes."""

    dev: int
    ino: int
    mtime_ns: int
    ctime_ns: int
    size: int
    mode: int
    """All of `st_mode`."""

    @classmethod
    def of(cls, found: os.stat_result) -> "Signature":
        return cls(
            found.st_dev, found.st_ino, found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_mode
        )


def looks_unchanged(old: Signature, now: Signature, looked_at_ns: int) -> bool:
    """Whether a file need not be read again. `looked_at_ns` is when `old` was taken, by `time.time_ns`.

    False also when the file was written so shortly before or after that look that a second write may have
    left the same times.
    """
    coarse = old.mtime_ns % SECOND_NS == 0 or old.ctime_ns % SECOND_NS == 0
    racy = COARSE_RACY_NS if coarse else RACY_NS
    return old == now and all(abs(at - looked_at_ns) > racy for at in (old.mtime_ns, old.ctime_ns))


class NoFolder(Exception):
    """There is no such folder."""

    def __init__(self, where: str, *, blocked: bool) -> None:
        super().__init__(where)
        self.where = where
        """The first part of the path that is no folder."""
        self.blocked = blocked
        """Something else stands there: a link, a file."""


def parts(path: str) -> list[str]:
    """The names a path is made of; a ValueError if it leads out of the root, or is no path at all."""
    names = path.split("/")
    if "\0" in path or any(name in ("", ".", "..") for name in names):
        raise ValueError(f"not a path below the root: {path!r}")
    os.fsencode(path)
    return names


def parent(path: str) -> str:
    """The folder something is in; empty for the root."""
    return path.rpartition("/")[0]


def leaf(path: str) -> str:
    return path.rpartition("/")[2]


def above(path: str) -> list[str]:
    """The folders on the way to a path, outermost first, without the root."""
    names = path.split("/")
    return ["/".join(names[:count]) for count in range(1, len(names))]


class OpenFolders:
    """Open folders below a root: those on the way to the one asked for last, so the next is near.

    A descriptor is good until another folder is asked for that is not on the same way.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        try:
            self._open: list[tuple[str, int]] = [
                ("", os.open(root, os.O_DIRECTORY | PASSING & ~os.O_NOFOLLOW))
            ]
        except OSError as error:
            raise BluelineError(
                f"cannot open the project's folder {root}: {error.strerror}",
                hint="if it was moved, run Blueline where it is now",
            ) from error

    def __enter__(self) -> "OpenFolders":
        return self

    def __exit__(self, kind: type[BaseException] | None, _: object, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._leave(0)

    def of(self, path: str) -> int:
        """The folder that something is in."""
        parts(path)
        return self.at(parent(path))

    def place(self, path: str) -> tuple[int, str]:
        """The folder that something is in, and its name there."""
        return self.of(path), leaf(path)

    def at(self, folder: str) -> int:
        """A folder; the empty path is the root. Fails with `NoFolder`, or OSError if it is closed to us."""
        way = [*above(folder), folder] if folder else []
        depth = 1
        for step in way:
            if depth < len(self._open) and self._open[depth][0] != step:
                self._leave(depth)
            if depth == len(self._open):
                self._open.append((step, self._enter(self._open[-1][1], step)))
            depth += 1
        return self._open[depth - 1][1]

    def leave(self, folder: str) -> None:
        """Forget a folder that is gone, so that one made anew under its name is found."""
        for depth, (path, _) in enumerate(self._open):
            if path == folder and depth:
                return self._leave(depth)
        return None

    def _enter(self, outer: int, folder: str) -> int:
        try:
            return os.open(leaf(folder), PASSING, dir_fd=outer)
        except FileNotFoundError as error:
            raise NoFolder(folder, blocked=False) from error
        except OSError as error:
            with contextlib.suppress(OSError):
                found = os.stat(leaf(folder), dir_fd=outer, follow_symlinks=False)
                if not stat.S_ISDIR(found.st_mode):
                    raise NoFolder(folder, blocked=True) from error
            raise

    def _leave(self, depth: int) -> None:
        while len(self._open) > depth:
            os.close(self._open.pop()[1])


class LookResult(NamedTuple):
    """What a look gave."""

    state: FileState
    signature: Signature | None
    """None if nothing is there, or it could not even be told what."""
    content: bytes = b""
    """Of a regular file."""


def blob_id(content: bytes) -> BlobId:
    return BlobId(disk.blob_id(content))


def look(folder: int, name: str, identify: Callable[[bytes], BlobId] = blob_id) -> LookResult:
    """What stands under a name in an open folder. Only a regular file is opened.

    A file that changes while it is read gets a second look, and is `Unknown` after that: what is given back
    did stand there as a whole.
    """
    for _ in range(LOOKS):
        signature = None
        try:
            signature = Signature.of(os.stat(name, dir_fd=folder, follow_symlinks=False))
            found = look_again(folder, name, signature, identify)
        except FileNotFoundError:
            if signature is None:
                return LookResult(Absent(), None)
            found = None
        except OSError as error:
            return LookResult(Unknown(why=f"cannot-read {sight.reason(error).decode()}"), signature)
        except MemoryError:
            return LookResult(Unknown(why="out-of-memory"), signature)
        if found is not None:
            return found
    return LookResult(Unknown(why="changed-while-reading"), None)


def look_again(
    folder: int, name: str, signature: Signature, identify: Callable[[bytes], BlobId]
) -> LookResult | None:
    """What the signature was taken of; None if it is no longer that."""
    mode = signature.mode
    if stat.S_ISLNK(mode):
        return LookResult(Link(target=os.readlink(name, dir_fd=folder)), signature)
    if not stat.S_ISREG(mode):
        return LookResult(Other(mode=mode), signature)
    if signature.size > sight.LARGEST_FILE:
        return LookResult(Unknown(why="too-large"), signature)
    content = read_still(folder, name, signature)
    if content is None:
        return None
    state = Regular(mode=stat.S_IMODE(mode), size=len(content), blob=identify(content))
    return LookResult(state, signature, content)


def read_still(folder: int, name: str, signature: Signature) -> bytes | None:
    """A regular file's bytes; None if it was not the same file, unchanged, from first look to last."""
    fd = os.open(name, READING, dir_fd=folder)
    try:
        if Signature.of(os.fstat(fd)) != signature:
            return None
        content = disk.read_whole(fd, signature.size)
        if len(content) != signature.size or Signature.of(os.fstat(fd)) != signature:
            return None
        return content
    finally:
        os.close(fd)


def look_below(folders: OpenFolders, path: str, identify: Callable[[bytes], BlobId] = blob_id) -> LookResult:
    """What stands at a path. Below something that is no folder there is nothing."""
    try:
        return look(folders.of(path), leaf(path), identify)
    except NoFolder as error:
        return LookResult(Absent(missing_folder=error.where), None)
    except OSError as error:
        return LookResult(Unknown(why=f"cannot-look {sight.reason(error).decode()}"), None)


def same(one: FileState, other: FileState) -> bool:
    """Whether two looks saw the same. What could not be looked at is not the same as anything."""
    match one, other:
        case (Regular(), Regular()) | (Link(), Link()):
            return one == other
        case (Absent(), Absent()) | (Folder(), Folder()):
            return True
        case Other(), Other():
            return stat.S_IFMT(one.mode) == stat.S_IFMT(other.mode)
        case _:
            return False


def difference(found: FileState, expected: FileState) -> str:
    """Why a path does not hold what it should, for a person; empty if it does."""
    if same(found, expected):
        return ""
    match found:
        case Absent():
            return GONE
        case Unknown():
            return f"it cannot be read ({found.why})"
        case Folder():
            return FOLDER
        case Other():
            return FOLDER if is_folder(found) else TAKEN
        case Regular() | Link():
            return TAKEN if isinstance(expected, Absent) else CHANGED


def is_folder(state: FileState) -> bool:
    return isinstance(state, Other) and stat.S_ISDIR(state.mode)


def as_file(state: FileState) -> FileState:
    """A folder is nothing by itself: it goes with the last file in it, and comes with the first."""
    return Absent() if is_folder(state) else state


def is_being_written(folder: int, name: str) -> bool:
    """Whether anybody has a regular file open for writing, as far as can be told."""
    try:
        # Not even opened if it is a pipe: that would wake up its other end.
        if not stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            return False
        fd = os.open(name, READING, dir_fd=folder)
    except OSError:
        return False
    try:
        return stat.S_ISREG(os.fstat(fd).st_mode) and has_writer(fd)
    finally:
        os.close(fd)


def has_writer(fd: int) -> bool:
    """Whether anybody has this file open for writing, as far as can be told. `fd` is open for reading.

    The kernel grants a lease on a file only while nobody can write to it. It is given back at once; somebody
    who opens the file in between waits for that, and notices nothing.
    """
    if sys.platform != "linux":
        return False
    import fcntl
    import signal

    try:
        # If the lease is contested we get a signal: not the usual one, which would end the process.
        fcntl.fcntl(fd, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except BlockingIOError:
        return True
    except OSError:  # somebody else's file, or a file system without leases
        return False
    fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return False


def signatures(root: Path, paths: Iterable[str]) -> dict[str, Signature | None]:
    """What files show without being opened; None for one that is not there or cannot be looked at."""
    found: dict[str, Signature | None] = dict.fromkeys(paths)
    with OpenFolders(root) as folders:
        for path in sorted(found):
            try:
                folder = folders.of(path)
                found[path] = Signature.of(os.stat(leaf(path), dir_fd=folder, follow_symlinks=False))
            except (OSError, NoFolder):
                continue
    return found


def changed(root: Path, known: Mapping[str, list[int] | None]) -> dict[str, Signature | None]:
    """Files that may not be what they were, with what they show now.

    For each path, what it showed and when that was looked at: empty if nothing was there, None if nobody
    knows.
    """
    now = signatures(root, known)
    return {path: now[path] for path, before in known.items() if not _is_as_before(before, now[path])}


def _is_as_before(known: list[int] | None, now: Signature | None) -> bool:
    if not known or now is None:
        return known == [] and now is None
    *fields, looked = known
    return looks_unchanged(Signature(*fields), now, looked)
