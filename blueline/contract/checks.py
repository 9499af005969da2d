"""Whether what is stored holds together, and what was taken away for good."""

from typing import TypedDict


class ProblemDocument(TypedDict):
    """Something that is not as it should be."""

    what: str
    where: str
    harmless: bool


class StoredCounts(TypedDict):
    """How much is stored."""

    records: int
    blobs: int
    files: int


class CheckDocument(TypedDict):
    """The answer to `check`."""

    ok: bool
    """No problem, or only harmless ones."""
    problems: list[ProblemDocument]
    repaired: list[str]
    concerned: list[str]
    """After a repair: files of which records are lost, to be looked at and accepted; `*` for any."""
    counts: StoredCounts


class PurgeDocument(TypedDict):
    """The answer to `purge`."""

    purged: list[str]
    """Paths, those of earlier times too."""
    bytes: int
    dry_run: bool
    words: list[str]
    """Turns, calls, decisions and notes whose words may hold what was in these files."""
    words_purged: bool
    """Whether these were removed, too, or would be."""
    before: str | None
    """With `--older`: the time up to which history goes; of these files, only that. Null for whole files."""
