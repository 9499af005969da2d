"""What Linux's kernel tells of folders: every change in them, in the order in which they were made."""

import ctypes
import errno
import os
import select
import struct
import sys
from collections.abc import Iterator
from typing import NamedTuple

MODIFY, ATTRIB, CLOSE_WRITE = 0x2, 0x4, 0x8
MOVED_FROM, MOVED_TO, CREATE, DELETE = 0x40, 0x80, 0x100, 0x200
DELETE_SELF, MOVE_SELF = 0x400, 0x800
UNMOUNT, OVERFLOW, IGNORED = 0x2000, 0x4000, 0x8000
ONLY_FOLDER, NO_LINK = 0x1000000, 0x2000000
IS_FOLDER = 0x40000000

ANY_CHANGE = MODIFY | ATTRIB | CLOSE_WRITE | MOVED_FROM | MOVED_TO | CREATE | DELETE | DELETE_SELF | MOVE_SELF
AT_ONCE = 1 << 18
HEAD = struct.Struct("iIII")


class KernelEvent(NamedTuple):
    """One thing that happened."""

    watch: int
    mask: int
    name: bytes
    """Of what it happened to, inside the folder; empty for the folder itself."""


class Inotify:
    """A queue of what happens in folders. All that happened before something stands in it before that."""

    def __init__(self) -> None:
        if not sys.platform.startswith("linux"):
            raise OSError(errno.ENOSYS, "only Linux has inotify")
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._fd = self._libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._fd < 0:
            raise _error(b"")
        self._poll = select.poll()
        self._poll.register(self._fd, select.POLLIN)

    def close(self) -> None:
        os.close(self._fd)

    def add(self, folder: bytes, mask: int = ANY_CHANGE) -> int:
        """Watch a folder; the number that what happens in it will have. One that is watched keeps its own."""
        number: int = self._libc.inotify_add_watch(self._fd, folder, mask | ONLY_FOLDER | NO_LINK)
        if number < 0:
            raise _error(folder)
        return number

    def remove(self, number: int) -> None:
        """Watch a folder no more. Of one that is gone that need not be said."""
        self._libc.inotify_rm_watch(self._fd, number)

    def wait(self, milliseconds: int) -> bool:
        """Whether something has happened, waiting for it a while."""
        return bool(self._poll.poll(milliseconds))

    def read(self) -> Iterator[KernelEvent]:
        """What has happened until now."""
        try:
            data = os.read(self._fd, AT_ONCE)
        except BlockingIOError:
            return
        at = 0
        while at < len(data):
            watch, mask, _, length = HEAD.unpack_from(data, at)
            at += HEAD.size + length
            yield KernelEvent(watch, mask, data[at - length : at].rstrip(b"\0"))


def _error(path: bytes) -> OSError:
    number = ctypes.get_errno()
    return OSError(number, os.strerror(number), path)
