"""Reading a file of somebody's project: what is no plain file is never read.

A pipe in its place would keep the reader waiting for ever, a device might never end.
"""

import errno
import os
import stat

TYPE_CHECKING = False  # the typing module costs more than the rest of this file
if TYPE_CHECKING:
    from pathlib import Path

NO_WAITING = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


class NotPlain(OSError):
    """A pipe, a socket, a device or a folder stands there."""


def read_plain(path: "Path | bytes | str", *, follow_links: bool = True) -> bytes:
    """The bytes of a plain file; an OSError if there is none, `NotPlain` if something else stands there."""
    fd = os.open(path, NO_WAITING | (0 if follow_links else os.O_NOFOLLOW))
    with open(fd, "rb") as file:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise NotPlain(errno.EINVAL, "not a plain file", os.fspath(path))
        return file.read()
