"""A batch of writes, in two halves: first all that can go wrong, then the changes.

Staging makes every new file complete, beside the place it is meant for, so that a full disk or a closed
folder is found while nothing is changed yet. Committing only changes names.

A record beside the state says which temporary files there are, should nobody be left to remove them: it is on
disk before the first of them is, and goes after the last.
"""

import contextlib
import errno
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, NamedTuple

from blueline.errors import BluelineError
from blueline.kernel import disk, durable
from blueline.model.fact import Write
from blueline.model.file_state import Absent, FileState, Folder, Link, Other, Regular, Unknown
from blueline.workspace.landing import Landing
from blueline.workspace.open_folders import NoFolder, parent
from blueline.workspace.steps import (
    BlobSink,
    Landed,
    WriteStep,
    answers,
    check,
    ordered,
    refuse_taken,
    steps_of,
)

NO_SPACE = (errno.ENOSPC, errno.EDQUOT)
CLOSED = (errno.EROFS, errno.EACCES, errno.EPERM)

AT_ONCE = 64
"""New files that are open at a time, and synced together."""

RECORD_VERSION = 1
READY = b"ready\n"
"""The second line, once every temporary file is complete: what stands under their names from then on can be
somebody else's."""

# Names on disk outlive names in code: rename the class, never the key.
STORED: dict[str, type[FileState]] = {
    "file": Regular,
    "link": Link,
    "folder": Folder,
    "absent": Absent,
    "other": Other,
    "unknown": Unknown,
}
KEYS = {state: key for key, state in STORED.items()}


class BatchRecord(NamedTuple):
    """What a batch was about to do."""

    steps: list[WriteStep]
    folders: list[str]
    """Those it makes, outermost first."""
    is_ready: bool


class NotWritten(BluelineError):
    """The disk is full, or closed to us. No file was changed."""


class NotCertain(BluelineError):
    """Everything was done, but the disk did not say that it is there for good."""


class Staged:
    """Writes that are ready to land. Until `commit`, no file is changed; after `discard`, none will be.

    As a context it discards what was not committed.
    """

    def __init__(self, root: Path, blobs: BlobSink, writes: Sequence[Write], file: Path) -> None:
        self._root = root
        self._blobs = blobs
        self._writes = writes
        self._file = file
        self._steps = steps_of(writes)
        self._made: list[str] = []
        self._phase: Literal["new", "staged", "over"] = "new"

    def __enter__(self) -> "Staged":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.discard()

    @property
    def landed(self) -> list[Landed]:
        """What became of each write so far, in their order."""
        return answers(self._writes, self._steps)

    @property
    def conflicts(self) -> list[Landed]:
        """Files that did not hold what their write expected."""
        return [landed for landed in self.landed if landed.outcome == "conflict"]

    def stage(self, *, in_part: bool, is_new: bool) -> None:
        """To be called once, before anything else; see `Tree.stage`."""
        if not sweep(self._root, self._blobs, self._file):
            raise NotWritten(
                "files of an earlier decision are in the way and cannot be removed",
                hint="make the project's folders writable, then try again; no file was changed",
            )
        with Landing(self._root, self._blobs) as landing:
            wanted = check(landing.folders, self._blobs, self._writes, self._steps)
            if is_new:
                refuse_taken(self._writes, self._steps)
            if self.conflicts and not in_part:
                return
            try:
                self._prepare(landing, wanted)
            except BaseException:
                self._undo(landing)
                raise

    def commit(self) -> list[Landed]:
        """Let everything land; says what became of each write, in their order.

        A file that somebody changed since it was staged is a conflict: it holds what they saved. The others
        of the batch land nevertheless, as they may have landed before it. The caller has to look at the
        conflicts again, and to plan again what it wanted of them. With conflicts known since staging (unless
        that was `in_part`), nothing is done.

        When this returns, all is on disk for good.
        """
        if self._phase != "staged":
            return self.landed
        # From here on a temporary name can hold somebody's bytes, and is not ours to remove unseen.
        self._phase = "over"
        with Landing(self._root, self._blobs) as landing:
            for step in ordered(self._steps):
                self._land(landing, step)
            try:
                self._clear(landing)
            except OSError as error:
                raise NotCertain(
                    f"the files may not be on disk for good: {error.strerror}",
                    hint="look after the disk; then any command of Blueline finishes what was begun",
                ) from error
        return self.landed

    def discard(self) -> None:
        """Forget the writes. Does nothing after `commit`."""
        if self._phase == "staged":
            with Landing(self._root, self._blobs) as landing:
                self._undo(landing)

    def _prepare(self, landing: Landing, wanted: Sequence[str]) -> None:
        todo = [step for step in self._steps.values() if step.outcome is None]
        temporaries = [step for step in todo if step.temporary]
        path = ""
        try:
            if temporaries or wanted:
                write_record(self._file, temporaries, wanted)
            for path in wanted:
                self._made += landing.make_folders(path)
            for step in todo:
                path = step.path
                if (step.is_going or step.source) and not landing.may_change(parent(path)):
                    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            path = ""
            _make_files(landing, [step for step in todo if step.needs_file])
            if temporaries or wanted:
                mark_ready(self._file)
        except (OSError, NoFolder) as error:
            raise refused(error, path) from error
        self._phase = "staged"

    def _undo(self, landing: Landing) -> None:
        self._phase = "over"
        try:
            for step in self._steps.values():
                if step.temporary and step.needs_file:
                    landing.drop(step)
            for folder in reversed(self._made):
                landing.remove_folders(folder, folder)
            remove_record(self._file)
        except OSError:
            return  # the record stays, and the next `sweep` tries again

    def _land(self, landing: Landing, step: WriteStep) -> None:
        if step.outcome is None:
            waits_for = [self._steps[path] for path in step.waits_for]
            blocked = next((other for other in waits_for if other.outcome == "conflict"), None)
            if blocked:
                step.refuse(f"it waits for {blocked.path}: {blocked.why}")
            elif why := "" if step.is_carried else landing.land(step):
                step.refuse(why)
            else:
                step.outcome = "written"
        if step.respelled and step.outcome != "conflict":
            step.outcome = "written"
            if why := landing.respell(step):
                step.refuse(why)
        self._remove_folders(landing, step)

    def _remove_folders(self, landing: Landing, step: WriteStep) -> None:
        """With the last file go the folders that were made for it."""
        if step.missing and isinstance(step.after, Absent) and step.outcome != "conflict":
            landing.remove_folders(parent(step.path), step.missing)

    def _clear(self, landing: Landing) -> None:
        for step in self._steps.values():
            if step.temporary:
                landing.tidy(step)
                self._remove_folders(landing, step)  # they may have held it until now
        for folder in reversed(self._made):
            landing.remove_folders(folder, folder)
        landing.sync()
        remove_record(self._file)


