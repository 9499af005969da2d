"""Which folders were touched since the last look, asked of whoever watches the tree, if somebody does.

A program that stays has the kernel tell it of every change (`workspace/tree_watcher.py`). A hook asks it by
making a file in a folder that is watched like the tree: the kernel tells of that after all that happened
before, so an answer knows of all of it. No answer, or one that cannot be trusted, means a full look.

A hook process does this while an agent waits: only built-in modules.
"""

import fcntl
import marshal
import posix
import time

TYPE_CHECKING = False  # the typing module costs more than the rest of this file

# Started by an agent this is no part of a package: its folder is on the path, the package is not.
if TYPE_CHECKING or __package__:
    from blueline.kernel import disk
else:
    import disk

FORMAT = "blueline-touched 1"
KIND = b"t"
"""Of the frame that an answer is."""

ASKED_FROM = 250
"""Of fewer folders a look takes no longer than to ask."""

PATIENCE_NS = 30_000_000
PATIENCE_PER_FOLDER_NS = 100_000
"""How long to wait for an answer: less than a full look takes while other programs wait for the processor.
Mostly it comes within two milliseconds."""

SHORTEST_WAIT, LONGEST_WAIT = 0.0003, 0.003

FULL_LOOK_NS = 300 * 10**9
"""So often all is looked at all the same: who writes into mapped memory, or by another name of a file that
is outside the project, changes it without anybody being told."""

FAR = 50
"""More folders than that are not looked at again each time only because nobody remembers that they were."""

NOBODY = (b"", 0)


class Touched:
    """What a watcher says."""

    def __init__(self, watch: "tuple[bytes, int]", folders: "list[bytes] | None") -> None:
        self.watch = watch
        """Who says it, and the number of the last change that is known of: what the next question names."""
        self.folders = folders
        """In which something may have changed; None if it may have anywhere."""


def asks_path(state: bytes) -> bytes:
    """The folder in which questions are asked."""
    return state + b"/watch"


def lock_path(state: bytes) -> bytes:
    """Whoever watches holds a lock on this file, from when everything is watched."""
    return state + b"/watch/lock"


def turn_path(state: bytes) -> bytes:
    """Whoever watches, or begins to, holds a lock on this file: of several programs one does."""
    return state + b"/watch/turn"


def patience_ns(folders: int) -> int:
    return PATIENCE_NS + folders * PATIENCE_PER_FOLDER_NS


def is_watched(state: bytes) -> bool:
    """Whether there is a process that watches everything: its lock ends with it, however it ends."""
    try:
        fd = posix.open(lock_path(state), posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        posix.close(fd)
    return False


class Question:
    """What was touched since a change that was known before. It is asked at once, and whoever asks may do
    something else before it waits for the answer. To be closed."""

    def __init__(self, root: bytes, state: bytes, since: "tuple[bytes, int]", patience: int) -> None:
        self._root = root
        self._until = time.monotonic_ns() + patience
        self._path, self._fd = b"", -1
        try:
            if is_watched(state):
                name = b"ask-%d-%d-%d-%s" % (posix.getpid(), time.time_ns(), since[1], since[0])
                self._path = asks_path(state) + b"/" + name
                flags = posix.O_RDWR | posix.O_CREAT | posix.O_EXCL | posix.O_NOFOLLOW | posix.O_CLOEXEC
                self._fd = posix.open(self._path, flags, 0o600)
        except OSError:
            return

    def close(self) -> None:
        """Ask no more."""
        if self._fd < 0:
            return
        posix.close(self._fd)
        self._fd = -1
        try:
            posix.unlink(self._path)
        except OSError:
            return

    def answer(self) -> "Touched | None":
        """What is said; None if nobody says so in time."""
        if self._fd < 0:
            return None
        try:
            said = _answer(self._fd, self._until)
            found = posix.lstat(self._root)
        except OSError:
            return None
        return read_answer(said, (found.st_dev, found.st_ino))


def _answer(fd: int, until: int) -> bytes:
    """What is written into the file of a question, once all of it is; empty if that takes too long."""
    wait = SHORTEST_WAIT
    while True:
        if size := posix.fstat(fd).st_size:
            for _, kind, payload in disk.whole_frames(posix.pread(fd, size, 0), 0):
                return payload if kind == KIND else b""
        if time.monotonic_ns() >= until:
            return b""
        time.sleep(wait)
        wait = min(wait * 1.3, LONGEST_WAIT)


def read_answer(said: bytes, root: "tuple[int, int]") -> "Touched | None":
    """An answer that is about this very folder; None if it is none."""
    try:
        name, device, inode, watch, number, folders = marshal.loads(said)
    except (ValueError, TypeError, EOFError):
        return None
    if name != FORMAT or (device, inode) != root or not is_watch((watch, number)):
        return None
    if folders is not None and not (
        isinstance(folders, list) and all(isinstance(one, bytes) for one in folders)
    ):
        return None
    return Touched((watch, number), folders)


def write_answer(root: "tuple[int, int]", touched: Touched) -> bytes:
    """What stands in the file of a question that was answered."""
    return disk.frame(KIND, marshal.dumps((FORMAT, *root, *touched.watch, touched.folders)))


def is_watch(found: object) -> bool:
    """Whether this says who watched, and the number of a change."""
    return isinstance(found, tuple) and [type(one) for one in found] == [bytes, int]
