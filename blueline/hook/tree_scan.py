"""What changed in a project's tree since the last look at it, with the bytes from before.

A shell command does not say which files it changes. So the tree is looked at before it and after it, and
compared with what is remembered of each file: times, size, inode and mode, and where its bytes are. A file
whose times and size are the same is not opened; of one that changed, the new bytes are stored, and the old
ones are known from the last look.

A hook process does this while an agent waits: only built-in modules, and loops in C where they can be.
"""

import _operator
import _struct  # the array module loads collections, which takes longer than a small look
import itertools
import posix
import sys
import time

TYPE_CHECKING = False  # the typing module costs more than the rest of this file
if TYPE_CHECKING:
    from collections.abc import Callable

    from blueline.kernel import counting_rules

# Started by an agent this is no part of a package: its folder is on the path, the package is not.
if TYPE_CHECKING or __package__:
    from blueline.hook import tree_index
    from blueline.hook.tree_index import NEVER, WIDTH, join, split
    from blueline.kernel import disk, refs, sight
else:
    import disk
    import refs
    import sight
    import tree_index
    from tree_index import NEVER, WIDTH, join, split

EMPTIED = b"other %o" % disk.FOLDER
"""The state before of a folder from which the last file went."""

RACY_NS = 20_000_000
"""Two writes closer together than a tick of the kernel's clock leave the same time behind."""

COARSE_RACY_NS = 2_000_000_000
"""The same on file systems that keep whole seconds; FAT keeps even ones."""

SECOND_NS = 1_000_000_000

FEW_FOLDERS = 250
"""Of so few it would take longer to start a second process."""

MOST_WORKERS = 4

DEEPEST = 10_000
"""Calls within calls: a path has at most two thousand parts, and to look at one takes two of them."""

fields = _operator.attrgetter("st_mode", "st_ino", "st_size", "st_mtime_ns", "st_ctime_ns")
flatten = itertools.chain.from_iterable
OutOfRange: "type[Exception]" = _struct.error  # type: ignore[attr-defined]


def signature(found: posix.stat_result) -> bytes:
    """What changes when a file does, without its bytes."""
    return _packed(fields(found))


def _packed(numbers: "tuple[int, ...]") -> bytes:
    try:
        return _struct.pack("5q", *numbers)
    except OutOfRange:  # an inode number of a network file system, or of one laid over another
        return _struct.pack("5q", *[one - (1 << 64) if one >= 1 << 63 else one for one in numbers])


def signatures(paths: "list[bytes]") -> bytes:
    """The signatures of several files, one after the other. Fails if one is gone."""
    found = list(map(fields, map(posix.lstat, paths)))
    try:
        return _struct.pack(f"{5 * len(found)}q", *flatten(found))
    except OutOfRange:
        return b"".join(map(_packed, found))


