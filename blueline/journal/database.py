"""The index's file: opened, made, thrown away, and its errors in our own words."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from blueline.errors import BluelineError


class IndexDamaged(Exception):
    """The index cannot be read, or is of another version."""


@contextmanager
def translated() -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        if "readonly" in str(error) or "disk" in str(error) or "full" in str(error):
            raise IndexUnwritable(
                f"cannot write the index: {error}",
                hint="free some space or check the permissions of the state folder",
            ) from error
        raise IndexDamaged(str(error)) from error
    except sqlite3.Error as error:
        raise IndexDamaged(str(error)) from error


class IndexUnwritable(BluelineError):
    """The disk is full, or closed to us."""


def remove(path: Path) -> None:
    """Delete an index with all that SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def connect(path: Path, schema: str, known: int) -> sqlite3.Connection:
    """Open the file; make it, with a schema of the version `known`, if it is not there."""
    if not path.exists():
        # What an earlier one left beside it would be played back into the new one.
        remove(path)
    with translated():
        try:
            os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW, 0o600))
        except OSError as error:
            raise IndexUnwritable(
                f"cannot write the index: {error.strerror}",
                hint=f"check the permissions of {path.parent}",
            ) from error
        connection = sqlite3.connect(path, isolation_level=None)
        try:
            connection.execute("pragma synchronous = normal")
            (version,) = connection.execute("pragma user_version").fetchone()
            if version == 0:
                connection.executescript(f"begin; {schema} pragma user_version = {known}; commit;")
            elif version != known:
                raise IndexDamaged(f"made by another version ({version})")
        except BaseException:
            connection.close()
            raise
    return connection
