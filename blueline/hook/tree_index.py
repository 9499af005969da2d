"""What is remembered of a project's tree from one look at it to the next.

A hook process reads and writes this while an agent waits: only built-in modules, and of a large tree no more
than the folders that the look is about.
"""

import marshal
import posix
import time

TYPE_CHECKING = False  # the typing module costs more than the rest of this file
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

# Started by an agent this is no part of a package: its folder is on the path, the package is not.
if TYPE_CHECKING or __package__:
    from blueline.hook import touched_folders
    from blueline.kernel import counting_rules, disk
else:
    import counting_rules
    import disk
    import touched_folders

MAGIC = b"blueline-tree 3\n"
START = len(MAGIC) + 8
"""Behind it stands where the last part begins, which says where all others are."""

EIO = 5
"""Without the module that has a name for it."""

BEFORE = "blueline-tree 2"
SINCE = b"-since"
"""What the name of the file ends with that has what changed since the whole was written."""

MOST_SINCE = 100
"""Folders in that file: with more, the whole is written anew."""

WIDTH = 40
"""Bytes of a signature: mode, inode, size, mtime and ctime, of eight each."""

NEVER = bytes(WIDTH)
"""The signature of no file: what is to be read again whatever it shows."""


def join(folder: bytes, name: bytes) -> bytes:
    return folder + b"/" + name if folder else name


def split(joined: bytes) -> "list[bytes]":
    return joined.split(b"\0") if joined else []


class Folders:
    """For each folder: its own signature, then of the files in it the names, the signatures and the states,
    each as one string of bytes. A hundred thousand small objects would take longer to load than a look takes.

    What stands in a file is read when it is asked for.
    """

    def __init__(self) -> None:
        self._rows: dict[bytes, tuple[bytes, bytes, bytes, bytes] | tuple[int, int]] = {}
        """What is known of a folder, or where that stands, and how long it is."""
        self._file, self._fd = b"", -1
        self.changed: set[bytes] = set()
        self.unsure: set[bytes] = set()
        """Those with something in them that is to be read again."""

    def open(self, file: bytes) -> int:
        """Have a file to read from, until this is closed."""
        self._file = file
        self._fd = posix.open(file, posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_CLOEXEC)
        return self._fd

    def stand(self, places: "dict[bytes, tuple[int, int]]", unsure: "list[bytes]") -> None:
        """Know where in the file the folders stand."""
        self._rows.update(places)
        self.unsure.update(unsure)

    def close(self) -> None:
        """What has not been read is not known any more."""
        if self._fd >= 0:
            posix.close(self._fd)
        self._fd = -1

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> "Iterator[bytes]":
        return iter(self._rows)

    def __contains__(self, path: bytes) -> bool:
        return path in self._rows

    def __getitem__(self, path: bytes) -> "tuple[bytes, bytes, bytes, bytes]":
        found = self._rows[path]
        if len(found) == 2:
            at, size = found
            try:
                own, names, kept, states = marshal.loads(posix.pread(self._fd, size, at))
            except (ValueError, TypeError, EOFError) as error:
                posix.unlink(self._file)  # so that the next look begins anew
                raise OSError(EIO, "what was remembered of the tree is damaged", self._file) from error
            found = self._rows[path] = own, names, kept, states
        return found

    def known(self, path: bytes) -> "tuple[bytes, bytes, bytes, bytes] | None":
        return self[path] if path in self._rows else None

    def __setitem__(self, path: bytes, row: "tuple[bytes, bytes, bytes, bytes]") -> None:
        self._rows[path] = row
        self.changed.add(path)
        # Where it is no signature's beginning, the folder is looked at for nothing.
        (self.unsure.add if row[0] == NEVER or NEVER in row[2] else self.unsure.discard)(path)

    def __delitem__(self, path: bytes) -> None:
        self._rows.pop(path, None)
        self.changed.add(path)
        self.unsure.discard(path)

    def items(self) -> "Iterator[tuple[bytes, tuple[bytes, bytes, bytes, bytes]]]":
        return ((path, self[path]) for path in self._rows)


