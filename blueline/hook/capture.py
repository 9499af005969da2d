"""Look at the whole tree for one event, and say what its record should say. One process at a time does so.

The lock is held until the record is in the journal: so the looks stand there in the order in which they were
taken, and each says exactly what changed since the one before. A hook process does this while an agent waits:
only built-in modules.
"""

import fcntl
import marshal
import posix
import sys
import time

TYPE_CHECKING = False  # the typing module costs more than the rest of this file
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any

# Started by an agent this is no part of a package: its folder is on the path, the package is not.
if TYPE_CHECKING or __package__:
    from blueline.hook import touched_folders, tree_index
    from blueline.kernel import counting_rules, disk, processes, refs
else:
    import counting_rules
    import disk
    import processes
    import refs
    import touched_folders
    import tree_index

PATIENCE_NS = 40 * 10**9
"""How long to wait for another process that looks. Less than an agent waits for its hook."""

INLINE_UP_TO = 24 << 10
"""Bytes of what changed that stand in the record itself; more go to a blob."""

REACH = b"reach tree"
"""Said of a call that may change anything."""

MOST_MADE = 2_000
"""Commits of agents that are remembered."""

ONE_BY_ONE = 24
"""Blobs that are made durable one at a time. For more, the whole file system is synced once."""


class CannotLook(Exception):
    """Why the tree could not be looked at, in a word."""


class Many:
    """Stores many blobs, and makes them durable together."""

    def __init__(self, blobs: bytes, one_by_one: int = ONE_BY_ONE) -> None:
        self._blobs = blobs
        self._left = one_by_one
        self._waiting: dict[bytes, bytes] = {}
        """Where each goes, and its temporary file."""
        self._safe: set[str] = set()
        """Those that were made durable here: of two files with the same bytes, the second costs nothing."""

    def put(self, content: bytes) -> str:
        """As `disk.put_blob`, but durable only after `finish`."""
        if len(content) >= disk.CHUNK_SHORTEST:
            return disk.put_blob(self._blobs, content)
        name = disk.blob_id(content)
        if name in self._safe:
            return name
        if self._left > 0:
            self._left -= 1
            self._safe.add(disk.put_blob(self._blobs, content))
            return name
        path = disk.blob_path(self._blobs, name)
        if path not in self._waiting and not disk.is_stored(path):
            fd, temporary = disk.open_temporary(self._blobs + b"/tmp")
            try:
                disk.write_whole(fd, disk.squeeze(content, disk.SQUEEZED_IN_HOOKS))
            finally:
                posix.close(fd)
            self._waiting[path] = temporary
        return name

    def finish(self) -> None:
        """Only what is on disk for good gets its name."""
        if not self._waiting:
            return
        posix.sync()
        for path, temporary in self._waiting.items():
            disk.rename(temporary, path)
        self._waiting.clear()
        posix.sync()


