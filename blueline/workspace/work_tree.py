"""A project's files and its repository, read with libgit2, which runs no hook, filter or command.

What git would hold of the work tree is worked out without asking git to add anything.
"""

import os
import shlex
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path

import pygit2
from pygit2.enums import FileMode, FileStatus
from pygit2.ffi import C, ffi

from blueline.kernel import counting_rules, refs
from blueline.kernel.plain_file import read_plain
from blueline.workspace.shipment import SHA1_DIGITS, CannotTell, Files, Shipment, differences, object_name

LARGEST_READ = 1 << 30
ASSUMED_UNCHANGED, SKIPPED = 1 << 15, 1 << 14
OF_THIS_MACHINE = (".claude/settings.local.json",)
"""Settings that name programs of one machine. Where git does not track them, they are nothing to ship."""
FILES = (int(FileMode.BLOB), int(FileMode.BLOB_EXECUTABLE))

_ON_DISK = (
    FileStatus.WT_NEW
    | FileStatus.WT_MODIFIED
    | FileStatus.WT_DELETED
    | FileStatus.WT_TYPECHANGE
    | FileStatus.WT_RENAMED
    | FileStatus.WT_UNREADABLE
    | FileStatus.CONFLICTED
)


class WorkTree:
    """A project's files and its repository, if there is one."""

    def __init__(self, root: Path) -> None:
        self.root = root
        found = refs.repository(os.fsencode(root))
        self._git: pygit2.Repository | None = None
        if found is not None:
            try:
                git = pygit2.Repository(os.fsdecode(found[0]))
            except (pygit2.GitError, ValueError, OSError) as error:
                # Libgit2 says so by a code that pygit2 does not hand on.
                is_others = "not owned" in str(error)
                trusting = f"git config --global --add safe.directory {shlex.quote(str(root))}"
                raise CannotTell(
                    f"git's repository cannot be read: {error}",
                    hint=f"if you trust whoever owns it: {trusting}" if is_others else "see: git status",
                ) from error
            if git.workdir is not None:
                self._git = git

    @property
    def top(self) -> Path:
        """The folder that paths are seen from."""
        return Path(self._git.workdir) if self._git is not None and self._git.workdir else self.root

    def head(self) -> str:
        """The commit that is checked out; empty if there is none."""
        if self._git is None:
            return ""
        try:
            return "" if self._git.head_is_unborn else str(self._git.head.target)
        except (pygit2.GitError, KeyError, ValueError):
            return ""

    def branch(self) -> str:
        """The branch that is checked out; empty if none is."""
        if self._git is None or self._git.head_is_detached:
            return ""
        try:
            return str(self._git.lookup_reference("HEAD").target).removeprefix("refs/heads/")
        except (pygit2.GitError, KeyError, ValueError):
            return ""

    def here(self) -> Shipment:
        """What is in the work tree: what git tracks, and what it would if it were asked to add everything."""
        if self._git is None:
            return Shipment(self._walked())
        git = self._git
        try:
            entries: Files = {entry.path: (int(entry.mode), str(entry.id)) for entry in git.index}
            status = git.status(untracked_files="all", ignored=False)
        except (pygit2.GitError, ValueError, OSError) as error:
            raise CannotTell(f"git's index cannot be read: {error}", hint="see: git status") from error
        digits = len(self.head()) or SHA1_DIGITS
        unseen = self._unseen(entries, digits)
        if not status and not unseen and self.head():
            return Shipment(entries, str(git[git.head.target].peel(pygit2.Tree).id), digits=digits)
        local = self.local()
        entries |= unseen
        for name, flags in status.items():
            path = name.rstrip("/")  # a repository in ours that nobody has added yet
            if not FileStatus(flags) & _ON_DISK or path in local:
                continue
            state = self._on_disk(path, entries.get(path), digits)
            if state is None:
                entries.pop(path, None)
            else:
                entries[path] = state
        return Shipment(entries, digits=digits)

    def unseen(self) -> list[str]:
        """Files that differ from what git has, and that it was told not to look at."""
        if self._git is None:
            return []
        entries: Files = {entry.path: (int(entry.mode), str(entry.id)) for entry in self._git.index}
        return sorted(self._unseen(entries, len(self.head()) or SHA1_DIGITS))

    def _unseen(self, entries: Files, digits: int) -> Files:
        """The same with their states on disk: what is run is there, and what would be committed is not."""
        assert self._git is not None
        found: Files = {}
        for path in _not_looked_at(self._git.index):
            state = self._on_disk(path, entries.get(path), digits)
            if state is not None and state != entries.get(path):
                found[path] = state
        return found

    def unfinished_inside(self) -> list[str]:
        """Repositories inside ours with changes that are in none of their commits: those would not ship."""
        if self._git is None:
            return []
        inner = [str(entry.path) for entry in self._git.index if int(entry.mode) == FileMode.COMMIT]
        return [path for path in inner if self._is_unfinished(path)]

    def _is_unfinished(self, path: str) -> bool:
        place = os.path.join(str(self.top), path)
        try:
            if os.path.islink(place):
                return True  # whatever it leads to is not ours to look at
            if not os.listdir(place):
                return False  # nobody has fetched it
            return bool(pygit2.Repository(place).status(untracked_files="normal", ignored=False))
        except (FileNotFoundError, NotADirectoryError):
            return False
        except (pygit2.GitError, KeyError, ValueError, OSError):
            return True  # something is there, and cannot be looked at

    def conflicts(self) -> list[str]:
        """Files that two commits have changed, and nobody has put together yet."""
        found = self._git.index.conflicts if self._git is not None else None
        sides = [entry for one in found or () for entry in one if entry is not None]
        return sorted({str(entry.path) for entry in sides})

    def local(self) -> list[str]:
        """Files of this machine that git does not track: they do not ship."""
        below = os.path.relpath(os.path.realpath(self.root), os.path.realpath(self.top))
        paths = [os.path.normpath(os.path.join(below, path)) for path in OF_THIS_MACHINE]
        if self._git is None:
            return paths
        return [path for path in paths if path not in self._git.index]

    def _on_disk(self, path: str, known: tuple[int, str] | None, digits: int) -> tuple[int, str] | None:
        place = os.path.join(os.fsencode(str(self.top)), os.fsencode(path))
        try:
            found = os.lstat(place)
            if os.path.islink(place):
                return int(FileMode.LINK), object_name(os.readlink(place), digits)
            if os.path.isdir(place):
                return self._inner(path, place, known)
            if found.st_size > LARGEST_READ:
                raise CannotTell(f"{path} is too large to be read", hint="let git ignore it")
            content = read_plain(place)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise CannotTell(
                f"{path} cannot be read: {error.strerror}", hint="check its permissions"
            ) from error
        mode = int(FileMode.BLOB_EXECUTABLE if found.st_mode & 0o100 else FileMode.BLOB)
        if known is not None and not self._has_modes() and known[0] in FILES:
            mode = known[0]
        return mode, object_name(self._stored(path, content), digits)

    def _has_modes(self) -> bool:
        """Whether git takes a file's mode from the disk."""
        try:
            return self._git is None or self._git.config.get_bool("core.filemode")
        except KeyError:
            return True

    def _inner(self, path: str, place: bytes, known: tuple[int, str] | None) -> tuple[int, str] | None:
        """A repository inside ours: the commit it is at is what ours would hold."""
        try:
            git = pygit2.Repository(os.fsdecode(place))
            return int(FileMode.COMMIT), str(git.head.target)
        except (pygit2.GitError, KeyError, ValueError):
            return known

    def _stored(self, path: str, content: bytes) -> bytes:
        """A file's bytes as git keeps them: line ends may differ. No program of a project is asked."""
        if b"\r\n" not in content or self._git is None:
            return content
        text = self._git.get_attr(path, "text")
        if text is None and (eol := self._git.get_attr(path, "eol")) in ("lf", "crlf"):
            text = bool(eol)
        if text is None:
            try:
                text = "auto" if str(self._git.config["core.autocrlf"]) in ("true", "input") else None
            except KeyError:
                text = None
        if text in (None, False, "false") or (text == "auto" and b"\0" in content[:8000]):
            return content
        return content.replace(b"\r\n", b"\n")

    def _walked(self) -> Files:
        """Every file below the root, where there is no git to say what counts."""
        names = {os.fsdecode(name) for name in (*counting_rules.DEPENDENCIES, *counting_rules.BUILDS)} | {
            ".git"
        }
        found: Files = {}
        for here, folders, files in os.walk(self.root):
            folders[:] = sorted(name for name in folders if name not in names)
            links = [name for name in folders if os.path.islink(os.path.join(here, name))]
            for name in [*files, *links]:
                path = os.path.relpath(os.path.join(here, name), self.root)
                state = self._on_disk(path, None, SHA1_DIGITS) if path not in OF_THIS_MACHINE else None
                if state is not None:
                    found[path] = state
        return found

    # Commits and the index

    def at(self, revision: str) -> tuple[str, Shipment]:
        """A commit by any name that git takes, and its tree."""
        git = self._repository()
        try:
            commit = git.revparse_single(revision).peel(pygit2.Commit)
            tree = commit.tree
        except (KeyError, ValueError, pygit2.GitError) as error:
            raise CannotTell(f"there is no commit {revision!r}", hint="see: git log") from error
        return str(commit.id), Shipment(_flat(tree), str(tree.id), digits=len(str(tree.id)))

    def read(self, revision: str, path: str) -> bytes:
        """A file as a commit has it; empty if it has none."""
        git = self._repository()
        try:
            found = git.revparse_single(revision).peel(pygit2.Commit).tree / path
        except (KeyError, ValueError, pygit2.GitError):
            return b""
        return found.data if isinstance(found, pygit2.Blob) else b""

    def changed_in(self, revision: str) -> dict[str, tuple[int, str] | None]:
        """Files that a commit has and none of its parents; None for one that it takes away."""
        git = self._repository()
        commit = git.revparse_single(revision).peel(pygit2.Commit)
        if not commit.parents:
            return {**_flat(commit.tree)}
        sides = []
        for parent in commit.parents:
            deltas = git.diff(parent, commit).deltas
            sides.append({path for one in deltas for path in (one.old_file.path, one.new_file.path)})
        return {path: _entry(commit.tree, path) for path in sorted(set.intersection(*sides))}

    def staged(self, index_file: str = "", merged: Iterable[str] = ()) -> dict[str, tuple[int, str] | None]:
        """What is about to be committed and differs from the last commit; None for a file that goes.

        Of a merge, only what differs from all of the commits that are merged.
        """
        git = self._repository()
        try:
            index = pygit2.Index(os.path.join(str(self.top), index_file)) if index_file else git.index
            now: Files = {entry.path: (int(entry.mode), str(entry.id)) for entry in index}
        except (pygit2.GitError, ValueError, OSError) as error:
            raise CannotTell(f"git's index cannot be read: {error}", hint="see: git status") from error
        found = differences(self.committed(), now)
        for other in merged:
            files = self.at(other)[1].files
            found = {path: state for path, state in found.items() if files.get(path) != state}
        return found

    def committed(self) -> Files:
        """The files of the last commit."""
        git = self._repository()
        return _flat(git[git.head.target].peel(pygit2.Tree)) if self.head() else {}

    def base(self) -> Files:
        """The files as those know them whom this is shipped to; the last commit if that is not known."""
        git = self._git
        if git is None or not self.head():
            return {}
        for name in self._upstreams():
            try:
                other = git.lookup_reference(name).peel(pygit2.Commit).id
                found = git.merge_base(git.head.target, other)
            except (pygit2.GitError, KeyError, ValueError):
                continue
            if found is not None:
                return _flat(git[found].peel(pygit2.Tree))
        return self.committed()

    def _upstreams(self) -> Iterable[str]:
        git, branch = self._repository(), self.branch()
        try:
            upstream = git.branches.local[branch].upstream if branch else None
        except (KeyError, pygit2.GitError, ValueError):
            upstream = None
        if upstream is not None:
            yield upstream.name
        yield from ("refs/remotes/origin/HEAD", "refs/remotes/origin/main", "refs/remotes/origin/master")

    def extra(self, patterns: Iterable[str]) -> Files:
        """Files that git ignores and that are shipped all the same, by what the config says."""
        wanted = tuple(patterns)
        if not wanted:
            return {}
        found: Files = {}
        for here, folders, files in os.walk(self.root):
            folders[:] = sorted(name for name in folders if name != ".git")
            for name in files:
                path = os.path.relpath(os.path.join(here, name), self.root)
                if any(
                    fnmatch(path, pattern) or path.startswith(pattern.rstrip("/") + "/") for pattern in wanted
                ):
                    state = self._on_disk(path, None, SHA1_DIGITS)
                    if state is not None:
                        found[path] = state
        return found

    def _repository(self) -> pygit2.Repository:
        if self._git is None:
            raise CannotTell("there is no git repository here", hint="run: git init")
        return self._git


def _not_looked_at(index: pygit2.Index) -> Iterable[str]:
    """Files of the index with a mark that git should not compare them with the disk."""
    # Only the library below pygit2 tells of these marks.
    handle = index._index
    for number in range(C.git_index_entrycount(handle)):
        entry = C.git_index_get_byindex(handle, number)
        if entry.flags & ASSUMED_UNCHANGED or entry.flags_extended & SKIPPED:
            yield os.fsdecode(ffi.string(entry.path))


def _flat(tree: pygit2.Tree) -> Files:
    index = pygit2.Index()
    index.read_tree(tree)
    return {entry.path: (int(entry.mode), str(entry.id)) for entry in index}


def _entry(tree: pygit2.Tree, path: str) -> tuple[int, str] | None:
    try:
        found = tree[path]
    except KeyError:
        return None
    return int(found.filemode), str(found.id)
