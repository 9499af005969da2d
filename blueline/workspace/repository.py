"""What git knows of a project's files. Read with libgit2, which runs no hook, filter or command."""

import contextlib
import os
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pygit2
from pygit2.enums import SortMode

from blueline.kernel import refs

MOST_COMMITS = 200
"""As many are looked through when the current commit has become another one."""


class CommittedFile(NamedTuple):
    """A file in a commit."""

    content: bytes
    mode: int
    """As git has it."""


class MadeCommit(NamedTuple):
    """A commit, and those it came after."""

    name: str
    parents: tuple[str, ...]


REMEMBERED = 50
"""How many steps from commit to commit are looked back."""


class ProjectRepository:
    """The repository that a project is in."""

    def __init__(self, root: Path, git: pygit2.Repository) -> None:
        self._git = git
        self._work = os.fsencode(git.workdir or "").rstrip(b"/")
        below = os.path.relpath(os.fsencode(os.path.realpath(root)), os.path.realpath(self._work))
        self._prefix = b"" if below == b"." else below + b"/"
        """Where the project is, as git names it."""

    @classmethod
    def of(cls, root: Path) -> "ProjectRepository | None":
        """The repository in charge of a folder; None if there is none that can be read."""
        found = refs.repository(os.fsencode(root))
        if found is None:
            return None
        with contextlib.suppress(pygit2.GitError, ValueError, OSError):
            git = pygit2.Repository(os.fsdecode(found[0]))
            if git.workdir is not None:
                return cls(root, git)
        return None

    def _inner(self, path: bytes) -> str:
        return os.fsdecode(self._prefix + path)

    def objects(self) -> dict[bytes, bytes]:
        """The object that git has for each file, by its path in the project. The file may differ by now."""
        found = {}
        for entry in self._entries():
            name = os.fsencode(entry.path)
            if name.startswith(self._prefix):
                found[name[len(self._prefix) :]] = str(entry.id).encode()
        return found

    def _entries(self) -> list[pygit2.IndexEntry]:
        """What is in git's index; nothing if that is damaged."""
        try:
            return list(self._git.index)
        except (pygit2.GitError, ValueError, OSError):
            return []

    def content(self, name: bytes) -> bytes | None:
        """The bytes of an object; None if it is not there."""
        try:
            found = self._git[pygit2.Oid(hex=name.decode())]
        except (KeyError, ValueError, pygit2.GitError):
            return None
        return found.data if isinstance(found, pygit2.Blob) else None

    def is_ignored(self, path: bytes) -> bool:
        """Whether git leaves a folder alone, and has nothing of it in its index."""
        try:
            ignored = self._git.path_is_ignored(self._inner(path) + "/")
        except (pygit2.GitError, ValueError):
            return False
        return bool(ignored) and not self.is_tracked(path)

    def is_tracked(self, path: bytes) -> bool:
        """Whether git has something below a folder in its index."""
        prefix = self._inner(path) + "/"
        return any(str(entry.path).startswith(prefix) for entry in self._entries())

    def names_in(self, commit: str, paths: Iterable[str]) -> dict[str, bytes | None]:
        """The objects that files have in a commit; None for those that are not in it."""
        try:
            tree = self._git[pygit2.Oid(hex=commit)].peel(pygit2.Tree)
        except (KeyError, ValueError, pygit2.GitError):
            return {}
        found: dict[str, bytes | None] = {}
        for path in paths:
            try:
                entry = tree[self._inner(os.fsencode(path))]
            except (KeyError, ValueError):
                found[path] = None
            else:
                found[path] = str(entry.id).encode()
        return found

    def content_in(self, commit: str, path: str) -> CommittedFile | None:
        """What stands at a path in a commit; None if there is no file."""
        try:
            entry = self._git[pygit2.Oid(hex=commit)].peel(pygit2.Tree)[self._inner(os.fsencode(path))]
        except (KeyError, ValueError, pygit2.GitError):
            return None
        content = self.content(str(entry.id).encode())
        return None if content is None else CommittedFile(content, entry.filemode)

    def made_since(self, head: str, earlier: Iterable[str], since: float) -> list[MadeCommit]:
        """The commits that lead to one, from the oldest on, without those that lead to earlier ones.

        Of very many, the latest; and none from before a time.
        """
        found: list[MadeCommit] = []
        with contextlib.suppress(KeyError, ValueError, pygit2.GitError):
            walker = self._git.walk(pygit2.Oid(hex=head), SortMode.TOPOLOGICAL)
            for tip in earlier:
                with contextlib.suppress(KeyError, ValueError, pygit2.GitError):
                    walker.hide(pygit2.Oid(hex=tip))
            for commit in islice(walker, MOST_COMMITS):
                if commit.commit_time < since:
                    break
                found.append(MadeCommit(str(commit.id), tuple(str(parent) for parent in commit.parent_ids)))
        return found[::-1]

    def stashed_in(self, stash: str) -> list[str]:
        """The commits that have what a stash put away: itself, and one for files that git did not know."""
        try:
            parents = self._git[pygit2.Oid(hex=stash)].peel(pygit2.Commit).parent_ids
        except (KeyError, ValueError, pygit2.GitError):
            return []
        return [stash, *(str(one) for one in parents[2:3])]

    def leads_to(self, commit: str, head: str) -> bool:
        """Whether one commit is another, or comes before it."""
        try:
            return commit == head or self._git.descendant_of(pygit2.Oid(hex=head), pygit2.Oid(hex=commit))
        except (KeyError, ValueError, pygit2.GitError):
            return False

    def bases(self, commit: str, tips: Iterable[str]) -> list[str]:
        """The latest commits that a commit shares with each of these: itself, if one comes after it."""
        found: dict[str, None] = {}
        for tip in dict.fromkeys(tips):
            with contextlib.suppress(KeyError, ValueError, pygit2.GitError):
                peeled = self._git[pygit2.Oid(hex=tip)].peel(pygit2.Commit).id
                base = self._git.merge_base(pygit2.Oid(hex=commit), peeled)
                if base is not None:
                    found[str(base)] = None
        return list(found)

    def been_at(self) -> list[str]:
        """The commits that were checked out last, as git remembers it."""
        try:
            log = (Path(self._git.path) / "logs" / "HEAD").read_bytes()
        except OSError:
            return []
        lines = log.decode("utf-8", "replace").splitlines()[-REMEMBERED:]
        return [*dict.fromkeys(name for line in lines for name in line.split(" ")[:2] if name.strip("0"))]

    def was_fetched(self, ref: str) -> bool:
        """Whether a branch of somewhere else got to where it is by fetching, and not by a push from here."""
        try:
            log = (Path(self._git.path) / "logs" / ref).read_bytes()
        except OSError:
            return False
        last = log.rstrip(b"\n").rpartition(b"\n")[2].partition(b"\t")[2]
        return last.startswith((b"fetch", b"pull", b"clone"))