def sweep(root: Path, blobs: BlobSink, file: Path) -> bool:
    """Clear away what a batch left behind that was cut short. What it had done stays done.

    A temporary name may hold the new file, or after the exchange the old one, which is in the blob store; or,
    if the end came just then, what somebody had saved between check and exchange. That goes back.

    False if that cannot be done yet, on a disk that is read-only for example.
    """
    left = read_record(file)
    try:
        if left is not None:
            with Landing(root, blobs) as landing:
                clear(landing, left)
        remove_record(file)
    except OSError:
        return False
    return True


def clear(landing: Landing, left: BatchRecord) -> None:
    for step in left.steps:
        if left.is_ready:
            landing.tidy(step)
        else:
            landing.drop(step)
    for folder in reversed(left.folders):
        landing.remove_folders(folder, folder)
    landing.sync()


def _make_files(landing: Landing, steps: Sequence[WriteStep]) -> None:
    """Make the files that are to land, complete and on disk."""
    for at in range(0, len(steps), AT_ONCE):
        opened: list[tuple[int, str]] = []
        try:
            for step in steps[at : at + AT_ONCE]:
                try:
                    fd = landing.prepare(step)
                except (OSError, NoFolder) as error:
                    raise refused(error, step.path) from error
                if fd is not None:
                    opened.append((fd, step.path))
            durable.each(_sync, opened)
        finally:
            for fd, _ in opened:
                os.close(fd)


def _sync(opened: tuple[int, str]) -> None:
    fd, path = opened
    try:
        disk.sync_file(fd)
    except OSError as error:
        raise refused(error, path) from error


def refused(error: OSError | NoFolder, path: str) -> NotWritten:
    where = path.encode("utf-8", "backslashreplace").decode() or "the state folder"
    if isinstance(error, NoFolder):
        return NotWritten(f"cannot write {where}: its folder has gone", hint="try again; no file was changed")
    if error.errno in NO_SPACE:
        hint = "free some space, then try again; no file was changed"
    elif error.errno in CLOSED:
        hint = "make its folder writable, then try again; no file was changed"
    else:
        hint = "no file was changed"
    return NotWritten(f"cannot write {where}: {error.strerror}", hint=hint)


def write_record(file: Path, steps: Iterable[WriteStep], folders: Sequence[str]) -> None:
    document = {
        "version": RECORD_VERSION,
        "folders": list(folders),
        "steps": [
            {
                "path": step.path,
                "temporary": step.temporary,
                "before": [KEYS[type(step.before)], asdict(step.before)],
                "after": [KEYS[type(step.after)], asdict(step.after)],
            }
            for step in steps
        ],
    }
    _write(file, os.O_CREAT | os.O_EXCL, json.dumps(document).encode("ascii") + b"\n")
    disk.sync_folder(os.fsencode(file.parent.absolute()))


def mark_ready(file: Path) -> None:
    _write(file, os.O_APPEND, READY)


def read_record(file: Path) -> BatchRecord | None:
    """None if there is none, or it was not written to its end: then nothing else was done either."""
    try:
        document, end, rest = file.read_bytes().partition(b"\n")
    except FileNotFoundError:
        return None
    try:
        return _parse(document, rest) if end else None
    except (ValueError, KeyError, TypeError):  # a power cut came before it was all on disk
        return None


def remove_record(file: Path) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(file)


def _parse(document: bytes, rest: bytes) -> BatchRecord:
    fields = json.loads(document)
    steps = [
        WriteStep(
            path=step["path"],
            temporary=step["temporary"],
            before=_state(*step["before"]),
            after=_state(*step["after"]),
        )
        for step in fields["steps"]
    ]
    return BatchRecord(steps, fields["folders"], rest == READY)


def _state(key: str, fields: dict[str, Any]) -> FileState:
    return STORED[key](**fields)


def _write(file: Path, flags: int, data: bytes) -> None:
    fd = os.open(file, os.O_WRONLY | os.O_NOFOLLOW | flags, 0o600)
    try:
        disk.write_whole(fd, data)
        disk.sync_file(fd)
    finally:
        os.close(fd)
