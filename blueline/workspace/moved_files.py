"""Look for files that are no longer where they were."""

import os
import stat
from collections import deque
from collections.abc import Container
from pathlib import Path
from typing import NamedTuple

SKIPPED = frozenset({".git", ".blueline", "node_modules", ".venv", "__pycache__"})

MOST_ENTRIES = 50_000
"""What is farther away than this counts as gone. A look at so many takes a tenth of a second."""


class Appeared(NamedTuple):
    """A regular file that came to where it is, or was changed, since some time."""

    path: str
    inode: tuple[int, int]
    size: int


def find(root: Path, since_ns: int, inodes: Container[tuple[int, int]]) -> list[Appeared]:
    """The regular files that changed since a time, or have one of these devices and inode numbers.

    A rename changes a file's ctime; where it does not, the inode number tells. Folders near the root come
    first. Whether one is a file that went from somewhere else is for the caller to see.
    """
    found: list[Appeared] = []
    entries_left = MOST_ENTRIES
    todo = deque([""])
    while todo:
        folder = todo.popleft()
        for name, is_folder in listing(root / folder):
            entries_left -= 1
            if entries_left < 0:
                return found
            path = f"{folder}/{name}" if folder else name
            if is_folder:
                if name not in SKIPPED:
                    todo.append(path)
                continue
            try:
                seen = os.lstat(root / path)
            except OSError:
                continue
            inode = (seen.st_dev, seen.st_ino)
            if stat.S_ISREG(seen.st_mode) and (seen.st_ctime_ns >= since_ns or inode in inodes):
                found.append(Appeared(path, inode, seen.st_size))
    return found


def listing(folder: Path) -> list[tuple[str, bool]]:
    """Name, and whether it is a folder; nothing if it cannot be listed."""
    try:
        with os.scandir(folder) as entries:
            return [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    except OSError:
        return []
