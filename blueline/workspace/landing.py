"""Put a file in its place, only if that holds what is expected: the steps that change a person's files.

The check comes after the change, not before it, so that nobody can come in between. New and old file change
places; the old one is looked at when nobody can reach it under its name any more; and if it is not the one
that was expected, they change back.

Of a file that is replaced, owner, access list and the attributes a person has set stay; its modification
time is new, and a second name (hard link) it has keeps the old bytes.
"""

import contextlib
import errno
import functools
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from blueline.kernel import disk, durable
from blueline.model.file_state import Absent, FileState, Folder, Link, Regular
from blueline.workspace.look import CHANGED, GONE, OPEN, READING, TAKEN, difference, is_being_written, look
from blueline.workspace.open_folders import NoFolder, OpenFolders, above, leaf, parent
from blueline.workspace.steps import BlobSink, WriteStep, secure

CREATING = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
KEPT_ATTRIBUTES = ("user.", "system.posix_acl_access")

CALLS = {"renameat2": (1, 2), "renameatx_np": (4, 2)}
"""Linux and macOS: the function of the C library, its flags for "do not replace" and for "exchange"."""

UNSUPPORTED = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP)


class Landing:
    """The steps, one by one, in one open project."""

    def __init__(self, root: Path, blobs: BlobSink) -> None:
        self.root = root
        self.folders = OpenFolders(root)
        self._others = OpenFolders(root)
        self._blobs = blobs
        self._touched: set[str] = set()

    def __enter__(self) -> "Landing":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.folders.close()
        self._others.close()

    def may_change(self, folder: str) -> bool:
        """Whether names in a folder can be changed, as far as can be told without doing it."""
        try:
            return os.access(".", os.W_OK | os.X_OK, dir_fd=self.folders.at(folder))
        except NoFolder:
            return True  # it will be ours

    def make_folders(self, folder: str) -> list[str]:
        """Make a folder and its parents; says which were not there, outermost first."""
        made: list[str] = []
        with contextlib.suppress(NoFolder):
            self.folders.at(folder)
            return made
        for path in [*above(folder), folder] if folder else []:
            with contextlib.suppress(FileExistsError):
                os.mkdir(leaf(path), dir_fd=self.folders.of(path))
                made.append(path)
                self._touched.add(parent(path))
        return made

    def remove_folders(self, folder: str, outermost: str) -> None:
        """Remove a folder, then those around it up to `outermost`, as long as they are empty."""
        for path in reversed([*above(folder), folder]):
            if not f"{path}/".startswith(f"{outermost}/"):
                return
            try:
                os.rmdir(leaf(path), dir_fd=self.folders.of(path))
            except (NoFolder, FileNotFoundError):
                continue
            except OSError:
                return
            self.folders.leave(path)
            self._others.leave(path)
            self._touched.add(parent(path))

    def prepare(self, step: WriteStep) -> int | None:
        """Make the file that is to land, complete, under its temporary name; what is left open of it, to be
        synced and closed."""
        home, temporary = self.folders.place(step.temporary)
        match step.after:
            case Link(target=target):
                os.symlink(target, temporary, dir_fd=home)
                return None
            case Regular(blob=blob, mode=mode):
                fd = os.open(temporary, CREATING, 0o600, dir_fd=home)
                try:
                    if isinstance(step.before, Regular):
                        self._dress(fd, step.path)
                    disk.write_whole(fd, self._blobs.get(blob))
                    os.fchmod(fd, mode)
                except BaseException:
                    os.close(fd)
                    raise
                return fd
            case _:
                raise ValueError(f"cannot make {step.after}")

    def land(self, step: WriteStep) -> str:
        """Do one step; why not, if it was not done."""
        self._touched.add(parent(step.path))
        try:
            if isinstance(step.before, Folder):
                self._remove_folder(step)
            if isinstance(step.after, Folder):
                why = self._remove(step) if isinstance(step.before, Regular | Link) else ""
                if not why:
                    self.make_folders(step.path)
                    self.folders.at(step.path)
                return why
            if step.source:
                return self._move(step)
            if step.is_going:
                return "" if isinstance(step.before, Folder) else self._remove(step)
            if step.changes_mode_only:
                return self._change_mode(step)
            if isinstance(step.before, Absent | Folder):
                return self._create(step)
            return self._replace(step)
        except FileNotFoundError:
            return GONE
        except FileExistsError:
            return TAKEN
        except NoFolder as error:
            return f"{error.where} is no longer a folder"
        except OSError as error:
            return f"it cannot be written: {error.strerror}"

    def respell(self, step: WriteStep) -> str:
        """Change the spelling of a name, where both spellings are one name; why not, if it was not done."""
        try:
            folder = self.folders.of(step.path)
            os.rename(leaf(step.path), leaf(step.respelled), src_dir_fd=folder, dst_dir_fd=folder)
        except (OSError, NoFolder) as error:
            return f"it cannot be renamed: {error}"
        return ""

    def drop(self, step: WriteStep) -> None:
        """Remove a temporary file that was never anything else."""
        with contextlib.suppress(FileNotFoundError, NoFolder):
            home, temporary = self.folders.place(step.temporary)
            # A disk that is read-only complains about the unlink of nothing, too.
            if exists(home, temporary):
                os.unlink(temporary, dir_fd=home)

    def tidy(self, step: WriteStep) -> None:
        """Remove what is left under a temporary name; what somebody saved in the last moment goes back."""
        with contextlib.suppress(FileNotFoundError, NoFolder):
            home, temporary = self.folders.place(step.temporary)
            if not exists(home, temporary):
                return
            if all(self._differs(home, temporary, state) for state in (step.before, step.after)):
                self._give_back(step)
            else:
                os.unlink(temporary, dir_fd=home)

    def sync(self) -> None:
        """Make all names that changed durable."""
        durable.each(self._sync, sorted(self._touched))
        self._touched.clear()

    def _sync(self, folder: str) -> None:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError, PermissionError):
            disk.sync_folder(os.fsencode(self.root / folder))

    def _remove_folder(self, step: WriteStep) -> None:
        """Remove an empty folder. Whoever has put something into it meanwhile keeps both.

        It may have gone already, with the last file of the same decision in it.
        """
        is_to_go = isinstance(step.after, Absent)
        try:
            os.rmdir(leaf(step.path), dir_fd=self.folders.of(step.path))
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.ENOENT) or not is_to_go:
                raise
        except NoFolder as error:
            if error.blocked or not is_to_go:
                raise
        self.folders.leave(step.path)
        self._others.leave(step.path)

    def _create(self, step: WriteStep) -> str:
        self.make_folders(parent(step.path))
        target = self.folders.place(step.path)
        move(*self.folders.place(step.temporary), *target)
        return ""

    def _replace(self, step: WriteStep) -> str:
        (folder, name), temporary = self.folders.place(step.path), leaf(step.temporary)
        if not exchange(folder, name, folder, temporary):
            why = self._differs(folder, name, step.before)
            if not why:
                os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
            return why
        return self._let_go(step, folder, temporary)

    def _remove(self, step: WriteStep) -> str:
        (folder, name), temporary = self.folders.place(step.path), leaf(step.temporary)
        os.rename(name, temporary, src_dir_fd=folder, dst_dir_fd=folder)
        return self._let_go(step, folder, temporary)

    def _let_go(self, step: WriteStep, folder: int, temporary: str) -> str:
        """Remove the old file, which nobody finds any more; or give it back, if it is another one."""
        if why := self._differs(folder, temporary, step.before):
            self._give_back(step)
            return why
        # It has lost its name, so this is done. If it will not go, `tidy` tries again.
        with contextlib.suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        return ""

    def _move(self, step: WriteStep) -> str:
        self.make_folders(parent(step.path))
        new, old = self.folders.of(step.path), self._others.of(step.source)
        self._touched.add(parent(step.source))
        move(old, leaf(step.source), new, leaf(step.path))
        why = difference(look(new, leaf(step.path)).state, step.after)
        if why:
            # It was saved under its old name a moment ago. If that is taken again, both stay.
            with contextlib.suppress(FileExistsError):
                move(new, leaf(step.path), old, leaf(step.source))
        return why

    def _change_mode(self, step: WriteStep) -> str:
        assert isinstance(step.after, Regular)
        folder, name = self.folders.place(step.path)
        fd = os.open(name, READING, dir_fd=folder)
        try:
            if why := difference(look(folder, name).state, step.before):
                return why
            os.fchmod(fd, step.after.mode)
            disk.sync_file(fd)
            now = os.stat(name, dir_fd=folder, follow_symlinks=False)
            return "" if os.path.samestat(now, os.fstat(fd)) else CHANGED
        finally:
            os.close(fd)

    def _differs(self, folder: int, name: str, expected: FileState) -> str:
        """Why what stands there cannot go; empty if it can. First whether it can change, then what it is.

        What is as expected is in the blob store: the check before the batch saw to that.
        """
        return OPEN if is_being_written(folder, name) else difference(look(folder, name).state, expected)

    def _give_back(self, step: WriteStep) -> None:
        """Under the temporary name is what somebody saved in the last moment: it goes back to its place.

        Unless something was saved there once more, which is the later: then only its bytes are kept.
        """
        target, name = self.folders.place(step.path)
        home, temporary = self.folders.place(step.temporary)
        try:
            if isinstance(step.after, Absent):
                return move(home, temporary, target, name)
            exchange(target, name, home, temporary)
            if not self._differs(home, temporary, step.after):
                return os.unlink(temporary, dir_fd=home)
            exchange(target, name, home, temporary)
        except FileNotFoundError:
            return move(home, temporary, target, name)
        except FileExistsError:
            pass
        return self._keep(home, temporary)

    def _keep(self, folder: int, name: str) -> None:
        found = look(folder, name)
        secure(found, self._blobs)
        if isinstance(found.state, Regular | Link):
            os.unlink(name, dir_fd=folder)

    def _dress(self, fd: int, path: str) -> None:
        """Give a new file what belongs to the old one and is not in its bytes, as far as we are allowed."""
        try:
            old = os.open(leaf(path), READING, dir_fd=self.folders.of(path))
        except OSError:  # it has gone meanwhile, which the landing will say
            return
        try:
            found, ours = os.fstat(old), os.fstat(fd)
            if (found.st_uid, found.st_gid) != (ours.st_uid, ours.st_gid):
                with contextlib.suppress(OSError):
                    os.fchown(fd, found.st_uid, found.st_gid)
            if sys.platform == "linux" and stat.S_ISREG(found.st_mode):
                with contextlib.suppress(OSError):
                    for name in os.listxattr(old):
                        if name.startswith(KEPT_ATTRIBUTES):
                            os.setxattr(fd, name, os.getxattr(old, name))
        finally:
            os.close(old)


