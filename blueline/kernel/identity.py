"""Which project a folder is, wherever it lies (rule D7): an id in the folder, and the same one in its state.

In the folder it stands inside `.git`, so that a clone does not carry it; where there is no repository, in an
attribute of the folder itself. A hook imports this when a project has no state folder yet: only built-in
modules.
"""

import posix

TYPE_CHECKING = False  # the typing module costs more than the rest of this file
if TYPE_CHECKING or __package__:
    from blueline.kernel import disk, project_folder
else:
    import disk
    import project_folder

# Of this account: another one has a state of its own for the same folder.
NAME = b"blueline-id-%d" % posix.getuid()
ATTRIBUTE = b"user." + NAME
ID_BYTES = 16
HAS_ATTRIBUTES = hasattr(posix, "setxattr")
LOST = b'{"ranges": [], "missing": 0, "lost": 0, "files": ["*"]}'
"""As `desk/damage.py` has it: records are gone, and nobody can say of which files."""
COPIED_AT_ONCE = 1 << 20


def prepare(state: bytes, root: bytes) -> None:
    """Make a state folder, unless it is there, or the project has one from before it was moved or copied."""
    if project_folder.is_prepared(state):
        return
    try:
        if settle(state, root):
            return
    except OSError:  # whatever is wrong there, what happens here is recorded
        pass
    project_folder.prepare(state, root)
    give(state, root)


def settle(state: bytes, root: bytes) -> bool:
    """Find the state that a folder without one has elsewhere; whether there is one now.

    A folder that was moved gets its own back. One that was copied gets a copy of the original's, and an id of
    its own. If it had one that is nowhere any more, that is written down.
    """
    own = id_of(root)
    if not own:
        return False
    home = state[: state.rfind(b"/")]
    for former in _states(home):
        if _small(former + b"/id") != own or former == state:
            continue
        if id_of(_small(former + b"/root")) != own:
            posix.rename(former, state)
            disk.place(state + b"/root", root, state + b"/blobs/tmp")
            return True
        _copy(former, state)
        disk.place(state + b"/root", root, state + b"/blobs/tmp")
        give(state, root, new_id())
        return True
    disk.make_folder(state + b"/blobs/tmp")
    disk.place(state + b"/damage.json", LOST, state + b"/blobs/tmp")
    return False


def give(state: bytes, root: bytes, known: bytes = b"") -> None:
    """Put an id into a folder and into its state, or leave the one that is there."""
    own = known or id_of(root) or new_id()
    git = _git(root)
    try:
        if git:
            disk.put_in_place(git + b"/" + NAME, own, git)
        elif HAS_ATTRIBUTES:
            posix.setxattr(root, ATTRIBUTE, own)
        else:
            return
    except OSError:  # not ours, closed, or a disk that has no attributes: then the path alone tells
        return
    disk.put_in_place(state + b"/id", own, state + b"/blobs/tmp")


def new_id() -> bytes:
    return posix.urandom(ID_BYTES).hex().encode()


def id_of(root: bytes) -> bytes:
    """The id in a folder; empty if there is none."""
    if not root:
        return b""
    git = _git(root)
    if git and (found := _small(git + b"/" + NAME)):
        return found
    # A folder that became a repository later has its id where it had it before.
    try:
        return posix.getxattr(root, ATTRIBUTE) if HAS_ATTRIBUTES else b""
    except OSError:
        return b""


def _git(root: bytes) -> bytes:
    """The folder of git's that is this folder's alone; empty if there is none."""
    place = root.rstrip(b"/") + b"/.git"
    if disk.is_folder(place):
        return place
    said = _small(place)
    if not said.startswith(b"gitdir: ") or b"\0" in said:
        return b""
    folder = said[8:].rstrip(b"\r\n")
    folder = folder if folder.startswith(b"/") else root.rstrip(b"/") + b"/" + folder
    return folder if disk.is_folder(folder) else b""


def _states(home: bytes) -> "list[bytes]":
    try:
        return [home + b"/" + name for name in sorted(posix.listdir(home))]
    except OSError:
        return []


def _small(path: bytes) -> bytes:
    """A small plain file; empty if there is none."""
    try:
        fd = posix.open(path, posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_NONBLOCK | posix.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return posix.read(fd, 4096)
    except OSError:
        return b""
    finally:
        posix.close(fd)


def _copy(old: bytes, new: bytes) -> None:
    """Copy a state folder. What is cut off by somebody who writes to it just now is passed over later."""
    disk.make_folder(new)
    for name in posix.listdir(old):
        source, target = old + b"/" + name, new + b"/" + name
        mode = posix.lstat(source).st_mode & disk.TYPE_BITS
        if mode == disk.FOLDER:
            _copy(source, target)
        elif mode == disk.REGULAR and name != b"lock":
            _copy_file(source, target)


def _copy_file(source: bytes, target: bytes) -> None:
    read = posix.open(source, posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_CLOEXEC)
    try:
        write = posix.open(target, posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_CLOEXEC, 0o600)
        try:
            while data := posix.read(read, COPIED_AT_ONCE):
                disk.write_whole(write, data)
        finally:
            posix.close(write)
    finally:
        posix.close(read)
