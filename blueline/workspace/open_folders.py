"""Folders below a root, opened one below the other, without following a link.

A parent that is a link, or has just become one, leads nowhere rather than out of the project.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress

from blueline.errors import BluelineError

TYPE_CHECKING = False  # the typing module costs more than a short command has
if TYPE_CHECKING:
    from types import TracebackType

    from _typeshed import StrPath

PASSING: int = os.O_DIRECTORY | os.O_NOFOLLOW | getattr(os, "O_PATH", os.O_RDONLY)
"""Enough to name what is in a folder, also in one that may not be listed."""

NO_NAMES = frozenset(("", ".", ".."))
"""No file is called that: they lead elsewhere."""


class NoFolder(Exception):
    """There is no such folder."""

    def __init__(self, where: str, *, blocked: bool) -> None:
        super().__init__(where)
        self.where = where
        """The first part of the path that is no folder."""
        self.blocked = blocked
        """Something else stands there: a link, a file."""


def parts(path: str) -> list[str]:
    """The names a path is made of; a ValueError if it leads out of the root, or is no path at all."""
    names = path.split("/")
    if "\0" in path or not NO_NAMES.isdisjoint(names):
        raise ValueError(f"not a path below the root: {path!r}")
    os.fsencode(path)
    return names


def parent(path: str) -> str:
    """The folder something is in; empty for the root."""
    return path.rpartition("/")[0]


def leaf(path: str) -> str:
    return path.rpartition("/")[2]


def above(path: str) -> list[str]:
    """The folders on the way to a path, outermost first, without the root."""
    names = path.split("/")
    return ["/".join(names[:count]) for count in range(1, len(names))]


class OpenFolders:
    """Open folders below a root: those on the way to the one asked for last, so the next is near.

    A descriptor is good until another folder is asked for that is not on the same way.
    """

    def __init__(self, root: StrPath) -> None:
        self.root = root
        try:
            self._open: list[tuple[str, int]] = [
                ("", os.open(root, os.O_DIRECTORY | PASSING & ~os.O_NOFOLLOW))
            ]
        except OSError as error:
            raise BluelineError(
                f"cannot open the project's folder {root}: {error.strerror}",
                hint="if it was moved, run Blueline where it is now",
            ) from error

    def __enter__(self) -> OpenFolders:
        return self

    def __exit__(self, kind: type[BaseException] | None, _: object, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._leave(0)

    def of(self, path: str) -> int:
        """The folder that something is in."""
        parts(path)
        return self.at(parent(path))

    def place(self, path: str) -> tuple[int, str]:
        """The folder that something is in, and its name there."""
        return self.of(path), leaf(path)

    def at(self, folder: str) -> int:
        """A folder; the empty path is the root. Fails with `NoFolder`, or OSError if it is closed to us."""
        way = [*above(folder), folder] if folder else []
        depth = 1
        for step in way:
            if depth < len(self._open) and self._open[depth][0] != step:
                self._leave(depth)
            if depth == len(self._open):
                self._open.append((step, self._enter(self._open[-1][1], step)))
            depth += 1
        return self._open[depth - 1][1]

    def leave(self, folder: str) -> None:
        """Forget a folder that is gone, so that one made anew under its name is found."""
        for depth, (path, _) in enumerate(self._open):
            if path == folder and depth:
                return self._leave(depth)
        return None

    def _enter(self, outer: int, folder: str) -> int:
        try:
            return os.open(leaf(folder), PASSING, dir_fd=outer)
        except FileNotFoundError as error:
            raise NoFolder(folder, blocked=False) from error
        except OSError as error:
            with suppress(OSError):
                found = os.stat(leaf(folder), dir_fd=outer, follow_symlinks=False)
                if not stat.S_ISDIR(found.st_mode):
                    raise NoFolder(folder, blocked=True) from error
            raise

    def _leave(self, depth: int) -> None:
        while len(self._open) > depth:
            os.close(self._open.pop()[1])
