"""What stands at a path."""

from dataclasses import dataclass

from blueline.model.ids import BlobId


@dataclass(frozen=True, slots=True, kw_only=True)
class Regular:
    """A file with content."""

    mode: int
    """Permission bits only."""
    size: int
    blob: BlobId


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A symbolic link, not followed."""

    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Absent:
    """Nothing stands at the path."""

    missing_folder: str = ""
    """The first folder on the way that does not exist either, relative to the root; empty if all do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """A folder with nothing in it. One that holds something is there because of what it holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Other:
    """A pipe, a socket, a device: never opened."""

    mode: int
    """All of `st_mode`: its upper bits say which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """Could not be looked at, which is not the same as absent or unchanged."""

    why: str


FileState = Regular | Link | Folder | Absent | Other | Unknown
