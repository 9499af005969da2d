"""What macOS tells of a process, which has no /proc: its libproc and sysctl, asked with ctypes.

Only what is believed of this process itself is believed of others: if the answer about it does not name its
parent, the structures are not those that are known here, and nothing is known.
"""

import posix
from ctypes import CDLL, byref, c_int, c_size_t, c_uint32, c_uint64, create_string_buffer

TBSD_INFO = 3
"""PROC_PIDTBSDINFO of <sys/proc_info.h>: a `struct proc_bsdinfo`, of this size and with these places."""
INFO_SIZE = 136
STATUS, PARENT, NAME, NAME_END, STARTED = 4, 16, 48, 64, 120
ZOMBIE = 5
ARGUMENTS = (1, 49)
"""CTL_KERN and KERN_PROCARGS2 of <sys/sysctl.h>: how many words, the program, blanks, then the words."""
LONGEST_ARGUMENTS = 1 << 20


def stat(pid: int, system: "CDLL | None" = None) -> "tuple[bytes, int, int, bytes] | None":
    """Name, parent, start (in microseconds) and state of a process; None if nothing is known."""
    try:
        asked = system or CDLL(None)
        own = _info(asked, posix.getpid())
        if own is None or own[1] != posix.getppid():
            return None
        return _info(asked, pid)
    except (OSError, AttributeError):
        return None


def _info(system: CDLL, pid: int) -> "tuple[bytes, int, int, bytes] | None":
    raw = create_string_buffer(INFO_SIZE)
    if system.proc_pidinfo(c_int(pid), c_int(TBSD_INFO), c_uint64(0), raw, c_int(INFO_SIZE)) != INFO_SIZE:
        return None
    data = raw.raw
    name = data[NAME:NAME_END].partition(b"\0")[0]
    start = _number(data, STARTED, 8) * 1_000_000 + _number(data, STARTED + 8, 8)
    return name, _number(data, PARENT), start, b"Z" if _number(data, STATUS) == ZOMBIE else b"R"


def _number(data: bytes, at: int, size: int = 4) -> int:
    return int.from_bytes(data[at : at + size], "little")


def words(pid: int, system: "CDLL | None" = None) -> "list[bytes]":
    """The words that a process was started with; empty if they cannot be read."""
    try:
        asked = system or CDLL(None)
        raw, size = create_string_buffer(LONGEST_ARGUMENTS), c_size_t(LONGEST_ARGUMENTS)
        wanted = (c_int * 3)(*ARGUMENTS, pid)
        if asked.sysctl(wanted, c_uint32(3), raw, byref(size), None, c_size_t(0)) != 0:
            return []
    except (OSError, AttributeError):
        return []
    data = raw.raw[: size.value]
    count = _number(data, 0)
    _program, _, rest = data[4:].partition(b"\0")
    return rest.lstrip(b"\0").split(b"\0")[:count]
