"""What git itself did to files while something ran: checking out another commit is nobody's edit."""

from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from blueline.kernel.refs import git_name
from blueline.model.file_state import Absent, FileState, Link, Regular
from blueline.model.ids import BlobId
from blueline.model.tree_look import GitMove, TreeLook
from blueline.review.medium.medium import Read

if TYPE_CHECKING:
    from blueline.workspace.repository import ProjectRepository

REMOTE, STASH = "refs/remotes/", "refs/stash"


def with_git_moves(tree: TreeLook, root: Path, read: Read) -> TreeLook:
    """A look at the tree, and which of its changes git made by going from one commit to another.

    Only what a file holds in a commit that was there before any agent counts, or that came from elsewhere.
    What is in a commit that an agent made is to be reviewed like any edit of it; what was seen of that before
    is known by its content.
    """
    if tree.refs is None:
        return tree
    before, after = (_refs(read(BlobId(name)) or b"") for name in tree.refs)
    old, new = _head(before), _head(after)
    if not old or not new:
        return tree
    if old == new:
        return _with_stash(tree, root, read, new, (before.get(STASH, ""), after.get(STASH, "")))
    from blueline.workspace.repository import ProjectRepository  # most commands never need it

    repository = ProjectRepository.of(root)
    if repository is None:
        return tree
    move = GitMove(old=old, new=new, old_branch=_branch(before), new_branch=_branch(after))
    fetched = [
        target for name, target in after.items() if name.startswith(REMOTE) and repository.was_fetched(name)
    ]
    made = set(tree.made)
    known = [*(target for target in before.values() if target not in made), *fetched]
    paths = [seen.path for seen in tree.sightings]
    in_old, in_new = repository.names_in(old, paths), repository.names_in(new, paths)
    agreed = [repository.names_in(base, paths) for base in repository.bases(new, known)]
    moved = frozenset(
        seen.path
        for seen in tree.sightings
        if any(base.get(seen.path) == in_new.get(seen.path) for base in agreed)
        and _is(seen.before, in_old.get(seen.path), read)
        and _is(seen.after, in_new.get(seen.path), read)
    )
    return replace(tree, move=move, moved=moved)


def _with_stash(tree: TreeLook, root: Path, read: Read, head: str, stashes: tuple[str, str]) -> TreeLook:
    """What a person put away with git, or took out again, before a call began."""
    if not tree.reaches or stashes[0] == stashes[1]:
        return tree
    hand = GitHand(root, read, (head, head), stashes)
    moved = frozenset(seen.path for seen in tree.sightings if hand.did(seen.path, seen.before, seen.after))
    return replace(tree, moved=moved)


class GitHand:
    """Tells whether git, and nobody else, made a file what it is: from one commit to another, or a stash."""

    def __init__(self, root: Path, read: Read, heads: tuple[str, str], stashes: tuple[str, str]) -> None:
        self._root = root
        self._read = read
        self._heads = heads
        self._stashes = stashes

    @cached_property
    def _pairs(self) -> list[tuple[str, str]]:
        """Commits that it may have gone from and to."""
        old, new = self._heads
        found = [(old, new)] if old and new and old != new else []
        if self._repository is not None and new:
            for stash in dict.fromkeys(one for one in self._stashes if one):
                for commit in self._repository.stashed_in(stash):
                    found += [(commit, new), (new, commit)]
        return found

    @cached_property
    def _repository(self) -> "ProjectRepository | None":
        from blueline.workspace.repository import ProjectRepository  # most commands never need it

        return ProjectRepository.of(self._root)

    @cached_property
    def _unseen(self) -> list[tuple[str, str]]:
        """The same for where it has been and is not any more, if nobody looked meanwhile."""
        new = self._heads[1]
        if self._repository is None or not new:
            return []
        return [(commit, new) for commit in self._repository.been_at() if commit != new]

    def did(self, path: str, before: FileState, after: FileState, *, is_known: bool = False) -> bool:
        """Whether a file was as one commit has it, and is as the other does.

        A content that `is_known` may have come back on ways that nobody saw: a commit, and a branch left.
        """
        old, new = self._heads
        if (old == new or not old) and not any(self._stashes) and not is_known:
            return False
        repository = self._repository
        return repository is not None and any(
            _is(before, repository.names_in(one, [path]).get(path), self._read)
            and _is(after, repository.names_in(other, [path]).get(path), self._read)
            for one, other in (*self._pairs, *(self._unseen if is_known else ()))
        )


def _refs(snapshot: bytes) -> dict[str, str]:
    found = {}
    for line in snapshot.decode("utf-8", "surrogateescape").splitlines():
        name, _, target = line.partition(" ")
        found[name] = target
    return found


def _branch(refs: dict[str, str]) -> str:
    head = refs.get("HEAD", "")
    return head.removeprefix("ref: refs/heads/") if head.startswith("ref: refs/heads/") else ""


def _head(refs: dict[str, str]) -> str:
    """The current commit; empty on a branch that has none yet."""
    head = refs.get("HEAD", "")
    return refs.get(head.removeprefix("ref: "), "") if head.startswith("ref: ") else head


def _is(state: FileState, name: bytes | None, read: Read) -> bool:
    """Whether a file is as a commit has it."""
    match state:
        case Absent():
            return name is None
        case Regular():
            content = read(state.blob)
        case Link():
            content = state.target.encode("utf-8", "surrogateescape")
        case _:
            return False
    return content is not None and name is not None and git_name(content, len(name)) == name
