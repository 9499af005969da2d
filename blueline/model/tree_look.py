"""What a look at the whole tree saw."""

from dataclasses import dataclass

from blueline.model.file_state import FileState


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """One path, as it was at the look before and as it is at this one."""

    path: str
    before: FileState
    after: FileState


@dataclass(frozen=True, slots=True, kw_only=True)
class GitMove:
    """The current commit became another one."""

    old: str
    new: str
    old_branch: str
    """Empty when no branch was checked out."""
    new_branch: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeLook:
    """What changed since the look before, and who may have done it besides the calls that are open."""

    sightings: tuple[Sighting, ...] = ()
    counted: tuple[tuple[str, int, int], ...] = ()
    """Folders that are not itemised in which files came or went, with their number before and after."""
    closed: tuple[str, ...] = ()
    """Folders that could not be looked into."""
    unknown: str = ""
    """Why nothing could be looked at; empty if it could."""
    is_first: bool = False
    """There was no look before this one: what changed until now is not known."""
    reaches: bool = False
    """A call begins that may change anything."""
    refs: tuple[str, str] | None = None
    """The blobs that say where git's branches stood before and stand now, if that changed."""
    made: tuple[str, ...] = ()
    """Commits that agents had made by then, as far as branches were moved to them."""
    process: tuple[int, int] | None = None
    """The agent, when a call begins: process number and start."""
    dead: frozenset[tuple[int, int]] = frozenset()
    """Agents with open calls that are no more."""
    left: tuple[str, ...] = ()
    """Keys of calls that have ended, but had left a process behind that ran at the look before."""
    stays: int = 0
    """How many processes the call that ends leaves behind."""
    move: GitMove | None = None
    moved: frozenset[str] = frozenset()
    """Paths that are now as git has them in the new commit, and were as it had them in the old one."""
