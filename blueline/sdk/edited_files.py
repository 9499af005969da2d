"""The files of a project: compared, then replaced, with the old bytes stored."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from blueline.blobs.store import Blobs
from blueline.desk.state_folder import Lock
from blueline.kernel import sight
from blueline.model.fact import Write
from blueline.model.file_state import Absent, FileState, Regular
from blueline.sdk.outcome import EditRefused
from blueline.workspace.tree import Tree

RAW = "surrogateescape"
"""Bytes that are no text are kept through decoding and encoding, so that text around them can be edited."""


class Moved(Exception):
    """The file does not hold what it should: somebody else has changed it, or is about to."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class FoundContent(NamedTuple):
    """What stands at a path."""

    state: FileState
    text: str | None
    """None if there is no file."""


class ProjectFiles:
    """The files below a root."""

    def __init__(self, root: Path, state: Path) -> None:
        self.root = root
        self.blobs = Blobs(state / "blobs")
        self.state = state
        self._tree = Tree(root, self.blobs)
        # Asking for it means setting it: for an instant, files of other threads are closed to others.
        mask = os.umask(0o077)
        os.umask(mask)
        self._new_mode = 0o666 & ~mask

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keep Blueline's commands and other agents that use the SDK out. People's editors know no lock."""
        held = Lock(self.state / "lock")
        try:
            yield
        finally:
            held.release()

    def named(self, path: str | os.PathLike[str]) -> str:
        """The file that a path means, relative to the root, links followed. Refused if it is outside."""
        given = os.fspath(path)
        root = os.fsencode(self.root)
        try:
            real, _ = sight.named(os.path.join(root, os.fsencode(given)))
        except (OSError, ValueError) as error:
            raise EditRefused(f"{given!r} cannot be looked at: {error}", hint="name another file") from error
        inside = sight.relative(root, real)
        if inside is None:
            raise EditRefused(
                f"{given} is outside the project",
                hint=f"only files below {self.root} can be changed; paths are relative to that folder",
            )
        if any(name.lower() == b".git" for name in inside.split(b"/")):
            raise EditRefused(f"{given} belongs to git", hint="use git for that")
        return os.fsdecode(inside)

    def read(self, path: str) -> FoundContent:
        """What stands at a path, its bytes stored. Refused if that is neither a file nor nothing."""
        state, _ = self._tree.read(path)
        if isinstance(state, Absent):
            return FoundContent(state, None)
        if not isinstance(state, Regular):
            raise EditRefused(f"{path} is not a file that can be read", hint="name a file")
        return FoundContent(state, self.blobs.get(state.blob).decode("utf-8", RAW))

    def look(self, path: str) -> FileState:
        """What stands at a path, whatever it is."""
        return self._tree.read(path)[0]

    def replace(self, path: str, before: FileState, text: str) -> Regular:
        """Let a file hold another text, if it is as it was; says what it is then. Needs the lock."""
        data = text.encode("utf-8", RAW)
        mode = before.mode if isinstance(before, Regular) else self._new_mode
        after = Regular(mode=mode, size=len(data), blob=self.blobs.put(data))
        write = Write(path=path, old_path=path, before=before, after=after)
        (landed,) = self._tree.replace([write], self.state / "staged")
        if landed.outcome in ("conflict", "left"):
            raise Moved(landed.why)
        return after