class TreeScan:
    """One look at a whole tree. It compares with an index, and brings that up to date."""

    def __init__(
        self,
        root: bytes,
        index: "tree_index.TreeIndex",
        followed: "counting_rules.CountingRules",
        put: "Callable[[bytes], str]",
        is_counted: "Callable[[bytes, bytes], bool]",
        skipped: bytes = b"",
        *,
        may_fork: bool = False,
        touched: "list[bytes] | None" = None,
    ) -> None:
        self.root = root
        self._touched = None if touched is None else self._known(index, touched)
        """The only folders in which something may have changed, if that is known."""
        self.index = index
        self.rules = followed
        self.entries: list[tuple[bytes, bytes, bytes]] = []
        """Path, state before and state after of everything that changed."""
        self.times: dict[bytes, int] = {}
        """When those were written that are there."""
        self.counts: list[tuple[bytes, int, int]] = []
        """Counted folders in which something came or went, with the number of files before and after."""
        self.closed: list[bytes] = []
        """Folders that could not be looked into."""
        self._put = put
        self._is_counted = is_counted
        self._may_fork = may_fork
        """Only a process without threads may."""
        self._skipped = skipped
        """A folder that is not looked at: where our own state is, if that is inside."""
        self._content = b""
        self._below: dict[bytes, set[bytes]] | None = None
        self._now = 0

    def run(self, known_state: "Callable[[bytes, posix.stat_result], bytes] | None" = None) -> None:
        """Look. `known_state` may say the state of a new file that need not be read; empty if it cannot."""
        self._known_state = known_state
        self._now = time.time_ns()
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, DEEPEST))
        try:
            self._run()
        finally:
            sys.setrecursionlimit(limit)
        for path in self.closed:
            self._look_again(path)

    def _run(self) -> None:
        if b"" not in self.index.folders:
            self._come(b"", b"")
            return
        for path in self._suspects():
            if path in self.index.folders:  # not gone with one above it
                self._visit(path)
        for path in list(self.index.counted):
            if self._touched is None or path in self._touched:
                self._count(path)

    # Folders

    def _absolute(self, path: bytes) -> bytes:
        return self.root.rstrip(b"/") + b"/" + path if path else self.root

    @staticmethod
    def _known(index: "tree_index.TreeIndex", touched: "list[bytes]") -> "set[bytes]":
        """The known folders that were touched, or something in them that is not known, and those of which
        the last look could not be sure."""
        found = set(index.folders.unsure)
        for path, folders in index.counted.items():
            if any(own == NEVER for own, _ in folders.values()):
                found.add(path)
        for path in touched:
            while path and path not in index.folders and path not in index.counted:
                path = path.rpartition(b"/")[0]
            found.add(path)
        return found

    def _suspects(self) -> "list[bytes]":
        """The known folders in which something looks different, outermost first, in whichever order they are
        remembered: one that is empty now is told from one that was by what is known to be in it."""
        among = self.index.folders if self._touched is None else self._touched
        paths = [path for path in among if path in self.index.folders]
        if not self._may_fork or len(paths) < FEW_FOLDERS:
            unsure = self.index.folders.unsure
            return sorted([path for path in paths if path in unsure or not self._looks_same(path)])
        share = -(-len(paths) // min(posix.cpu_count() or 1, MOST_WORKERS))
        parts = [paths[at : at + share] for at in range(0, len(paths), share)]
        children = [self._fork(part) for part in parts]
        found = []
        for part, (pid, fd) in zip(parts, children, strict=True):
            answer = disk.read_whole(fd)
            posix.close(fd)
            posix.waitpid(pid, 0)
            # The last character says that it came to its end; what is not behind a path is no path.
            found += answer.split(b"\0")[:-1] if answer[-1:] == b"." else part
        return sorted(found)

    def _fork(self, paths: "list[bytes]") -> "tuple[int, int]":
        """Have another process look at some folders: it says in which something looks different."""
        ours, theirs = posix.pipe()
        pid = posix.fork()
        if pid:
            posix.close(theirs)
            return pid, ours
        try:
            found = [path for path in paths if not self._looks_same(path, may_go_there=True)]
            # Behind each path, not between them: the root's is empty, and joined alone it would be nothing.
            disk.write_whole(theirs, b"".join([path + b"\0" for path in found]) + b".")
        finally:
            posix._exit(0)

    def _looks_same(self, path: bytes, *, may_go_there: bool = False) -> bool:
        """Whether a folder and the files in it show nothing new. Who goes there finds names faster."""
        own, names, kept, _ = self.index.folders[path]
        here = self._absolute(path)
        before = here + b"/"
        try:
            if may_go_there:
                posix.chdir(here)  # behind a link that came to stand there is another inode
                here, before = b".", b""
            if signature(posix.lstat(here)) != own:
                return False
            return signatures([before + name for name in split(names)]) == kept
        except OSError:
            return False

    def _visit(self, path: bytes) -> None:
        """Look at a folder that is known, name by name."""
        try:
            found = posix.lstat(self._absolute(path))
        except OSError as error:
            return self._lost(path, error)
        if found.st_mode & disk.TYPE_BITS != disk.FOLDER:
            return self._go(path)
        return self._list(path, self._settled(signature(found), found))

    def _lost(self, path: bytes, error: OSError) -> None:
        if isinstance(error, FileNotFoundError | NotADirectoryError):
            self._go(path)
        else:
            self.closed.append(path)

    def _look_again(self, path: bytes) -> None:
        """Have the next look list a folder anew, or the one around it if it never could be listed."""
        if path not in self.index.folders:
            path = path.rpartition(b"/")[0]
        if path in self.index.folders:
            self.index.folders[path] = (NEVER, *self.index.folders[path][1:])
            self.index.changed = True

    def _settled(self, now: bytes, found: posix.stat_result) -> bytes:
        """A signature, or none if what it was taken of may change once more without showing it."""
        times = (found.st_mtime_ns, found.st_ctime_ns)
        racy = COARSE_RACY_NS if any(at % SECOND_NS == 0 for at in times) else RACY_NS
        # A look may take long: what was written since it began is as young as what was written just before.
        return NEVER if any(self._now - racy < at < time.time_ns() + racy for at in times) else now

    def _list(self, path: bytes, own: bytes, outermost: bytes = b"") -> None:
        """Read a folder's names, and compare file by file. `outermost` is the new folder it came with."""
        before = self.index.folders.known(path)
        _, old_names, old_kept, old_states = before or (b"", b"", b"", b"")
        try:
            names, below = self._names(path)
        except OSError as error:
            return self._lost(path, error)
        old = {
            name: (old_kept[at * WIDTH : at * WIDTH + WIDTH], state)
            for at, (name, state) in enumerate(zip(split(old_names), split(old_states), strict=True))
        }
        rows = []
        for name in names:
            row = self._compare(join(path, name), old.pop(name, None), outermost)
            if row is not None:
                rows.append((name, *row))
        for name, (_, state) in old.items():
            self._changed(join(path, name), state, b"absent")
        self.index.folders[path] = (
            own,
            b"\0".join([name for name, _, _ in rows]),
            b"".join([kept for _, kept, _ in rows]),
            b"\0".join([state for _, _, state in rows]),
        )
        self.index.changed = True
        known = set(self._children(path))
        for name in sorted(known - set(below)):
            self._go(join(path, name))
        for name in below:
            if name not in known:
                self._come(join(path, name), outermost)
        if not rows and not below and path:
            if before is None:
                self._changed(path, _absent(outermost), b"folder")
            elif old_names or known:
                self._changed(path, EMPTIED, b"folder")
        return None

    def _names(self, path: bytes) -> "tuple[list[bytes], list[bytes]]":
        files: list[bytes] = []
        folders: list[bytes] = []
        with posix.scandir(self._absolute(path)) as entries:
            for entry in entries:
                name = entry.name
                if name == b".git" or disk.is_temporary(name):
                    continue
                (folders if entry.is_dir(follow_symlinks=False) else files).append(name)
        return sorted(files), sorted(folders)

    def _children(self, path: bytes) -> "set[bytes]":
        """The names of the folders known to be in a folder."""
        if self._below is None:
            self._below = {}
            for known in (*self.index.folders, *self.index.counted):
                if known:
                    parent, _, name = known.rpartition(b"/")
                    self._below.setdefault(parent, set()).add(name)
        return self._below.setdefault(path, set())

    def _come(self, path: bytes, outermost: bytes) -> None:
        """Take in a folder that was not known, with everything in it."""
        parent, _, name = path.rpartition(b"/")
        whole = self._absolute(path)
        if self._skipped and whole == self._skipped:
            return
        if path:
            self._children(parent).add(name)
        if path and self._is_counted(path, name):
            self.index.counted[path] = {}
            self._count(path)
            return
        try:
            found = posix.lstat(whole)
        except OSError as error:
            if not isinstance(error, FileNotFoundError):
                self.closed.append(path)
            return
        if not self.index.is_new:
            outermost = outermost or path
        self._list(path, self._settled(signature(found), found), outermost)

    def _go(self, path: bytes, outermost: bytes = b"") -> None:
        """A folder is gone, or something else stands there: so is all that was in it."""
        outermost = outermost or path
        below = sorted(self._children(path))
        for name in below:
            self._go(join(path, name), outermost)
        parent, _, own_name = path.rpartition(b"/")
        self._children(parent).discard(own_name)
        self.index.changed = True
        if path in self.index.counted:
            self.index.recounted = True
            self._report(path, _total(self.index.counted.pop(path)), 0)
            return
        if (gone := self.index.folders.known(path)) is None:
            return
        del self.index.folders[path]
        _, names, _, states = gone
        for name, state in zip(split(names), split(states), strict=True):
            self._changed(join(path, name), state, _absent(outermost))
        if not names and not below:
            self._changed(path, b"folder", _absent(outermost))

    # Counted folders

    def _count(self, path: bytes) -> None:
        """See how many files are below a folder: only folders are looked at, whose times tell enough."""
        known = self.index.counted[path]
        before = _total(known)
        inside: dict[bytes, list[bytes]] = {}
        for folder in known:
            inside.setdefault(folder.rpartition(b"/")[0], []).append(folder)
        now: dict[bytes, tuple[bytes, int]] = {}
        todo = [path]
        while todo:
            folder = todo.pop()
            try:
                found = posix.lstat(self._absolute(folder))
                if found.st_mode & disk.TYPE_BITS != disk.FOLDER:
                    continue
                own = self._settled(signature(found), found)
                is_same = own != NEVER and known.get(folder, (NEVER,))[0] == own
                names, below = ([], None) if is_same else self._names(folder)
            except OSError:
                continue
            if below is None:
                now[folder] = known[folder]
                todo += inside.get(folder, [])
            else:
                now[folder] = (own, len(names))
                todo += [join(folder, name) for name in below]
        if now != known:
            self.index.counted[path] = now
            self.index.changed = self.index.recounted = True
        if not now:
            del self.index.counted[path]
            parent, _, name = path.rpartition(b"/")
            self._children(parent).discard(name)
        self._report(path, before, _total(now))

    def _report(self, path: bytes, before: int, after: int) -> None:
        if before != after:
            self.counts.append((path, before, after))

    # Files

    def _changed(self, path: bytes, before: bytes, after: bytes) -> None:
        self.entries.append((path, plain(before), plain(after)))

    def _compare(
        self, path: bytes, before: "tuple[bytes, bytes] | None", outermost: bytes
    ) -> "tuple[bytes, bytes] | None":
        """A file's signature and state now, None if it is gone; what changed is noted."""
        try:
            found = posix.lstat(self._absolute(path))
        except FileNotFoundError:
            if before is not None:
                self._changed(path, before[1], b"absent")
            return None
        except OSError:  # the folder can be listed, but what is in it is closed to us
            folder = path.rpartition(b"/")[0]
            if folder not in self.closed:
                self.closed.append(folder)
            return None if before is None else (NEVER, before[1])
        now = signature(found)
        if before is not None and before[0] == now != NEVER:
            return before
        if before is None and self._known_state and (known := self._known_state(path, found)):
            return self._settled(now, found), known
        state, stat = sight.look(self.root, path, self._keep, self.rules.largest)
        state = state[6:]
        if state.startswith(b"absent"):
            if before is not None:
                self._changed(path, before[1], b"absent")
            return None
        own = now if stat == sight.stat_line(found) else NEVER
        if state.startswith(b"unknown"):
            # Without its bytes, only this tells whether it changed.
            state += b"\t%d %d" % (found.st_size, found.st_mtime_ns)
        old = _absent(outermost) if before is None else before[1]
        if not self._is_same(old, state):
            self._changed(path, old, state)
            self.times[path] = found.st_mtime_ns
        return (self._settled(own, found) if own != NEVER else own), state

    def _keep(self, content: bytes) -> str:
        self._content = content
        return self._put(content)

    def _is_same(self, old: bytes, new: bytes) -> bool:
        """Whether two states are of the same file. One may name git's object, the other ours."""
        if not old.startswith(b"git ") or not new.startswith(b"file "):
            return old == new
        _, old_mode, old_size, name = old.split(b" ")
        _, mode, size, _ = new.split(b" ")
        return (old_mode, old_size) == (mode, size) and refs.git_name(self._content, len(name)) == name


def plain(state: bytes) -> bytes:
    """A state as records have it."""
    return state.partition(b"\t")[0] if state.startswith(b"unknown") else state


def _absent(outermost: bytes) -> bytes:
    return b"absent " + disk.escape(outermost) if outermost else b"absent"


def _total(folders: "dict[bytes, tuple[bytes, int]]") -> int:
    return sum([count for _, count in folders.values()])
