"""The projects that are known on this machine."""

from typing import TypedDict


class KnownProjectDocument(TypedDict):
    """A project with a state folder."""

    key: str
    """The name of the state folder: what `--forget` takes, besides the folder."""
    root: str
    there: bool
    """Whether the folder is still there, and still this project."""
    bytes: int
    """How much is stored about it."""
    used: str
    """When something was last recorded."""


class KnownProjectsDocument(TypedDict):
    """The answer to `projects`."""

    projects: list[KnownProjectDocument]
    forgotten: str | None
    """The key of the one that was forgotten just now."""
