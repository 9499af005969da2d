"""Look at what stands at a path, without following a link and without waiting for anybody.

Paths are relative to a root; the way there is `open_folders`'.
"""

import os
import stat
import sys
from collections.abc import Callable
from typing import NamedTuple

from blueline.kernel import disk, sight
from blueline.model.file_state import Absent, FileState, Folder, Link, Other, Regular, Unknown
from blueline.model.ids import BlobId
from blueline.workspace.open_folders import NoFolder, OpenFolders, leaf
from blueline.workspace.signatures import Signature

READING = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY
LOOKS = 2

CHANGED = "it was changed meanwhile"
GONE = "it is no longer there"
TAKEN = "something else stands there now"
FOLDER = "a folder stands there now"
OPEN = "another program has it open for writing"


class LookResult(NamedTuple):
    """What a look gave."""

    state: FileState
    signature: Signature | None
    """None if nothing is there, or it could not even be told what."""
    content: bytes = b""
    """Of a regular file."""


def look(folder: int, name: str, identify: Callable[[bytes], str] = disk.blob_id) -> LookResult:
    """What stands under a name in an open folder. Only a regular file is opened.

    A file that changes while it is read gets a second look, and is `Unknown` after that: what is given back
    did stand there as a whole.
    """
    for _ in range(LOOKS):
        signature = None
        try:
            about = os.stat(name, dir_fd=folder, follow_symlinks=False)
            signature = Signature.of(about)
            found = _seen(folder, name, about, identify)
        except FileNotFoundError:
            if signature is None:
                return LookResult(Absent(), None)
            found = None
        except OSError as error:
            return LookResult(Unknown(why=f"cannot-read {sight.reason(error).decode()}"), signature)
        except MemoryError:
            return LookResult(Unknown(why="out-of-memory"), signature)
        if found is not None:
            return LookResult(found[0], signature, found[1])
    return LookResult(Unknown(why="changed-while-reading"), None)


def _seen(
    folder: int, name: str, about: os.stat_result, identify: Callable[[bytes], str]
) -> tuple[FileState, bytes] | None:
    """What is known of a name, and the bytes of a regular file; None if it is no longer the same one."""
    mode = about.st_mode
    if stat.S_ISLNK(mode):
        return Link(target=os.readlink(name, dir_fd=folder)), b""
    if not stat.S_ISREG(mode):
        return Other(mode=mode), b""
    if about.st_size > sight.LARGEST_FILE:
        return Unknown(why="too-large"), b""
    fd = os.open(name, READING, dir_fd=folder)
    try:
        content = sight.still(fd, about)
    finally:
        os.close(fd)
    if content is None:
        return None
    return Regular(mode=stat.S_IMODE(mode), size=len(content), blob=BlobId(identify(content))), content


def look_below(
    folders: OpenFolders, path: str, identify: Callable[[bytes], str] = disk.blob_id
) -> LookResult:
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
