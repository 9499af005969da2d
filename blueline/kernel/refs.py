"""Where git's branches stand, read from its files: nothing of git is started, none of its settings are read.

A hook process imports this while an agent waits: only built-in modules.
"""

import posix

TYPE_CHECKING = False  # the typing module costs more than the rest of this file

# Started by an agent this is no part of a package: its folder is on the path, the package is not.
if TYPE_CHECKING or __package__:
    from blueline.kernel import disk
else:
    import disk

MOST_REFS = 500
"""Loose ones that are read. Of a repository with more, only what is packed and the current one are known."""

LARGEST_PACKED = 4 << 20
LONGEST_REF = 200

ON_BRANCH = b"ref: refs/heads/"
"""How HEAD begins while a branch is checked out."""


def small_file(path: bytes, at_most: int = 4096) -> bytes:
    """A file's bytes, empty if it is no plain file, too large, or not to be read."""
    try:
        fd = posix.open(path, posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_NONBLOCK | posix.O_NOCTTY)
    except OSError:
        return b""
    try:
        content = disk.read_whole(fd, at_most)
    except OSError:
        return b""
    finally:
        posix.close(fd)
    return content if len(content) <= at_most else b""


def _kind(path: bytes) -> int:
    try:
        return posix.lstat(path).st_mode & disk.TYPE_BITS
    except OSError:
        return 0


def repository(root: bytes) -> tuple[bytes, bytes] | None:
    """The folder of git that is in charge of a project, and the one it shares with other work trees."""
    here = root
    while True:
        git = here.rstrip(b"/") + b"/.git"
        kind = _kind(git)
        if kind == disk.FOLDER:
            return git, git
        if kind == disk.REGULAR:
            break
        if here in (b"", b"/"):
            return None
        here = here[: here.rfind(b"/")] or b"/"
    said = small_file(git, 4096)
    if not said.startswith(b"gitdir: ") or b"\0" in said:
        return None
    folder = said[8:].rstrip(b"\r\n")
    if not folder.startswith(b"/"):
        folder = here.rstrip(b"/") + b"/" + folder
    shared = small_file(folder + b"/commondir", 4096).rstrip(b"\r\n")
    if not shared or b"\0" in shared:
        return folder, folder
    return folder, shared if shared.startswith(b"/") else folder + b"/" + shared


def is_work_tree(folder: bytes) -> bool:
    """Whether a folder is a work tree that belongs to a repository elsewhere: no submodule, no repository."""
    if _kind(folder + b"/.git") != disk.REGULAR:
        return False
    found = repository(folder)
    return found is not None and found[0] != found[1]


def snapshot(root: bytes) -> bytes:
    """What HEAD and every branch, tag and stash point to, a line for each; empty without a repository."""
    found = repository(root)
    if found is None:
        return b""
    own, shared = found
    head = small_file(own + b"/HEAD", 4096).strip()
    lines = [b"HEAD " + head.replace(b"\n", b" ")]
    refs = {}
    for line in small_file(shared + b"/packed-refs", LARGEST_PACKED).split(b"\n"):
        target, _, name = line.partition(b" ")
        if name.startswith(b"refs/") and not line.startswith((b"#", b"^")):
            refs[name] = target
    _loose(shared, b"refs", refs, [MOST_REFS])
    if head.startswith(b"ref: "):
        name = head[5:].strip()
        # Anything could be written there; what is not a branch is not read.
        is_branch = name.startswith(b"refs/") and b".." not in name and b"\0" not in name
        if (
            is_branch
            and name not in refs
            and (target := small_file(shared + b"/" + name, LONGEST_REF).strip())
        ):
            refs[name] = target
    return b"\n".join(lines + [b"%s %s" % (name, refs[name]) for name in sorted(refs)]) + b"\n"


def head(root: bytes) -> bytes:
    """The current commit of the repository that a project is in; empty if there is none."""
    found = repository(root)
    return b"" if found is None else _head(*found)


def branch(root: bytes) -> bytes:
    """The branch that is checked out; empty if there is none."""
    found = repository(root)
    said = b"" if found is None else small_file(found[0] + b"/HEAD", 4096).strip()
    return said.removeprefix(ON_BRANCH) if said.startswith(ON_BRANCH) else b""


def position(root: bytes) -> tuple[str, str]:
    """The current commit, and the one that the latest stash is; empty if there is none."""
    found = repository(root)
    if found is None:
        return "", ""
    at = _head(*found), _target(found[1], b"refs/stash")
    return at[0].decode("ascii", "replace"), at[1].decode("ascii", "replace")


def _head(own: bytes, shared: bytes) -> bytes:
    said = small_file(own + b"/HEAD", 4096).strip()
    if not said.startswith(b"ref: "):
        return said
    name = said[5:].strip()
    if not name.startswith(b"refs/") or b".." in name or b"\0" in name:
        return b""
    return _target(shared, name)


def _target(shared: bytes, name: bytes) -> bytes:
    """The commit that a branch, or the like, is at."""
    if target := small_file(shared + b"/" + name, LONGEST_REF).strip():
        return target
    for line in small_file(shared + b"/packed-refs", LARGEST_PACKED).split(b"\n"):
        target, _, packed = line.partition(b" ")
        if packed == name:
            return target
    return b""


def targets(snapshot: bytes) -> "set[bytes]":
    """The objects that a snapshot names."""
    found = {line.rpartition(b" ")[2] for line in snapshot.split(b"\n") if not line.startswith(b"HEAD ref:")}
    return found - {b""}


def _loose(shared: bytes, name: bytes, refs: "dict[bytes, bytes]", left: "list[int]") -> None:
    try:
        entries = posix.listdir(shared + b"/" + name)
    except OSError:
        return
    for entry in sorted(entries):
        if left[0] <= 0:
            return
        below = name + b"/" + entry
        kind = _kind(shared + b"/" + below)
        if kind == disk.FOLDER:
            _loose(shared, below, refs, left)
        elif kind == disk.REGULAR and not entry.endswith(b".lock"):
            left[0] -= 1
            if target := small_file(shared + b"/" + below, LONGEST_REF).strip():
                refs[below] = target


def git_name(content: bytes, digits: int) -> bytes:
    """What git calls these bytes: forty digits, or sixty-four in a newer kind of repository."""
    import hashlib

    kind = hashlib.sha1 if digits == 40 else hashlib.sha256
    found = kind(b"blob %d\0" % len(content), usedforsecurity=False)
    found.update(content)
    return found.hexdigest().encode()