class TreeIndex:
    """What is remembered of a tree."""

    def __init__(self) -> None:
        self.folders = Folders()
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
        self.recounted = False
        """Whether counted folders changed, which only the whole file has."""
        self._whole = b""
        """The name of the file that the rest is told from; empty if all is to be written."""

    @classmethod
    def load(cls, path: bytes) -> "TreeIndex":
        """All that is in a file; a new index if there is none that can be used."""
        try:
            with cls.open(path) as index:
                for _ in index.folders.items():
                    pass
        except OSError:
            return cls()
        return index

    @classmethod
    def open(cls, path: bytes) -> "TreeIndex":
        """The index in a file, to be closed after use; a new one if there is none that can be used."""
        index = cls()
        try:
            index._open(path)
        except (OSError, ValueError, TypeError, EOFError, AttributeError):
            index.folders.close()
            return cls()
        return index

    def __enter__(self) -> "TreeIndex":
        return self

    def __exit__(self, *_: object) -> None:
        self.folders.close()

    def _open(self, path: bytes) -> None:
        # In this order: what is written between the two readings is newer than both, and whole.
        since = _read_since(path + SINCE)
        fd = self.folders.open(path)
        first = posix.pread(fd, START, 0)
        if first.startswith(MAGIC):
            at = int.from_bytes(first[len(MAGIC) :], "big")
            last = posix.pread(fd, posix.fstat(fd).st_size - at, at)
            self._whole, places, unsure, self.counted, *rest = marshal.loads(last)
            self.folders.stand(places, unsure)
            if since and since[0] == self._whole:
                rest = self._take(*since[1:])
        else:
            name, run, folders, self.counted, *rest = marshal.loads(counting_rules.read(path))
            if name != BEFORE:
                raise ValueError(name)
            for folder, row in folders.items():
                self.folders[folder] = row
            rest = [run, *rest, *((self.watch, self.full_ns) if len(rest) == 2 else ())]
        run, self.refs, self.made, watch, full_ns = rest
        self.changed = run != disk.boot()
        if self.changed:
            self._look_through()
        elif touched_folders.is_watch(watch):
            self.watch, self.full_ns = watch, full_ns
        self.is_new = False

    def _take(
        self, changed: "dict[bytes, tuple[bytes, bytes, bytes, bytes] | None]", *rest: "Any"
    ) -> "list[Any]":
        """Take in what changed since the whole was written; the rest of what was written then."""
        for folder, row in changed.items():
            if row is None:
                del self.folders[folder]
            else:
                self.folders[folder] = row
        return list(rest)

    def _look_through(self) -> None:
        """Fail if not all of an earlier run's file has reached the disk."""
        self._whole = b""
        for _, (own, names, kept, states) in self.folders.items():
            count = len(split(names))
            if len(own) != WIDTH or len(kept) != count * WIDTH or len(split(states)) != count:
                raise ValueError("a part of it was lost")

    def save(self, path: bytes, temporaries: bytes) -> None:
        """Put the index in its place. Not synced: after a power cut it is looked through, or made anew."""
        rest = disk.boot(), self.refs, self.made, self.watch, self.full_ns
        folders = self.folders
        if self._whole and not self.recounted and len(folders.changed) <= MOST_SINCE:
            changed = {one: folders.known(one) for one in folders.changed}
            disk.put_in_place(path + SINCE, marshal.dumps((self._whole, changed, *rest)), temporaries)
        else:
            self._save_whole(path, temporaries, rest)
        self.changed = False

    def _save_whole(self, path: bytes, temporaries: bytes, rest: "tuple[Any, ...]") -> None:
        rows = [marshal.dumps(row) for _, row in self.folders.items()]
        whole = b"%d-%d" % (posix.getpid(), time.time_ns())
        places, at = {}, START
        for folder, row in zip(self.folders, rows, strict=True):
            places[folder] = (at, len(row))
            at += len(row)
        last = marshal.dumps((whole, places, list(self.folders.unsure), self.counted, *rest))
        data = b"".join((MAGIC, at.to_bytes(START - len(MAGIC), "big"), *rows, last))
        disk.put_in_place(path, data, temporaries)
        self._whole, self.recounted = whole, False
        self.folders.changed.clear()


def _read_since(path: bytes) -> "tuple[Any, ...]":
    try:
        found: tuple[Any, ...] = marshal.loads(counting_rules.read(path))
    except FileNotFoundError:
        return ()
    return found
