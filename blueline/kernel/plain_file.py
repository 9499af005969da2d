"""Reading a file of somebody's project: what is no plain file is never read.

A pipe in its place would keep the reader waiting for ever, a device might never end.
"""

import errno
import posix

from blueline.kernel import disk

TYPE_CHECKING = False  # the typing module costs more than the rest of this file
if TYPE_CHECKING:
    from collections.abc import Iterable

    from _typeshed import StrOrBytesPath

NO_WAITING = posix.O_RDONLY | posix.O_NONBLOCK | posix.O_NOCTTY | posix.O_CLOEXEC


class NotPlain(OSError):
    """A pipe, a socket or a device stands there."""


def read_plain(path: "StrOrBytesPath", *, follow_links: bool = True) -> bytes:
    """The bytes of a plain file; an OSError if there is none or a folder, `NotPlain` if something else
    stands there."""
    fd = posix.open(path, NO_WAITING | (0 if follow_links else posix.O_NOFOLLOW))
    try:
        kind = posix.fstat(fd).st_mode & disk.TYPE_BITS
        if kind == disk.FOLDER:
            raise IsADirectoryError(errno.EISDIR, posix.strerror(errno.EISDIR), posix.fspath(path))
        if kind != disk.REGULAR:
            raise NotPlain(errno.EINVAL, "not a plain file", posix.fspath(path))
        return disk.read_whole(fd)
    finally:
        posix.close(fd)


def read_those_there(paths: "Iterable[StrOrBytesPath]") -> list[bytes]:
    """The bytes of each of some files; none of one that is not there, or cannot be read."""
    found = []
    for path in paths:
        try:
            found.append(read_plain(path))
        except OSError:
            found.append(b"")
    return found