# Changes of names that the system makes in one step. Not all systems and file systems can do all of it: where
# they cannot, the answer says so, or the next best is done and leaves a moment for others to come between.


class Kernel(NamedTuple):
    """A call that can do more than `rename`, and its two flags. It gives back an error number, or 0."""

    rename: Callable[[int, bytes, int, bytes, int], int]
    no_replace: int
    exchange: int


@functools.cache
def kernel() -> Kernel | None:
    """None on a system without such a call."""
    try:
        import ctypes  # only those who write need it, and it is slow to load

        libc = ctypes.CDLL(None, use_errno=True)
    except (ImportError, OSError):
        return None
    for name, (no_replace, both) in CALLS.items():
        call = getattr(libc, name, None)
        if call is None:
            continue
        call.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)

        def rename(*arguments: int | bytes, call: Callable[..., int] = call) -> int:
            return 0 if call(*arguments) == 0 else ctypes.get_errno()

        return Kernel(rename, no_replace, both)
    return None


def is_done(number: int, old: str, new: str) -> bool:
    """What an error number means: False if the file system cannot do such a thing."""
    if number in UNSUPPORTED:
        return False
    if number:
        raise OSError(number, os.strerror(number), old, None, new)
    return True


def exchange(one_fd: int, one: str, other_fd: int, other: str) -> bool:
    """Let two names change places; False where that cannot be done. Names are in open folders.

    The first is the person's file. Who watches is told of each name that it went and that it came: of the
    first name in this order, of the second in the other, which editors take for a file that came and went.
    """
    found = kernel()
    if found is None:
        return False
    number = found.rename(one_fd, os.fsencode(one), other_fd, os.fsencode(other), found.exchange)
    return is_done(number, one, other)


def move(old_fd: int, old: str, new_fd: int, new: str) -> None:
    """Rename, but fail with FileExistsError where something has the new name."""
    found = kernel()
    if found is not None:
        number = found.rename(old_fd, os.fsencode(old), new_fd, os.fsencode(new), found.no_replace)
        if is_done(number, old, new):
            return
    try:
        os.link(old, new, src_dir_fd=old_fd, dst_dir_fd=new_fd, follow_symlinks=False)
    except FileExistsError:
        raise
    except OSError:  # no second names on this file system, or none for a folder
        if exists(new_fd, new):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), new) from None
        os.rename(old, new, src_dir_fd=old_fd, dst_dir_fd=new_fd)
    else:
        os.unlink(old, dir_fd=old_fd)


def exists(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True
