"""Which processes are there: the agent that runs a hook, and what a command left running.

Where there is a /proc. On macOS a process is known if its number is, but not which others there are.
Elsewhere nothing is known, and nothing is concluded from that.
A hook process imports this while an agent waits: on Linux, only built-in modules.
"""

import posix
import sys

TYPE_CHECKING = False  # the typing module costs more than the rest of this file
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

IS_MAC = str(sys.platform) == "darwin"
if IS_MAC:
    if TYPE_CHECKING or __package__:
        from blueline.kernel import mac_processes
    else:
        import mac_processes

SHELLS = (b"sh", b"dash", b"bash", b"zsh", b"ash", b"busybox")
MOST_SHELLS = 4
MOST_LEFT = 32
"""Processes left running that are remembered; more do not make anything clearer."""


def read(path: bytes) -> bytes:
    """A small file; empty if it cannot be read."""
    try:
        fd = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return posix.read(fd, 4096)
    except OSError:
        return b""
    finally:
        posix.close(fd)


def stat(pid: int) -> tuple[bytes, int, int, bytes] | None:
    """Name, parent, start (ticks since the machine started) and state of a process; None if there is none."""
    if IS_MAC:
        return mac_processes.stat(pid)
    head, _, rest = read(b"/proc/%d/stat" % pid).rpartition(b")")
    fields = rest.split()
    if len(fields) < 20:
        return None
    return head.partition(b"(")[2], int(fields[1]), int(fields[19]), fields[0]


def is_alive(pid: int, start: int) -> bool:
    """Whether a process is still there, and is not another one that was given its number."""
    found = stat(pid)
    return found is not None and found[2] == start and found[3] not in (b"Z", b"X")


def known() -> bool:
    """Whether anything can be known here."""
    return stat(posix.getpid()) is not None


def has_gone(pid: int, start: int) -> bool:
    """Whether it is known that a process is there no more."""
    return known() and not is_alive(pid, start)


def agent() -> tuple[int, int]:
    """The process that runs this hook, past the shell it may have started for it; zeros if not known."""
    pid = posix.getppid()
    for _ in range(MOST_SHELLS):
        found = stat(pid)
        if found is None:
            return 0, 0
        if found[0] not in SHELLS or found[1] <= 1:
            return pid, found[2]
        pid = found[1]
    return 0, 0


def newest() -> int:
    """The number of the process that was started last; 0 if not known."""
    fields = read(b"/proc/loadavg").split()
    return int(fields[-1]) if fields else 0


def started_since(newest_then: int, root: bytes) -> list[tuple[int, int]]:
    """Processes, with their start, that came after that one, are still there, and work below a root.

    Not this process and those it was started by, nor what a process of somebody else started.
    """
    ours = line(posix.getpid())
    # What lost its parent has the first process for one, or one that ours have too.
    return _since(newest_then, root, ours, lambda pid: pid in ours)


def orphans_since(newest_then: int, root: bytes) -> list[tuple[int, int]]:
    """The same, of processes whose agent is gone: they have no terminal, and nobody who looks after them.

    What a person starts has a terminal, or a parent that was there before.
    """

    def is_reaper(pid: int) -> bool:
        about = stat(pid)
        return about is not None and about[1] <= 1

    found = _since(newest_then, root, line(posix.getpid()), is_reaper)
    return [(pid, start) for pid, start in found if not _has_terminal(pid)]


def _since(
    newest_then: int, root: bytes, ours: "list[int]", may_be_above: "Callable[[int], bool]"
) -> list[tuple[int, int]]:
    now = newest()
    if not now:
        return []

    def is_new(pid: int) -> bool:
        # Numbers begin again from the bottom some day.
        return newest_then < pid <= now if newest_then <= now else not now < pid <= newest_then

    inside = root.rstrip(b"/") + b"/"
    left = []
    for pid in _all():
        if not is_new(pid) or pid in ours:
            continue
        try:
            folder = posix.readlink(b"/proc/%d/cwd" % pid)
        except OSError:  # somebody else's, or gone
            continue
        found = stat(pid)
        if found is None or found[3] in (b"Z", b"X") or not (folder + b"/").startswith(inside):
            continue
        if all(is_new(parent) or may_be_above(parent) for parent in line(pid)):
            left.append((pid, found[2]))
    return sorted(left)[:MOST_LEFT]


def descendants(of: "Iterable[int]") -> "list[tuple[int, int, int]]":
    """Processes that these have started, or those in turn: number, start, and which of these."""
    above = {pid: pid for pid in of}
    found = []
    for pid in _all():
        chain = line(pid)
        root = next((above[one] for one in chain[1:] if one in above), 0)
        about = stat(pid) if root and pid not in above else None
        if about is not None and about[3] not in (b"Z", b"X"):
            found.append((pid, about[2], root))
    return sorted(found)[:MOST_LEFT]


def _all() -> "list[int]":
    try:
        return [int(name) for name in posix.listdir(b"/proc") if name.isdigit()]
    except OSError:
        return []


def _has_terminal(pid: int) -> bool:
    fields = read(b"/proc/%d/stat" % pid).rpartition(b")")[2].split()
    return len(fields) > 4 and fields[4] != b"0"


def line(pid: int) -> "list[int]":
    """A process and those it comes from, its parent first of these, but for the first of all."""
    found: list[int] = []
    while pid > 1 and pid not in found:
        found.append(pid)
        about = stat(pid)
        pid = about[1] if about else 0
    return found


def words(pid: int) -> "list[bytes]":
    """The words that a process was started with, the program first; empty if they cannot be read."""
    if IS_MAC:
        return mac_processes.words(pid)
    said = read(b"/proc/%d/cmdline" % pid)
    return said.rstrip(b"\0").split(b"\0") if said else []
