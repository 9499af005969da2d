"""Keeps hooks told of which folders were touched, so that they need not look at all of them.

What has to hold, and what `hook/touched_folders.py` relies on: an answer names every folder in which anything
was changed, as far as the kernel tells of it, from the change whose number the question names until the
question was asked. So a folder is watched before what is in it is listed, and counts as touched when it comes
to be watched. When something was missed, or may have been, the watcher begins anew under another name, and
what was asked under the old one is answered by: anything may have changed.
"""

import errno
import fcntl
import os
import secrets
import threading
from contextlib import suppress
from pathlib import Path

from blueline.hook import touched_folders, tree_index
from blueline.kernel import disk
from blueline.workspace import inotify
from blueline.workspace.inotify import Inotify, KernelEvent

TICK_MS = 500
AGAIN_SECONDS = 2.0
"""How long to wait before somebody else's lock, or a queue that was too short, is tried again."""

MOST_FOLDERS = 1_000_000

LOCAL = frozenset(
    ("ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "bcachefs", "zfs", "jfs", "tmpfs", "overlay")
)
"""File systems that nobody changes without this kernel. What comes over a network does."""


class BeginAnew(Exception):
    """Something was missed, or may have been."""


class CannotWatch(Exception):
    """What is here cannot be watched so that nothing is missed."""


def tell_hooks(root: Path, state: Path, stop: threading.Event) -> None:
    """Watch a project, and answer hooks, until `stop` is set. Ends at once where that cannot be done."""
    place, folder = os.fsencode(os.path.realpath(root)), os.fsencode(state)
    try:
        disk.make_folder(touched_folders.asks_path(folder))
        turn = _lock_file(touched_folders.turn_path(folder))
    except OSError:
        return
    try:
        while not stop.is_set():
            try:
                fcntl.flock(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _watch(place, folder, stop)
            except (BlockingIOError, BeginAnew):
                stop.wait(AGAIN_SECONDS)
    except (OSError, CannotWatch):  # no more watches are to be had, or the project is gone
        return
    finally:
        os.close(turn)


def _lock_file(path: bytes) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _watch(root: bytes, state: bytes, stop: threading.Event) -> None:
    watcher = TreeWatcher(root, state)
    try:
        watcher.begin()
        with os.fdopen(_lock_file(touched_folders.lock_path(state)), "wb") as lock:
            # Waits for no more than hooks that see just now that nobody has it.
            fcntl.flock(lock, fcntl.LOCK_EX)
            while not stop.is_set():
                watcher.step(TICK_MS)
    finally:
        watcher.close()


class TreeWatcher:
    """All folders of a project, watched. It has one name from its beginning to its end."""

    def __init__(self, root: bytes, state: bytes) -> None:
        self._root = root
        self._asks = touched_folders.asks_path(state)
        self._skipped = os.path.dirname(state)
        self._index = state + b"/tree"
        self._index_seen: tuple[int, int] | None = None
        self._counted: set[bytes] = set()
        """Folders in which files are counted and their bytes do not matter."""
        self._name = secrets.token_hex(8).encode()
        self._number = 0
        """Of the last change."""
        self._touched: dict[bytes, int] = {}
        """For each folder, the number of the last change in it."""
        self._linked: set[bytes] = set()
        """Folders with files that have another name somewhere, by which they can be changed."""
        self._unchecked: set[bytes] = set()
        """Folders in which such files may have come."""
        self._paths: dict[int, bytes] = {}
        self._watches: dict[bytes, int] = {}
        self._notify = Inotify()
        self._questions = -1

    def close(self) -> None:
        self._notify.close()

    def begin(self) -> None:
        """Watch everything."""
        if not is_local(self._root):
            raise CannotWatch
        found = os.lstat(self._root)
        self._id = found.st_dev, found.st_ino
        self._know_counted()
        self._questions = self._notify.add(self._asks, inotify.CREATE | inotify.DELETE_SELF)
        self._come(b"")
        for name in os.listdir(self._asks):
            if name.startswith(b"ask-"):
                # Of a hook that was killed, or that still waits: one that asked the watcher before, which is
                # gone, and that can read what no longer has a name.
                self._answer(name)
                with suppress(FileNotFoundError):
                    os.unlink(os.path.join(self._asks, name))

    def step(self, milliseconds: int) -> None:
        """Take in what has happened, and answer what was asked."""
        if self._notify.wait(milliseconds):
            for told in self._notify.read():
                self._take(told)

    def _take(self, told: KernelEvent) -> None:
        if told.mask & inotify.OVERFLOW:
            raise BeginAnew
        if told.watch == self._questions:
            if told.mask & (inotify.DELETE_SELF | inotify.IGNORED | inotify.UNMOUNT):
                raise CannotWatch
            return self._answer(told.name)
        path = self._paths.get(told.watch)
        if path is None:  # it was moved away, and is known by its new name, if by any
            return None
        if told.mask & inotify.UNMOUNT or (
            not path and told.mask & (inotify.DELETE_SELF | inotify.MOVE_SELF | inotify.IGNORED)
        ):
            raise CannotWatch
        if told.mask & inotify.IGNORED:
            return self._gone(told.watch)
        self._touch(path)
        if told.mask & inotify.IS_FOLDER and told.name:
            self._take_folder(tree_index.join(path, told.name), told.mask)
        return None

    def _take_folder(self, path: bytes, mask: int) -> None:
        if mask & inotify.MOVED_FROM:
            self._drop(path)
        elif mask & (inotify.CREATE | inotify.MOVED_TO) or path not in self._watches:
            self._come(path)
        else:
            self._touch(path)

    def _touch(self, path: bytes) -> None:
        self._number += 1
        self._touched[path] = self._number
        self._unchecked.add(path)
        if len(self._touched) > MOST_FOLDERS:  # most of them gone: somebody makes them and takes them away
            raise BeginAnew

    def _gone(self, watch: int) -> None:
        path = self._paths.pop(watch)
        if self._watches.get(path) == watch:
            del self._watches[path]

    def _drop(self, path: bytes) -> None:
        """A folder was moved away, with all that is in it: under the old names nothing is known of it."""
        below = path + b"/"
        for known in [one for one in self._watches if one == path or one.startswith(below)]:
            self._notify.remove(self._watches[known])
            self._gone(self._watches[known])

    def _come(self, path: bytes) -> None:
        """Watch a folder, and all that are in it."""
        todo = [path]
        while todo:
            here = todo.pop()
            whole = self._absolute(here)
            if here.rpartition(b"/")[2] == b".git" or whole == self._skipped:
                continue
            try:
                watch = self._notify.add(whole)
                if os.lstat(whole).st_dev != self._id[0]:
                    raise CannotWatch
            except OSError as error:
                if error.errno in (errno.ENOSPC, errno.ENOMEM):
                    raise
                continue  # gone again, or closed to us: then it is looked at each time (`TreeScan.closed`)
            if watch in self._paths:  # it is known by another name, from which it was moved
                self._gone(watch)
            self._paths[watch], self._watches[here] = here, watch
            self._touch(here)
            self._unchecked.discard(here)
            todo += self._listed(here)

    def _listed(self, path: bytes) -> list[bytes]:
        """The folders in a folder; files with other names are noted."""
        folders = []
        is_linked = False
        does_matter = not self._is_counted(path)
        try:
            with os.scandir(self._absolute(path)) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(tree_index.join(path, entry.name))
                    elif does_matter and not is_linked:
                        is_linked = entry.stat(follow_symlinks=False).st_nlink > 1
        except OSError:  # it goes on changing, and more will be told of it
            self._unchecked.add(path)
        (self._linked.add if is_linked else self._linked.discard)(path)
        return folders

    def _is_counted(self, path: bytes) -> bool:
        while path and path not in self._counted:
            path = path.rpartition(b"/")[0]
        return bool(path)

    def _absolute(self, path: bytes) -> bytes:
        return os.path.join(self._root, path) if path else self._root

    # Questions

    def _answer(self, question: bytes) -> None:
        """Answer in the file that is the question, if it is still there."""
        kind, _, rest = question.partition(b"-")
        parts = rest.split(b"-")
        if kind != b"ask" or len(parts) != 4 or not parts[2].isdigit():
            return
        for path in sorted(self._unchecked):
            self._listed(path)
            self._unchecked.discard(path)
        folders = None
        if parts[3] == self._name and not self._has_linked():
            since = int(parts[2])
            folders = sorted(path for path, at in self._touched.items() if at > since)
        answer = touched_folders.Touched((self._name, self._number), folders)
        try:
            fd = os.open(
                os.path.join(self._asks, question), os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
            )
        except OSError:  # it did not wait
            return
        try:
            disk.write_whole(fd, touched_folders.write_answer(self._id, answer))
        finally:
            os.close(fd)

    def _has_linked(self) -> bool:
        """Whether a file that matters has another name. By that it is changed without a word about it, and
        only of one of two names is it told when they come to be two."""
        if self._linked:
            self._know_counted()
            self._linked = {path for path in self._linked if not self._is_counted(path)}
        return bool(self._linked)

    def _know_counted(self) -> None:
        try:
            found = os.stat(self._index)
        except FileNotFoundError:
            return
        if self._index_seen != (found.st_ino, found.st_mtime_ns):
            self._index_seen = found.st_ino, found.st_mtime_ns
            self._counted = set(tree_index.TreeIndex.load(self._index).counted)


def is_local(root: bytes) -> bool:
    """Whether a folder is on a file system that only this kernel changes, with no other mounted below it."""
    kind = ""
    longest = -1
    with open("/proc/self/mountinfo", "rb") as mounts:
        for line in mounts:
            about, _, more = line.partition(b" - ")
            point = about.split(b" ")[4].replace(b"\\040", b" ").replace(b"\\011", b"\t")
            point = point.replace(b"\\012", b"\n").replace(b"\\134", b"\\")
            if point.startswith(root.rstrip(b"/") + b"/"):
                return False
            if len(point) >= longest and (root + b"/").startswith(point.rstrip(b"/") + b"/"):
                longest, kind = len(point), more.split(b" ")[0].decode("ascii", "replace")
    return kind in LOCAL
