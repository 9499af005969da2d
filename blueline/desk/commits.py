"""What a person has committed of what is undecided (rule D3).

A commit that appears outside any call, with a change exactly as it stands in the file, counts as a look at
it. Looked for when git's current commit is another one than it was; which one it is, two small files tell.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from blueline.diff.edits import split_lines
from blueline.diff.sequences import Change, changes
from blueline.hook.tree_index import TreeIndex
from blueline.model.answer import PENDING
from blueline.model.fact import CommitsSeen
from blueline.model.ids import BlobId
from blueline.model.piece import Piece
from blueline.review.deciding.hunks import IN_TEXT, Hunk, commit_of, hunks
from blueline.review.deciding.relations import is_asked_about
from blueline.review.deciding.sides import Side, Sides, sides_of
from blueline.review.file import File
from blueline.review.medium.choice import medium_of, on_disk

if TYPE_CHECKING:
    from blueline.desk.project_store import Store
    from blueline.workspace.repository import CommittedFile, MadeCommit, ProjectRepository

EXECUTABLE = 0o111


def take_in(store: Store, head: str, stash: str) -> dict[str, dict[int, list[Piece]]]:
    """Write down what was committed since the last look: by commit, the pieces of each file.

    Git's current commit and its stash are these.
    """
    known = store.ledger.git
    if not head or (head, stash) == known:
        return {}
    from blueline.workspace.repository import ProjectRepository  # most commands never need it

    repository = ProjectRepository.of(store.root)
    if repository is None:
        return {}
    found = [*_Committed(store, repository, head).found()] if head != known.head else []
    store.record([CommitsSeen(head=head, stash=stash, committed=tuple(found))])
    store.save()
    pieces: dict[str, dict[int, list[Piece]]] = {}
    for number, commit, these in found:
        if commit:
            pieces.setdefault(commit, {}).setdefault(number, []).extend(these)
    return pieces


class _Committed:
    def __init__(self, store: Store, repository: ProjectRepository, head: str) -> None:
        self._store = store
        self._repository = repository
        self._head = head
        self._made: list[MadeCommit] | None = None
        self._known: dict[tuple[str, int], list[Change]] = {}

    def found(self) -> Iterator[tuple[int, str, tuple[Piece, ...]]]:
        """For each file with something undecided: what is in which commit, or in none any more."""
        store = self._store
        for number in store.index.files.numbers(undecided=True):
            file = store.ledger.file(number)
            if file is None:
                continue
            by_commit: dict[str, list[Piece]] = {}
            for hunk, commit in self._of(file):
                by_commit.setdefault(commit, []).extend(hunk.pieces)
            for commit, pieces in by_commit.items():
                yield number, commit, tuple(pieces)

    def _of(self, file: File) -> Iterator[tuple[Hunk, str]]:
        undecided = [
            hunk
            for hunk in hunks(file, self._store.ledger.counters.salt)
            if hunk.state == PENDING and hunk.listed and is_asked_about(hunk)
        ]
        sides = sides_of(file)
        for hunk in undecided:
            commit = self._commit_with(file, hunk, sides)
            known = commit_of(file, hunk)
            if commit:
                yield hunk, commit
            elif known and not self._repository.leads_to(known, self._head):
                yield hunk, ""

    def _commit_with(self, file: File, hunk: Hunk, sides: Sides) -> str:
        """The last commit that brought a hunk as it stands in the file."""
        for commit in reversed(self._commits()):
            if self._has(commit.name, file, hunk, sides) and not any(
                self._has(parent, file, hunk, sides) for parent in commit.parents
            ):
                return commit.name
        return ""

    def _commits(self) -> list[MadeCommit]:
        """Those that people made since the last look, oldest first."""
        if self._made is None:
            known = self._store.ledger.git.head
            tree = TreeIndex.load(os.fsencode(self._store.state) + b"/tree")
            by_agents = [name.decode("ascii", "replace") for name in tree.made if name != self._head.encode()]
            earlier = [*by_agents, *([known] if known else [])]
            since = 0.0 if known else self._first_call()
            self._made = (
                []
                if self._head.encode() in tree.made
                else self._repository.made_since(self._head, earlier, since)
            )
        return self._made

    def _first_call(self) -> float:
        """When the first call began: nothing that was committed before it can hold an agent's work."""
        first = self._store.ledger.call(1)
        try:
            return int(datetime.fromisoformat(first.started).timestamp()) if first is not None else 0.0
        except ValueError:
            return 0.0

    def _has(self, commit: str, file: File, hunk: Hunk, sides: Sides) -> bool:
        """Whether a commit has what a hunk makes of the file."""
        live = file.live
        committed = self._repository.content_in(commit, live.path)
        if hunk.kind == "delete" or live.node.kind == "absent":
            return committed is None
        if committed is None:
            return False
        if hunk.kind == "mode":
            return bool(committed.mode & EXECUTABLE) == bool(live.mode & EXECUTABLE)
        if hunk.kind == "rename":
            return self._repository.content_in(commit, file.baseline.path) is None
        if hunk.kind in (*IN_TEXT, "create") and live.text is not None:
            found = self._differences(commit, file, committed)
            return found is not None and not _touch(found, *sides.of(hunk))
        return self._is_same(file, committed)

    def _differences(self, commit: str, file: File, committed: CommittedFile) -> list[Change] | None:
        """The lines of a file that a commit has otherwise; None if it is something else there."""
        known = self._known.get((commit, file.number))
        if known is None:
            medium = medium_of(file.live.node)
            text = medium.read(committed.content) if medium is not None else None
            if text is None:
                return None
            known = changes(split_lines(file.live.text or ""), split_lines(text))
            self._known[commit, file.number] = known
        return known

    def _is_same(self, file: File, committed: CommittedFile) -> bool:
        """Whether a commit has the bytes of a file as they are."""
        live = file.live
        if live.node.kind == "link":
            return committed.content == os.fsencode(str(live.node.value))
        if live.node.kind == "bytes":
            return committed.content == self._store.read(BlobId(str(live.node.value)))
        return committed.content == on_disk(live, self._store.read)


def _touch(differences: list[Change], old: Side, new: Side) -> bool:
    """Whether differences between the file and a commit have to do with the lines that a hunk shows."""
    # What a hunk took away may stand again at the edge of what it shows.
    edges = old.end > old.start
    return any(
        (start <= new.end and new.start <= end) if edges else (start < new.end and new.start < end)
        for start, end, _, _ in differences
    )
