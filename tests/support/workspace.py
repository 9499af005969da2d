"""A project's folder with a tree over it, and a way to step in between two calls to the system."""

from __future__ import annotations

import contextlib
import functools
import os
import posix
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from blueline.blobs.store import Blobs
from blueline.kernel.disk import blob_id
from blueline.model.fact import Write
from blueline.model.file_state import Absent, FileState, Link, Regular
from blueline.model.ids import BlobId
from blueline.workspace import landing
from blueline.workspace.tree import Tree, is_temporary

ABSENT = Absent()

CHANGING = ("write", "fsync", "fchmod", "symlink", "link", "mkdir", "rmdir", "rename", "unlink")
LOOKING = ("stat", "fstat", "read", "readlink", "listdir", "access", "close")


class Ground:
    """A project in a folder of its own, with its state folder beside it."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "project"
        self.state = folder / "state"
        self.root.mkdir(parents=True)
        self.state.mkdir()
        self.blobs = Blobs(self.state / "blobs")
        self.tree = Tree(self.root, self.blobs)
        self.staged = self.state / "staged"

    def put(self, path: str, content: bytes = b"", mode: int = 0o644) -> Regular:
        """A file made by somebody, whose bytes are known to Blueline."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
        place.chmod(mode)
        return self.file(content, mode)

    def link(self, path: str, target: str) -> Link:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(target)
        return Link(target=target)

    def file(self, content: bytes, mode: int = 0o644) -> Regular:
        return Regular(mode=mode, size=len(content), blob=self.blobs.put(content))

    def replace(self, *writes: Write) -> list[tuple[str, str]]:
        """What became of each: its path and outcome."""
        return [(landed.path, landed.outcome) for landed in self.tree.replace(writes, self.staged)]

    def on_disk(self) -> dict[str, object]:
        """Everything in the project: mode and bytes of a file, target of a link, None for all else."""
        found: dict[str, object] = {}
        for here, folders, names in os.walk(self.root):
            for name in folders + names:
                place = Path(here) / name
                path = str(place.relative_to(self.root))
                if place.is_symlink():
                    found[path] = os.readlink(place)
                elif not place.is_file():
                    found[path] = None
                else:
                    found[path] = (stat.S_IMODE(place.stat().st_mode), place.read_bytes())
        return found

    def temporaries(self) -> list[str]:
        return [path for path in self.on_disk() if is_temporary(path)]

    def times(self, path: str) -> tuple[int, int]:
        found = os.lstat(self.root / path)
        return found.st_ino, found.st_mtime_ns


def write(
    path: str, before: FileState, after: FileState, *, old_path: str | None = None, missing: str = ""
) -> Write:
    return Write(
        path=path,
        old_path=path if old_path is None else old_path,
        before=before,
        after=after,
        missing=missing,
    )


def unstored(content: bytes, mode: int = 0o644) -> Regular:
    """A file whose bytes nobody put into the blob store."""
    return Regular(mode=mode, size=len(content), blob=BlobId(blob_id(content)))


Before = Callable[[str, tuple[Any, ...]], None]


@contextlib.contextmanager
def stepping_in(before: Before, *, looking: bool = False) -> Iterator[None]:
    """Call `before` with name and arguments of each call to the system that changes something.

    With `looking` also for those that only look. What it does itself is not counted. Nothing is synced, which
    no test could see and all would wait for.
    """
    inside = False

    def announce(name: str, arguments: tuple[Any, ...]) -> None:
        nonlocal inside
        if not inside:
            inside = True
            try:
                before(name, arguments)
            finally:
                inside = False

    def wrap(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(call)
        def counted(*arguments: Any, **named: Any) -> Any:
            if name != "open" or looking or arguments[1] & os.O_CREAT:
                announce(name, arguments)
            return None if name == "fsync" else call(*arguments, **named)

        return counted

    names = ("open", *CHANGING, *(LOOKING if looking else ()))
    saved = {name: getattr(posix, name) for name in names}
    kernel, cached = landing.kernel(), landing.kernel
    try:
        for name, call in saved.items():
            counted = wrap(name, call)
            setattr(posix, name, counted)
            setattr(os, name, counted)
        if kernel is not None:
            renaming = kernel._replace(rename=wrap("exchange", kernel.rename))
            landing.kernel = lambda: renaming  # type: ignore[assignment]
        yield
    finally:
        landing.kernel = cached
        for name, call in saved.items():
            setattr(posix, name, call)
            setattr(os, name, call)
