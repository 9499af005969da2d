"""Look at one file for a hook: where it is, what it is, its bytes stored. Never fails because of the file.

A hook process imports this for every tool call, and the agent waits for it: only built-in modules.
"""

import posix
import sys

TYPE_CHECKING = False  # the typing module costs more than the rest of this file
if TYPE_CHECKING:
    from collections.abc import Callable

# Started by an agent this is no part of a package: its folder is on the path, the package is not.
if TYPE_CHECKING or __package__:
    from blueline.kernel import disk
else:
    import disk

LARGEST_FILE = 512 << 20
"""Larger files are declined with a reason, rather than keeping the agent waiting for seconds."""

FOLDS_NAMES = str(sys.platform) == "darwin"
"""Whether disks here take several spellings for one name: of either case, composed or not."""


def reason(error: Exception) -> bytes:
    import errno

    number = error.errno if isinstance(error, OSError) else errno.EINVAL
    return errno.errorcode.get(number or 0, "unknown").encode()


def relative(root: bytes, real: bytes) -> bytes | None:
    """A real path as seen from the project's root, None if it is outside."""
    inside = root.rstrip(b"/") + b"/"
    if real.startswith(inside):
        return real[len(inside) :]
    return b"." if real == root else None


def named(path: bytes) -> tuple[bytes, bytes]:
    """The file a path stands for, and the first part of it that is missing (empty if none is).

    That is the file a link points to; but the link itself when it points to nothing or to a folder.
    """
    head, _, name = path.rstrip(b"/").rpartition(b"/")
    if name in (b"", b".", b".."):
        return disk.follow(path)
    parent, missing = disk.follow(head)
    here = parent.rstrip(b"/") + b"/" + name
    if missing:
        return here, missing
    try:
        if posix.lstat(here).st_mode & disk.TYPE_BITS != disk.LINK:
            return here, b""
    except (FileNotFoundError, NotADirectoryError):
        return here, here
    try:
        real, missing = disk.follow(here)
    except OSError:  # links in a circle, or into a folder that is closed to us
        return here, b""
    return (here if missing or disk.is_folder(real) else real), b""


def spelled(root: bytes, path: bytes) -> bytes:
    """A path below a root as its folders have it, where the disk found it by another spelling."""
    found: list[bytes] = []
    for name in path.split(b"/"):
        found.append(_entry(b"/".join((root, *found)), name))
    return b"/".join(found)


def _entry(folder: bytes, name: bytes) -> bytes:
    try:
        names = posix.listdir(folder)
        if name not in names:
            there = posix.lstat(folder + b"/" + name)
            same = (one for one in names if posix.lstat(folder + b"/" + one).st_ino == there.st_ino)
            return next(same, name)
    except OSError:  # not there, or closed to us: whoever looks at it says so
        return name
    return name


def open_below(root: bytes, path: bytes) -> int:
    """Open a file for reading without following a link anywhere below the root. `path` is relative to it.

    The path was resolved a moment ago; a folder of it may have become a link out of the project since.
    """
    flags = posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_NONBLOCK | posix.O_NOCTTY
    *folders, name = path.split(b"/")
    at = posix.open(root, posix.O_RDONLY | posix.O_DIRECTORY)
    try:
        for folder in folders:
            below = posix.open(folder, flags | posix.O_DIRECTORY, dir_fd=at)
            posix.close(at)
            at = below
        return posix.open(name, flags, dir_fd=at)
    finally:
        posix.close(at)


def identity(found: posix.stat_result) -> tuple[int, ...]:
    return (found.st_dev, found.st_ino, found.st_mode, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def read_still(root: bytes, path: bytes, found: posix.stat_result) -> bytes | None:
    """A regular file's bytes; None if it was not the same file, unchanged, from first look to last."""
    fd = open_below(root, path)
    try:
        return still(fd, found)
    finally:
        posix.close(fd)


def still(fd: int, found: posix.stat_result) -> bytes | None:
    """The same of a file that is open."""
    if identity(posix.fstat(fd)) != identity(found):
        return None
    content = disk.read_whole(fd, found.st_size)
    if len(content) != found.st_size or identity(posix.fstat(fd)) != identity(found):
        return None
    return content


def stat_line(found: posix.stat_result) -> bytes:
    times = (found.st_mtime_ns, found.st_ctime_ns)
    return b"stat %d %d %d %d %d" % (found.st_dev, found.st_ino, *times, found.st_size)


def state_of(
    root: bytes, path: bytes, found: posix.stat_result, put: "Callable[[bytes], str]", largest: int
) -> bytes:
    """The state line for what stands at a path, empty if it changed while read. Opens only regular files."""
    kind = found.st_mode & disk.TYPE_BITS
    if kind == disk.LINK:
        return b"state link " + disk.escape(posix.readlink(root + b"/" + path))
    if kind != disk.REGULAR:
        return b"state other %o" % found.st_mode
    if found.st_size > largest:
        return b"state unknown too-large"
    content = read_still(root, path, found)
    if content is None:
        return b""
    try:
        name = put(content)
    except OSError as error:
        return b"state unknown cannot-store " + reason(error)
    return b"state file %o %d %s" % (found.st_mode & 0o7777, found.st_size, name.encode())


def look(
    root: bytes, path: bytes, put: "Callable[[bytes], str]", largest: int = LARGEST_FILE
) -> tuple[bytes, bytes]:
    """State line and stat line of what was there a moment ago. A file that moves gets a second look."""
    why, stat = b"changed-while-reading", b""
    for _ in range(2):
        try:
            found = posix.lstat(root + b"/" + path)
            stat = stat_line(found)
            if state := state_of(root, path, found, put, largest):
                return state, stat
        except (FileNotFoundError, NotADirectoryError):
            return b"state absent", b""
        except OSError as error:
            why = b"cannot-read " + reason(error)
        except MemoryError:
            why = b"out-of-memory"
    return b"state unknown " + why, stat


def observe(root: bytes, path: bytes, put: "Callable[[bytes], str]") -> list[bytes]:
    """Look at one file: the lines of an observation that say where it is, what it is, and its stat.

    `put` stores the content and gives its id. Does not fail because of the file: what could not be looked at
    is `unknown`. A file outside the root has one line only, and its content is not read.
    """
    try:
        real, missing = named(path)
    except (OSError, ValueError) as error:  # a zero byte in a path is a ValueError
        inside = relative(root, path)
        where = b"outside " + disk.escape(path) if inside is None else b"path " + disk.escape(inside)
        return [where, b"state unknown cannot-look " + reason(error)]
    inside = relative(root, real)
    if inside is None:
        return [b"outside " + disk.escape(real)]
    if FOLDS_NAMES:
        inside = spelled(root, inside)
    where = b"path " + disk.escape(inside)
    if missing == real:
        return [where, b"state absent"]
    if missing:
        return [where, b"state absent " + disk.escape(relative(root, missing) or b".")]
    state, stat = look(root, inside, put)
    return [where, state, stat] if stat else [where, state]
