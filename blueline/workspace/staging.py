"""A batch of writes, in two halves: first all that can go wrong, then the changes.

Staging makes every new file complete, beside the place it is meant for, so that a full disk or a closed
folder is found while nothing is changed yet. Committing only changes names.
"""

import errno
import os
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Literal

from blueline.errors import BluelineError
from blueline.model.fact import Write
from blueline.model.file_state import Absent
from blueline.workspace import record
from blueline.workspace.checking import check
from blueline.workspace.landing import BlobSink, Landing
from blueline.workspace.look import NoFolder, parent
from blueline.workspace.steps import Landed, WriteStep, answers, ordered, steps_of

NO_SPACE = (errno.ENOSPC, errno.EDQUOT)
CLOSED = (errno.EROFS, errno.EACCES, errno.EPERM)


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

    def stage(self, *, in_part: bool) -> None:
        """To be called once, before anything else; see `Tree.stage`."""
        if not sweep(self._root, self._blobs, self._file):
            raise NotWritten(
                "files of an earlier decision are in the way and cannot be removed",
                hint="make the project's folders writable, then try again; no file was changed",
            )
        with Landing(self._root, self._blobs) as landing:
            wanted = check(landing, self._writes, self._steps)
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
                record.write(self._file, temporaries, wanted)
            for path in wanted:
                self._made += landing.make_folders(path)
            for step in todo:
                path = step.path
                if step.needs_file:
                    landing.prepare(step)
                elif (step.is_going or step.source) and not landing.may_change(parent(path)):
                    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            path = ""
            if temporaries or wanted:
                record.mark_ready(self._file)
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
            record.remove(self._file)
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
        if step.missing and isinstance(step.after, Absent) and step.outcome != "conflict":
            landing.remove_folders(parent(step.path), step.missing)

    def _clear(self, landing: Landing) -> None:
        for step in self._steps.values():
            if step.temporary:
                landing.tidy(step)
        for folder in reversed(self._made):
            landing.remove_folders(folder, folder)
        landing.sync()
        record.remove(self._file)


def sweep(root: Path, blobs: BlobSink, file: Path) -> bool:
    """Clear away what a batch left behind that was cut short. What it had done stays done.

    A temporary name may hold the new file, or after the exchange the old one, which is in the blob store; or,
    if the end came just then, what somebody had saved between check and exchange. That goes back.

    False if that cannot be done yet, on a disk that is read-only for example.
    """
    left = record.read(file)
    try:
        if left is not None:
            with Landing(root, blobs) as landing:
                clear(landing, left)
        record.remove(file)
    except OSError:
        return False
    return True


def clear(landing: Landing, left: record.BatchRecord) -> None:
    for step in left.steps:
        if left.is_ready:
            landing.tidy(step)
        else:
            landing.drop(step)
    for folder in reversed(left.folders):
        landing.remove_folders(folder, folder)
    landing.sync()


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
