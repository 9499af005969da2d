"""The objects of a clone: read and written with libgit2, which runs no filter, hook or command.

Nothing is checked out. What a pull request holds is bytes here, and stays that.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from blueline.errors import BluelineError
from blueline.forge import offer as offers
from blueline.forge.offer import RECORD, Offer, Person
from blueline.forge.suggestion import GitContent, OfferedChange

if TYPE_CHECKING:
    import pygit2

US = Person(name="Blueline", email="blueline@noreply.invalid")
"""Who makes our commits; the people who asked for them are named in the message."""

MODES = frozenset({0o100644, 0o100755, 0o120000})
LARGEST = 50 << 20
"""Bytes of one content that is offered."""

_ODD = re.compile(r"[\x00-\x1f\x7f<>]+")


class NoRepository(BluelineError):
    """There is no clone to work with."""


class CannotWrite(BluelineError):
    """Git does not take what should be written."""


class Commit:
    """The files of one commit."""

    def __init__(self, git: pygit2.Repository, tree: pygit2.Tree) -> None:
        self._git = git
        self._tree = tree

    def _entry(self, path: str) -> pygit2.Object | None:
        try:
            found: pygit2.Object = self._tree[path]
        except (KeyError, ValueError, TypeError):
            return None
        return found

    def read(self, path: str) -> GitContent | None:
        """What stands at a path; None if that is nothing, or a folder."""
        import pygit2

        entry = self._entry(path) if path else None
        if entry is None or isinstance(entry, pygit2.Tree):
            return None
        if isinstance(entry, pygit2.Blob):
            return GitContent(mode=int(entry.filemode), content=entry.data)
        return GitContent(mode=int(entry.filemode), content=str(entry.id).encode())  # another repository

    def is_folder(self, path: str) -> bool:
        import pygit2

        return isinstance(self._entry(path), pygit2.Tree)


class Objects:
    """The object store of a clone."""

    def __init__(self, folder: Path) -> None:
        import pygit2

        from blueline.kernel import refs

        found = refs.repository(os.fsencode(folder.resolve()))
        if found is None:
            raise NoRepository(
                f"{folder} is not in a git repository", hint="run this in a clone of the repository"
            )
        try:
            self._git = pygit2.Repository(os.fsdecode(found[0]))
        except (pygit2.GitError, ValueError, OSError) as error:
            raise NoRepository(f"the repository of {folder} cannot be read: {error}") from error
        self.folder = os.fsdecode(found[0])
        work = self._git.workdir
        below = os.path.relpath(folder.resolve(), os.path.realpath(work)) if work else "."
        self.prefix = "" if below == "." else f"{below}/"
        """Where the folder is, as git names it."""

    def head(self) -> str:
        """The commit that is checked out."""
        import pygit2

        try:
            return str(self._git.head.peel(pygit2.Commit).id)
        except (pygit2.GitError, KeyError, ValueError) as error:
            raise NoRepository("nothing is committed here yet", hint="make a first commit") from error

    def branch(self) -> str | None:
        """The branch that is checked out; None if there is none."""
        name: str = self._git.head.name if not self._git.head_is_unborn else ""
        return name.removeprefix("refs/heads/") if name.startswith("refs/heads/") else None

    def url(self, remote: str) -> str | None:
        """Where a remote is."""
        try:
            found: str | None = self._git.remotes[remote].url
        except (KeyError, ValueError):
            return None
        return found

    def person(self) -> Person | None:
        """Who works here, as git is told."""
        try:
            name, email = self._git.config["user.name"], self._git.config["user.email"]
        except KeyError:
            return None
        return Person(name=name, email=email) if name and email else None

    def resolve(self, name: str) -> str:
        """The commit that somebody means."""
        import pygit2

        try:
            return str(self._git.revparse_single(name).peel(pygit2.Commit).id)
        except (KeyError, ValueError, pygit2.GitError) as error:
            raise NoRepository(
                f"there is no commit {name!r} here", hint="fetch it, or name another"
            ) from error

    def subject(self, commit: str) -> str:
        """The first line of a commit's message."""
        import pygit2

        found = self._git[pygit2.Oid(hex=commit)].peel(pygit2.Commit)
        return str(found.message).partition("\n")[0]

    def has(self, commit: str) -> bool:
        return commit in self._git

    def ref(self, name: str) -> str | None:
        """The commit that a ref names."""
        found = self._git.references.get(name)
        return str(found.target) if found is not None else None

    def commit(self, commit: str) -> Commit:
        """The files of a commit."""
        import pygit2

        try:
            return Commit(self._git, self._git[pygit2.Oid(hex=commit)].peel(pygit2.Tree))
        except (KeyError, ValueError, pygit2.GitError) as error:
            raise NoRepository(f"the commit {commit[:12]} is not here", hint="fetch it") from error

    def is_inside(self, commit: str, tip: str) -> bool:
        """Whether a commit is another, or stands before it."""
        import pygit2

        if commit == tip:
            return True
        try:
            return bool(self._git.descendant_of(pygit2.Oid(hex=tip), pygit2.Oid(hex=commit)))
        except (KeyError, ValueError, pygit2.GitError):
            return False

    def changed(self, old: str, new: str) -> list[OfferedChange]:
        """What differs between two commits, file by file; renames are found by git's own rule."""
        import pygit2

        before, after = (self._git[pygit2.Oid(hex=one)].peel(pygit2.Tree) for one in (old, new))
        diff = before.diff_to_tree(after)
        diff.find_similar()
        sides = self.commit(old), self.commit(new)
        found = []
        for delta in diff.deltas:
            is_gone, is_new = delta.status_char() == "D", delta.status_char() == "A"
            path = delta.old_file.path if is_gone else delta.new_file.path
            old_path = delta.new_file.path if is_new else delta.old_file.path
            found.append(
                OfferedChange(
                    path=path,
                    old_path=old_path,
                    old=sides[0].read(old_path) if not is_new else None,
                    new=sides[1].read(path) if not is_gone else None,
                )
            )
        return found

    def differing(self, commit: str) -> list[str]:
        """Paths in the work tree that are not as in a commit, new ones included, ignored ones not."""
        import pygit2
        from pygit2.enums import DiffOption

        tree = self._git[pygit2.Oid(hex=commit)].peel(pygit2.Tree)
        flags = (
            DiffOption.INCLUDE_UNTRACKED | DiffOption.RECURSE_UNTRACKED_DIRS | DiffOption.INCLUDE_TYPECHANGE
        )
        diff = tree.diff_to_workdir(flags=flags)
        return sorted({one for delta in diff.deltas for one in (delta.old_file.path, delta.new_file.path)})

    def put(self, content: bytes) -> str:
        """Keep bytes as they are."""
        return str(self._git.create_blob(content))

    def get(self, blob: str) -> bytes:
        import pygit2

        found = self._git.get(pygit2.Oid(hex=blob))
        if not isinstance(found, pygit2.Blob):
            raise KeyError(blob)
        return found.data

    def write(
        self, parent: str, writes: Mapping[str, GitContent | None], message: str, author: Person | None = None
    ) -> str:
        """A commit with some files written or removed, and no branch on it yet."""
        import pygit2

        index = pygit2.Index()
        index.read_tree(self._git[pygit2.Oid(hex=parent)].peel(pygit2.Tree))
        try:
            for path, side in writes.items():
                if side is None:
                    index.remove(path)
                else:
                    entry = pygit2.IndexEntry(path, pygit2.Oid(hex=self.put(side.content)), _mode(side.mode))
                    index.add(entry)
            tree = index.write_tree(self._git)
        except (pygit2.GitError, OSError, ValueError, KeyError, UnicodeError) as error:
            raise CannotWrite(f"git does not take these paths: {error}") from error
        return self._commit(tree, message, [parent], author)

    def _commit(
        self, tree: pygit2.Oid, message: str, parents: list[str], author: Person | None = None
    ) -> str:
        import pygit2

        author = author or US
        names = pygit2.Signature(clean(author.name), clean(author.email)), pygit2.Signature(US.name, US.email)
        oids = [pygit2.Oid(hex=one) for one in parents]
        return str(self._git.create_commit(None, *names, message, tree, oids))

    def offer(self, commit: str) -> Offer:
        """The offer that a commit of a suggestions' ref holds."""
        import pygit2

        tree = self._git[pygit2.Oid(hex=commit)].peel(pygit2.Tree)
        try:
            record = tree[RECORD]
        except KeyError:
            record = None
        return offers.load(record.data if isinstance(record, pygit2.Blob) else b"", self.get)

    def keep_offer(self, offer: Offer, parent: str | None, message: str) -> str:
        """A commit that holds an offer, after the one before it."""
        import pygit2

        record, blobs = offers.dump(offer, self.put)
        index = pygit2.Index()
        for name, blob in {RECORD: self.put(record), **blobs}.items():
            index.add(pygit2.IndexEntry(name, pygit2.Oid(hex=blob), pygit2.enums.FileMode.BLOB))
        return self._commit(index.write_tree(self._git), message, [parent] if parent else [])

    def move_branch(self, branch: str, old: str, new: str, paths: Mapping[str, GitContent | None]) -> bool:
        """Let a branch that is checked out follow to a commit of ours; False if it has moved.

        The files hold what the commit holds already; only git's index is told.
        """
        import pygit2

        name = f"refs/heads/{branch}"
        if self.ref(name) != old:
            return False
        self._git.references[name].set_target(pygit2.Oid(hex=new), "blueline suggest")
        if self.branch() == branch:
            index = self._git.index
            for path, side in paths.items():
                if side is not None:
                    index.add(
                        pygit2.IndexEntry(path, pygit2.Oid(hex=self.put(side.content)), _mode(side.mode))
                    )
                elif path in index:
                    index.remove(path)
            index.write()
        return True


def _mode(mode: int) -> pygit2.enums.FileMode:
    from pygit2.enums import FileMode

    if mode not in MODES:
        raise ValueError(f"mode {mode:o}")
    return FileMode(mode)


def clean(text: str) -> str:
    """A name as a commit can hold it: one line, nothing that ends it early."""
    return _ODD.sub(" ", text).strip() or "unknown"
