"""What was last found out about a journal's wholeness, and whether that still holds without reading it.

Short commands ask this, so little is loaded for it.
"""

from __future__ import annotations

import json
import os
import time

from blueline.kernel import disk
from blueline.kernel.plain_file import read_plain

TYPE_CHECKING = False  # the typing module costs more than a short command has
if TYPE_CHECKING:
    from _typeshed import StrPath

RACY_NS = 2_000_000_000
"""Two writes closer together may leave the same times, on a file system that keeps whole seconds."""

EDGE = 64

READ_FOR_NS = 3600 * 1_000_000_000


class Found:
    """What a look at a journal found."""

    def __init__(
        self,
        signature: tuple[int, ...],
        looked: int,
        read: int,
        boot: str,
        end: int,
        edge: str,
        ranges: tuple[tuple[int, int], ...],
    ) -> None:
        self.signature = signature
        """Device, inode, size, and the two times."""
        self.looked = looked
        """When that was looked at, in nanoseconds."""
        self.read = read
        """When all of it was read."""
        self.boot = boot
        self.end = end
        """How far it was read: a tail that is no record may become one."""
        self.edge = edge
        """The last bytes before that, in hexadecimal digits."""
        self.ranges = ranges
        """Bytes in between that are no record."""

    def as_of(self, looked: int) -> list[object]:
        """All of it, as it is kept, had it been looked at then."""
        return [self.signature, looked, self.read, self.boot, self.end, self.edge, self.ranges]


def found_whole(journal: StrPath, note: StrPath) -> Found | None:
    """The last look at a journal, if all of it was records, and nobody has written to it since as far as the
    file system tells."""
    found, at = load(note), signature(journal)
    is_whole = found is not None and found.signature == at and not found.ranges and at[2:3] == (found.end,)
    return found if is_whole else None


def is_known_whole(journal: StrPath, note: StrPath) -> bool:
    """Whether a journal was found whole late enough for a write to show, and not too long ago. False also
    where nothing is known."""
    found, now = found_whole(journal, note), time.time_ns()
    return (
        found is not None
        and found.boot == disk.boot().decode("ascii", "replace")
        and 0 <= now - found.read < READ_FOR_NS
        and found.looked - max(found.signature[3:]) > RACY_NS
    )


def signature(path: StrPath) -> tuple[int, ...]:
    try:
        found = os.stat(path)
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def load(note: StrPath) -> Found | None:
    try:
        signature, looked, read, boot, end, edge, ranges = json.loads(read_plain(note))
        pairs = tuple((int(first), int(last)) for first, last in ranges)
        return Found(
            tuple(map(int, signature)), int(looked), int(read), str(boot), int(end), str(edge), pairs
        )
    except (OSError, ValueError, TypeError, RecursionError):
        return None
