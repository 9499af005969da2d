"""Changes of names that the kernel makes in one step, and the question whether somebody is writing.

Not all systems and file systems can do all of it. Where they cannot, the answer says so or the next best is
done, which leaves a moment in which another program may come between.
"""

import errno
import functools
import os
import signal
import stat
import sys
from collections.abc import Callable
from typing import NamedTuple

from blueline.workspace.look import READING

CALLS = {"renameat2": (1, 2), "renameatx_np": (4, 2)}
"""Linux and macOS: the function of the C library, its flags for "do not replace" and for "exchange"."""

UNSUPPORTED = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP)


class Kernel(NamedTuple):
    """A call that can do more than `rename`, and its two flags. It gives back an error number, or 0."""

    rename: Callable[[int, bytes, int, bytes, int], int]
    no_replace: int
    exchange: int


@functools.cache
def kernel() -> Kernel | None:
    """None on a system without such a call."""
    try:
        import ctypes  # only those who write need it, and it is slow to load

        libc = ctypes.CDLL(None, use_errno=True)
    except (ImportError, OSError):
        return None
    for name, (no_replace, both) in CALLS.items():
        call = getattr(libc, name, None)
        if call is None:
            continue
        call.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)

        def rename(*arguments: int | bytes, call: Callable[..., int] = call) -> int:
            return 0 if call(*arguments) == 0 else ctypes.get_errno()

        return Kernel(rename, no_replace, both)
    return None


def is_done(number: int, old: str, new: str) -> bool:
    """What an error number means: False if the file system cannot do such a thing."""
    if number in UNSUPPORTED:
        return False
    if number:
        raise OSError(number, os.strerror(number), old, None, new)
    return True


def exchange(one_fd: int, one: str, other_fd: int, other: str) -> bool:
    """Let two names change places; False where that cannot be done. Names are in open folders."""
    found = kernel()
    if found is None:
        return False
    number = found.rename(one_fd, os.fsencode(one), other_fd, os.fsencode(other), found.exchange)
    return is_done(number, one, other)


def move(old_fd: int, old: str, new_fd: int, new: str) -> None:
    """Rename, but fail with FileExistsError where something has the new name."""
    found = kernel()
    if found is not None:
        number = found.rename(old_fd, os.fsencode(old), new_fd, os.fsencode(new), found.no_replace)
        if is_done(number, old, new):
            return
    try:
        os.link(old, new, src_dir_fd=old_fd, dst_dir_fd=new_fd, follow_symlinks=False)
    except FileExistsError:
        raise
    except OSError:  # no second names on this file system, or none for a folder
        if exists(new_fd, new):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), new) from None
        os.rename(old, new, src_dir_fd=old_fd, dst_dir_fd=new_fd)
    else:
        os.unlink(old, dir_fd=old_fd)


def exists(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


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
