"""What is remembered of a project's tree from one look at it to the next.

A hook process reads and writes this while an agent waits: only built-in modules.
"""

import marshal

TYPE_CHECKING = False  # the typing module costs more than the rest of this file

# Started by an agent this is no part of a package: its folder is on the path, the package is not.
if TYPE_CHECKING or __package__:
    from blueline.hook import touched_folders
    from blueline.kernel import counting_rules, disk
else:
    import counting_rules
    import disk
    import touched_folders

FORMAT = "blueline-tree 2"
WIDTH = 40
"""Bytes of a signature: mode, inode, size, mtime and ctime, of eight each."""

NEVER = bytes(WIDTH)
"""The signature of no file: what is to be read again whatever it shows."""


def join(folder: bytes, name: bytes) -> bytes:
    return folder + b"/" + name if folder else name


def split(joined: bytes) -> "list[bytes]":
    return joined.split(b"\0") if joined else []


class TreeIndex:
    """What is remembered of a tree.

    For each folder: its own signature, then of the files in it the names, the signatures and the states, each
    as one string of bytes. A hundred thousand small objects would take longer to load than the look takes.
    """

    def __init__(self) -> None:
        self.folders: dict[bytes, tuple[bytes, bytes, bytes, bytes]] = {}
        self.counted: dict[bytes, dict[bytes, tuple[bytes, int]]] = {}
        """For each counted folder, each folder in it: its signature, and how many files are in it."""
        self.refs = b""
        """Where git's branches stood, as `refs.snapshot` says it."""
        self.made: list[bytes] = []
        """Commits that branches were moved to while a call was open: an agent's, unless git fetched them."""
        self.watch = touched_folders.NOBODY
        """Who watched at the last look, and the number of the last change it had been told of by then: what
        is remembered here is no older than that."""
        self.full_ns = 0
        """When all was looked at, by the clock that nobody sets."""
        self.is_new = True
        self.changed = True

    @classmethod
    def load(cls, path: bytes) -> "TreeIndex":
        """The index in a file; a new one if there is none that can be used."""
        index = cls()
        try:
            name, run, folders, counted, where, made, *watched = marshal.loads(counting_rules.read(path))
        except (OSError, ValueError, TypeError, EOFError):
            return index
        if name != FORMAT or len(watched) not in (0, 2) or (run != disk.boot() and not _is_whole(folders)):
            return index
        index.folders, index.counted, index.refs, index.made = folders, counted, where, made
        index.is_new = False
        index.changed = run != disk.boot()
        if not index.changed and watched and touched_folders.is_watch(watched[0]):
            index.watch, index.full_ns = watched
        return index

    def save(self, path: bytes, temporaries: bytes) -> None:
        """Put the index in its place. Not synced: after a power cut it is looked through, or made anew."""
        watched = self.watch, self.full_ns
        parts = (FORMAT, disk.boot(), self.folders, self.counted, self.refs, self.made, *watched)
        data = marshal.dumps(parts)
        disk.put_in_place(path, data, temporaries)
        self.changed = False


def _is_whole(folders: object) -> bool:
    """Whether an index that may not have reached the disk as a whole did so."""
    try:
        return isinstance(folders, dict) and all(
            len(own) == WIDTH
            and len(split(names)) * WIDTH == len(kept)
            and len(split(states)) == len(split(names))
            for own, names, kept, states in folders.values()
        )
    except (ValueError, TypeError, AttributeError):
        return False
