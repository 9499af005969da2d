"""Nothing waits for the disk: no test could see the difference, and all would wait."""

from __future__ import annotations

import os
import posix
import sqlite3
from functools import partial
from typing import Any

from blueline.journal import database
from blueline.kernel import disk

Patch = tuple[object, str, object]


class Connection(sqlite3.Connection):
    """SQLite that leaves it to the system when to write to the disk."""

    def execute(self, statement: str, /, *values: Any) -> sqlite3.Cursor:
        return super().execute(statement.replace("synchronous = normal", "synchronous = off"), *values)


def patches() -> list[Patch]:
    """What has to be set, and to what."""
    modules: list[tuple[object, str]] = [(os, "fsync"), (posix, "fsync"), (posix, "sync"), (disk, "flush")]
    connect = partial(sqlite3.connect, factory=Connection)
    return [*((module, name, _nothing) for module, name in modules), (database, "connect", connect)]


def _nothing(fd: int = -1) -> None:
    pass
