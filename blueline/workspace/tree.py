"""The project's files: look at them, and change them in the one way they are ever changed."""

import stat
import time
from collections.abc import Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeGuard

from blueline.errors import BluelineError
from blueline.model.fact import Write
from blueline.model.file_state import FileState, Regular
from blueline.workspace import moved_files, staging
from blueline.workspace.look import is_being_written, look_below
from blueline.workspace.moved_files import Appeared
from blueline.workspace.open_folders import NoFolder, OpenFolders, leaf, parts
from blueline.workspace.signatures import Signature, changed, looks_unchanged, signatures
from blueline.workspace.staging import NotCertain, NotWritten, Staged
from blueline.workspace.steps import BlobSink, Landed, is_temporary

__all__ = [
    "Landed",
    "NoContent",
    "NotCertain",
    "NotWritten",
    "Signature",
    "Staged",
    "Tree",
    "is_temporary",
    "looks_unchanged",
]


EMPTIED_NS = 300_000_000
"""How long an editor may take from emptying a file to writing it: a tenth of a second was seen."""

SAVING_SECONDS = 1.0
"""How long one that has it open is waited for."""

AGAIN_SECONDS = 0.005


class NoContent(BluelineError):
    """There is no file with bytes to read."""


class Tree:
    """The files below a root. Paths are relative to it, with `surrogateescape` for what is no text.

    A path that is absolute or has a `..` in it is a ValueError when looked at, and a conflict when written.
    """

    def __init__(self, root: Path, blobs: BlobSink) -> None:
        self.root = root
        self._blobs = blobs

    def read(self, path: str, *, filled: bool = False) -> tuple[FileState, Signature | None]:
        """What stands at a path. The bytes of a regular file are in the blob store when this returns.

        A file that is known to be `filled`, and was emptied just now, is waited for: many programs save by
        emptying a file and writing it then, and nobody has deleted anything in between.
        """
        parts(path)
        end = time.monotonic() + SAVING_SECONDS
        while True:
            with OpenFolders(self.root) as folders:
                found = look_below(folders, path, self._blobs.put)
                now = found.signature
                is_saving = filled and _is_empty(now) and _is_saving(folders, path, now)
            if not is_saving or time.monotonic() > end:
                return found.state, found.signature
            time.sleep(AGAIN_SECONDS)

    def content(self, path: str) -> bytes:
        """The bytes of a regular file, which are not stored."""
        parts(path)
        with OpenFolders(self.root) as folders:
            found = look_below(folders, path)
        if not isinstance(found.state, Regular):
            raise NoContent(f"{path} is not a file that can be read", hint="see what stands there")
        return found.content

    def signature(self, path: str) -> Signature | None:
        """As `signatures`, for one path."""
        return self.signatures([path])[path]

    def signatures(self, paths: Iterable[str]) -> dict[str, Signature | None]:
        """What files show without being opened; None for one that is not there or cannot be looked at."""
        return signatures(self.root, paths)

    def changed(self, known: Mapping[str, list[int] | None]) -> dict[str, Signature | None]:
        """The files that are not what they were when they were last looked at, as `look.changed` tells."""
        return changed(self.root, known)

    def appeared(self, since_ns: int, inodes: Container[tuple[int, int]] = ()) -> list[Appeared]:
        """Regular files that changed since a time, or that have one of these devices and inode numbers.

        Among them is where a file went that is no longer in its place. Does not look into `finding.SKIPPED`
        folders nor behind links, and not at more than `finding.MOST_ENTRIES` names.
        """
        return [one for one in moved_files.find(self.root, since_ns, inodes) if not is_temporary(one.path)]

    def stage(
        self, writes: Sequence[Write], staged: Path, *, in_part: bool = False, is_new: bool = False
    ) -> Staged:
        """Make everything ready for `Staged.commit`, and change no file yet.

        If a file does not hold what its write expects, `Staged.conflicts` says so and nothing is made ready;
        with `in_part`, the others are. If it `is_new`, nothing of it was done before: a file that stands
        where another is to move to is somebody's, even if it holds the same. Fails with `NotWritten` if the
        disk is full or closed, having cleared away what it had begun. `staged` is a file outside the project
        for what `sweep` has to know; only one batch at a time may use it.
        """
        batch = Staged(self.root, self._blobs, writes, staged)
        batch.stage(in_part=in_part, is_new=is_new)
        return batch

    def replace(self, writes: Sequence[Write], staged: Path, *, in_part: bool = False) -> list[Landed]:
        """Stage and commit. One answer for each write, in their order."""
        with self.stage(writes, staged, in_part=in_part) as batch:
            return batch.commit()

    def sweep(self, staged: Path) -> bool:
        """Clear away what a killed process left behind: to be called when a project is opened.

        A temporary name may hold old bytes. They are in the blob store, or they go back to their place.
        False if the disk refuses; files can be looked at then, but nothing can be staged.
        """
        return staging.sweep(self.root, self._blobs, staged)


def _is_empty(found: Signature | None) -> TypeGuard[Signature]:
    return found is not None and not found.size and stat.S_ISREG(found.mode)


def _is_saving(folders: OpenFolders, path: str, found: Signature) -> bool:
    """Whether somebody may be about to write an empty file. Its time alone does not tell: for a moment the
    kernel shows a file without its bytes, and with the time that it had before."""
    if 0 <= time.time_ns() - found.mtime_ns < EMPTIED_NS:
        return True
    try:
        return is_being_written(folders.of(path), leaf(path))
    except (NoFolder, OSError):
        return False
