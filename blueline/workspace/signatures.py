"""What files show without being opened, and whether they may have changed since.

Every command asks this of every file it knows, so little is loaded for it.
"""

from __future__ import annotations

import os

from blueline.workspace.open_folders import NO_NAMES, NoFolder, OpenFolders

TYPE_CHECKING = False  # the typing module costs more than a short command has
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from _typeshed import StrPath

RACY_NS = 20_000_000
"""Two writes closer together than a tick of the kernel's clock leave the same time behind."""

COARSE_RACY_NS = 2_000_000_000
"""The same on file systems that keep whole seconds; FAT keeps even ones."""

SECOND_NS = 1_000_000_000


class Signature(tuple[int, ...]):
    """What changes when a file does, without its bytes: device and inode, the times of its content and of
    all else in nanoseconds, size, and all of `st_mode`."""

    __slots__ = ()

    @classmethod
    def of(cls, found: os.stat_result) -> Signature:
        return cls(
            (found.st_dev, found.st_ino, found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_mode)
        )

    @property
    def dev(self) -> int:
        return self[0]

    @property
    def mtime_ns(self) -> int:
        return self[2]

    @property
    def ctime_ns(self) -> int:
        return self[3]

    @property
    def size(self) -> int:
        return self[4]

    @property
    def mode(self) -> int:
        return self[5]


def looks_unchanged(old: Signature, now: Signature, looked_at_ns: int) -> bool:
    """Whether a file need not be read again. `looked_at_ns` is when `old` was taken, by `time.time_ns`.

    False also when the file was written so shortly before or after that look that a second write may have
    left the same times.
    """
    if old != now:
        return False
    written, changed = old.mtime_ns, old.ctime_ns
    racy = RACY_NS if written % SECOND_NS and changed % SECOND_NS else COARSE_RACY_NS
    return abs(written - looked_at_ns) > racy and abs(changed - looked_at_ns) > racy


def signatures(root: StrPath, paths: Iterable[str]) -> dict[str, Signature | None]:
    """What files show without being opened; None for one that is not there or cannot be looked at."""
    found: dict[str, Signature | None] = dict.fromkeys(paths)
    known, descriptor = "/", -1  # no folder is called that
    with OpenFolders(root) as folders:
        for path in sorted(found):
            folder, _, name = path.rpartition("/")
            try:
                if folder != known or name in NO_NAMES:
                    known = "/"
                    descriptor, known = folders.of(path), folder
                found[path] = Signature.of(os.stat(name, dir_fd=descriptor, follow_symlinks=False))
            except (OSError, NoFolder):
                continue
    return found


def changed(root: StrPath, known: Mapping[str, list[int] | None]) -> dict[str, Signature | None]:
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
    return looks_unchanged(Signature(fields), now, looked)