class Capture:
    """The tree of one project as it was at the last look. Whoever has it holds the lock."""

    def __init__(self, root: bytes, state: bytes, *, may_fork: bool = False) -> None:
        self._may_fork = may_fork
        self._root = root
        self._state = state
        self._temporaries = state + b"/blobs/tmp"
        self._index = tree_index.TreeIndex()
        self._question: touched_folders.Question | None = None
        self._lock = posix.open(state + b"/tree.lock", posix.O_RDWR | posix.O_CREAT | posix.O_CLOEXEC, 0o600)
        try:
            self._wait()
            self.rules = counting_rules.read_rules(state)
            self._index = tree_index.TreeIndex.open(state + b"/tree")
            self._calls = _load(calls_path(state))
            self._kept = marshal.dumps(self._calls)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "Capture":
        return self

    def __exit__(
        self, kind: "type[BaseException] | None", error: "BaseException | None", trace: "TracebackType | None"
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let the next one look."""
        if self._question:
            self._question.close()
        self._index.folders.close()
        posix.close(self._lock)

    def _wait(self) -> None:
        until = time.monotonic_ns() + PATIENCE_NS
        while True:
            try:
                return fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic_ns() > until:
                    raise CannotLook("another look takes too long") from None
                time.sleep(0.003)

    @property
    def knows_tree(self) -> bool:
        """Whether there was a look before."""
        return not self._index.is_new

    def look(self) -> "list[bytes]":
        """Look at the tree; the lines that say what changed. `save` makes the next look begin from here."""
        was_new = self._index.is_new
        if was_new:
            ask(self._root, self._state, b"index", [])
            self._index = tree_index.TreeIndex.open(self._state + b"/tree")
            if self._index.is_new:
                raise CannotLook("the first look failed")
        self._ask_watcher()
        # While that is answered.
        if TYPE_CHECKING or __package__:
            from blueline.hook import tree_scan
        else:
            import tree_scan
        lines = self._who()
        touched = self._touched()
        many = Many(self._state + b"/blobs")
        look = tree_scan.TreeScan(
            self._root,
            self._index,
            self.rules,
            many.put,
            self._is_counted,
            skipped=state_home(self._state),
            may_fork=self._may_fork,
            touched=touched,
        )
        look.run()
        entries = self._with_bytes(look.entries)
        many.finish()
        lines += self._refs()
        lines += [
            b"counted %d %d %s" % (before, after, disk.escape(path)) for path, before, after in look.counts
        ]
        lines += [b"closed " + disk.escape(path) for path in look.closed]
        if was_new:
            lines.append(b"first-look")
        seen = [
            b"%s\0%s\0%s\0%d" % (disk.escape(path), before, after, look.times.get(path, 0))
            for path, before, after in entries
        ]
        lines.append(b"tree %d" % len(seen))
        if sum([len(line) for line in seen]) <= INLINE_UP_TO:
            return lines + [b"seen " + line for line in seen]
        return [*lines, b"changes " + disk.put_blob(self._state + b"/blobs", b"\n".join(seen)).encode()]

    def _ask_watcher(self) -> None:
        """Ask which folders were touched. To be done before the look, not after it."""
        index = self._index
        known = len(index.folders) + sum(map(len, index.counted.values()))
        if known >= touched_folders.ASKED_FROM:
            patience = touched_folders.patience_ns(known)
            self._question = touched_folders.Question(self._root, self._state, index.watch, patience)

    def _touched(self) -> "list[bytes] | None":
        """The folders that are to be looked at; None for all."""
        index, now = self._index, time.monotonic_ns()
        said = None
        if self._question:
            said = self._question.answer()
            self._question.close()
            self._question = None
        folders = said.folders if said else None
        is_due = not 0 <= now - index.full_ns < touched_folders.FULL_LOOK_NS
        if said is not None:
            # To remember who watches is worth a write; up to which change, only if there were many.
            is_far = folders is not None and len(folders) > touched_folders.FAR
            index.changed |= said.watch[0] != index.watch[0] or is_due or is_far
            index.watch = said.watch
        if folders is None or is_due:
            index.full_ns = now
            return None
        return folders

    def forget(self, paths: "set[bytes]") -> None:
        """Have the next look read these files again."""
        for folder, (own, names, kept, states) in self._index.folders.items():
            marks = [
                tree_index.NEVER
                if tree_index.join(folder, name) in paths
                else kept[at * tree_index.WIDTH : (at + 1) * tree_index.WIDTH]
                for at, name in enumerate(tree_index.split(names))
            ]
            if (again := b"".join(marks)) != kept:
                self._index.folders[folder] = (own, names, again, states)
                self._index.changed = True

    def save(self) -> None:
        """Remember the look. To be called when its record is in the journal, not before."""
        if self._index.changed:
            self._index.save(self._state + b"/tree", self._temporaries)
        data = marshal.dumps(self._calls)
        if data == self._kept:
            return
        if any(self._calls.values()):
            disk.put_in_place(calls_path(self._state), data, self._temporaries)
        else:
            posix.unlink(calls_path(self._state))

    # Calls, and the processes they leave behind

    def began(
        self, key: str, conversation: str, subagent: str = "", agent: "tuple[int, int] | None" = None
    ) -> "list[bytes]":
        """A call that may change anything begins. `agent` is its process, if not the one that started us."""
        pid, start = agent or processes.agent()
        self._calls["open"][key] = (conversation, pid, start, processes.newest(), subagent)
        return [REACH, b"process %d %d" % (pid, start)] if pid else [REACH]

    def ended(self, key: str) -> "list[bytes]":
        """It has ended; what it started may still be there."""
        call = self._calls["open"].pop(key, None)
        if call is None or not call[3]:
            return []
        stays = processes.started_since(call[3], self._root)
        for pid, start in stays:
            self._calls["left"].setdefault((pid, start), key)
        return [b"stays %d" % len(stays)] if stays else []

    def stopped(self, conversation: str, subagent: str = "", *, is_over: bool = False) -> None:
        """The turn is over, and so are its calls, or one of its sub-agents is; or the whole conversation."""
        for key, call in list(self._calls["open"].items()):
            if call[0] == conversation and (is_over or call[4] == subagent):
                del self._calls["open"][key]

    def _who(self) -> "list[bytes]":
        """Who may have changed something since the last look, besides the calls that are open."""
        if not processes.known():
            return []
        lines = []
        left: dict[tuple[int, int], str] = self._calls["left"]
        before = sorted(set(left.values()))
        for key, (_, pid, start, newest, _) in list(self._calls["open"].items()):
            if pid and not processes.is_alive(pid, start):
                del self._calls["open"][key]
                lines.append(b"dead %d %d" % (pid, start))
                for one in processes.orphans_since(newest, self._root) if newest else ():
                    left.setdefault(one, key)
        lines += [b"left " + disk.escape(key.encode()) for key in before]
        for pid, start in list(left):
            if not processes.is_alive(pid, start):
                del left[pid, start]
        keys = {pid: key for (pid, _), key in left.items()}
        for pid, start, above in processes.descendants(keys) if keys else ():
            left.setdefault((pid, start), keys[above])
        return lines

    @property
    def left(self) -> "tuple[str, ...]":
        """Keys of calls that have left processes behind."""
        return tuple(sorted(set(self._calls["left"].values())))

    # git

    def _refs(self) -> "list[bytes]":
        now, before = refs.snapshot(self._root), self._index.refs
        made = [b"made " + name for name in self._index.made]
        if not now or now == before:
            return []
        disk.put_blob(self._state + b"/blobs", now)
        self._index.refs, self._index.changed = now, True
        if not before:
            return []
        if self._calls["open"] or self._calls["left"]:
            known = refs.targets(before).union(self._index.made)
            self._index.made = [*self._index.made, *sorted(refs.targets(now) - known)][-MOST_MADE:]
        disk.put_blob(self._state + b"/blobs", before)
        return [b"refs %s %s" % (disk.blob_id(before).encode(), disk.blob_id(now).encode()), *made]

    def _is_counted(self, path: bytes, name: bytes) -> bool:
        if refs.is_work_tree(self._root + b"/" + path):
            return True  # a project of its own
        if name in self.rules.dependencies:
            return not self._is_tracked_below(path)
        if name in self.rules.builds:
            return ask(self._root, self._state, b"ignored", [path]) == [b"yes"]
        return False

    def _is_tracked_below(self, path: bytes) -> bool:
        """Whether git's index has a file below a folder. Its fourth version does not name them in full."""
        found = refs.repository(self._root)
        if found is None:
            return False
        try:
            fd = posix.open(found[0] + b"/index", posix.O_RDONLY | posix.O_NOFOLLOW)
        except OSError:
            return False
        try:
            index = disk.read_whole(fd)
        except OSError:
            return False
        finally:
            posix.close(fd)
        if index[4:8] != b"\0\0\0\4" and path + b"/" not in index:
            return False
        # It may be the end of another one's path.
        return ask(self._root, self._state, b"tracked", [path]) == [b"yes"]

    def _with_bytes(self, entries: "list[tuple[bytes, bytes, bytes]]") -> "list[tuple[bytes, bytes, bytes]]":
        """Bytes from before that only git has are copied now: tomorrow it may not have them any more."""
        names = {before.split(b" ")[3] for _, before, _ in entries if before.startswith(b"git ")}
        if not names:
            return entries
        wanted = sorted(names)
        copies = dict(zip(wanted, ask(self._root, self._state, b"copy", wanted), strict=False))
        return [(path, _copied(before, copies), after) for path, before, after in entries]


def _copied(before: bytes, copies: "dict[bytes, bytes]") -> bytes:
    if not before.startswith(b"git "):
        return before
    _, mode, size, name = before.split(b" ")
    copy = copies.get(name, b"")
    return b"file %s %s %s" % (mode, size, copy) if copy else b"unknown not-in-git " + name


def calls_path(state: bytes) -> bytes:
    """The file that names open calls and processes left behind. It is there only if there are any."""
    return state + b"/calls"


def has_left(state: bytes) -> bool:
    """Whether a call has left processes behind that ran at the last look."""
    return bool(_load(calls_path(state))["left"])


def _load(path: bytes) -> "dict[str, Any]":
    empty: dict[str, Any] = {"open": {}, "left": {}}
    try:
        fd = posix.open(path, posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_CLOEXEC)
        try:
            found = marshal.loads(disk.read_whole(fd))
        finally:
            posix.close(fd)
    except (OSError, ValueError, TypeError, EOFError):
        return empty
    if not isinstance(found, dict) or found.keys() != empty.keys():
        return empty
    # An earlier version left out the sub-agent.
    found["open"] = {key: (*call, "")[:5] for key, call in found["open"].items()}
    return found


def state_home(state: bytes) -> bytes:
    return state[: state.rfind(b"/")]


def ask(root: bytes, state: bytes, question: bytes, lines: "list[bytes]") -> "list[bytes]":
    """Have a whole Blueline, which knows git, answer what this process cannot. A line for each line."""
    folder = __file__.rpartition("/")[0].rpartition("/")[0].rpartition("/")[0]
    program = (
        "import sys;sys.path.insert(0,sys.argv.pop());"
        "from blueline.workspace import first_look;first_look.main(*sys.argv[1:])"
    )
    arguments: list[str | bytes] = [sys.executable, "-I", "-c", program, root, state, question, folder]
    child_in, ours_out = posix.pipe()
    ours_in, child_out = posix.pipe()
    actions = [
        (posix.POSIX_SPAWN_DUP2, child_in, 0),
        (posix.POSIX_SPAWN_DUP2, child_out, 1),
        (posix.POSIX_SPAWN_CLOSE, ours_out),
        (posix.POSIX_SPAWN_CLOSE, ours_in),
    ]
    try:
        pid = posix.posix_spawn(sys.executable, arguments, posix.environ, file_actions=actions)
    except OSError as error:
        for fd in (child_in, child_out, ours_in, ours_out):
            posix.close(fd)
        raise CannotLook("no interpreter") from error
    posix.close(child_in)
    posix.close(child_out)
    try:
        try:
            disk.write_whole(ours_out, b"\0".join(lines))
        except BrokenPipeError:
            pass
        finally:
            posix.close(ours_out)
        answer = disk.read_whole(ours_in)
    finally:
        posix.close(ours_in)
        _, status = posix.waitpid(pid, 0)
    if status:
        raise CannotLook("git could not be asked")
    return answer.split(b"\0") if answer else []
