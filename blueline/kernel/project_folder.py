"""The project that a folder belongs to, and its state folder: where that is, and what it says of itself.

A hook process imports this for every tool call, as it does `disk`: only built-in modules at the top.
"""

import posix

try:
    from _blake2 import blake2b
except ImportError:  # an interpreter built without its own hashes
    from hashlib import blake2b

TYPE_CHECKING = False  # the typing module costs more than the rest of this file
if TYPE_CHECKING:
    from collections.abc import Mapping

if TYPE_CHECKING or __package__:
    from blueline.kernel import disk
else:
    import disk

FORMAT = b"blueline 2\n"
"""What a state folder says of itself."""

FALLBACKS = (b"/dev/shm", b"/tmp")


def state_key(root: bytes) -> str:
    """The name of a project's state folder, from the project's real path."""
    return blake2b(root, digest_size=8).hexdigest()


def state_home(environ: "Mapping[bytes, bytes]") -> bytes:
    """The folder that holds the state folders of all projects."""
    base = environ.get(b"XDG_STATE_HOME", b"")
    if not base.startswith(b"/"):  # the XDG rules: a relative one counts as none
        home = environ.get(b"HOME", b"")
        if not home.startswith(b"/"):
            import pwd

            home = pwd.getpwuid(posix.getuid()).pw_dir.encode("utf-8", "surrogateescape")
        base = home.rstrip(b"/") + b"/.local/state"
    return base.rstrip(b"/") + b"/blueline"


def find_project(start: bytes, home: bytes) -> tuple[bytes, bytes] | None:
    """The project a folder belongs to, and its state folder: the nearest one above that Blueline knows, None
    if there is none.

    `home` is what `state_home` gives.
    """
    here = disk.follow(start)[0]
    unmarked = None
    while True:
        state = b"%s/%s" % (home, state_key(here).encode())
        if disk.is_folder(here.rstrip(b"/") + b"/.blueline"):
            return here, state
        if unmarked is None and disk.is_folder(state):
            # Without its mark a folder is a project only if it lies in no other, for somebody took the mark
            # away; or if it is a work tree of git's, which never had one.
            if is_work_tree(here):
                return here, state
            unmarked = here, state
        if here == b"/":
            return unmarked
        here = here[: here.rfind(b"/")] or b"/"


def is_work_tree(folder: bytes) -> bool:
    """Whether it is one that git made beside a repository: that has a file where others have a folder."""
    try:
        return posix.lstat(folder.rstrip(b"/") + b"/.git").st_mode & disk.TYPE_BITS == disk.REGULAR
    except OSError:
        return False


def is_prepared(state: bytes) -> bool:
    """Whether a state folder is there."""
    try:
        posix.lstat(state + b"/format")
    except FileNotFoundError:
        return False
    return True


def prepare(state: bytes, root: bytes) -> None:
    """Make a state folder, unless it is there."""
    if is_prepared(state):
        return
    disk.make_folder(state + b"/blobs/tmp")
    disk.place(state + b"/root", root, state + b"/blobs/tmp")
    disk.place(state + b"/format", FORMAT, state + b"/blobs/tmp")


def read_mode(state: bytes) -> bytes:
    """`review`, `hold` or `direct`; whatever cannot be read or understood is `review`."""
    try:
        fd = posix.open(state + b"/mode", posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_NONBLOCK)
    except OSError:
        return b"review"
    try:
        mode = posix.read(fd, 64).strip()
    except OSError:
        return b"review"
    finally:
        posix.close(fd)
    return mode if mode in (b"hold", b"direct") else b"review"


def fallbacks(root: bytes) -> list[bytes]:
    """Where to write when the state folder cannot be: the same layout, on other file systems."""
    name = b"/blueline-%d/%s" % (posix.geteuid(), state_key(root).encode())
    return [base + name for base in FALLBACKS]


def is_private(path: bytes) -> bool:
    """Whether a folder, not a link to one, is ours and nobody else can look into it."""
    try:
        found = posix.lstat(path)
    except OSError:
        return False
    mode = found.st_mode
    return mode & disk.TYPE_BITS == disk.FOLDER and found.st_uid == posix.geteuid() and mode & 0o077 == 0


def make_private(state: bytes) -> bool:
    """Make a fallback folder below a folder anyone may write to; False if somebody else was there first."""
    outer = state[: state.rfind(b"/")]
    for path in (outer, state):
        try:
            posix.mkdir(path, 0o700)
        except FileExistsError:
            pass
        except OSError:
            return False
        if not is_private(path):
            return False
    return True
