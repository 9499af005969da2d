"""What the tests of kills, disks and damage share."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from blueline.journal.event_bytes import load_event
from blueline.journal.frames import EVENT
from blueline.kernel import disk
from blueline.model.fact import FileSeen
from blueline.model.file_state import Regular
from tests.support.project import POEM, SECOND_NS, Document, Make, Project

DAY_NS = 86_400 * SECOND_NS


HOUR_SECONDS = 3600


def edited(project: Make) -> Project:
    """Two turns; a part is decided, a part is pending, a person has typed."""
    p = project({"a.md": POEM, "b.md": POEM})
    p.prompt("first")
    p.edit("a.md", "line 3\n", "THREE\n")
    p.write("new.md", "new\n")
    p.stop()
    p.reject("new.md")
    p.prompt("second")
    p.edit("a.md", "line 9\n", "NINE\n")
    p.sub("a.md", "line 12\n", "twelve, by hand\n")
    p.edit("b.md", "line 3\n", "THREE\n")
    p.stop()
    p.accept(p.hunk("NINE"))
    return p


def facts(p: Project, kind: type) -> list[Any]:
    """All facts of a kind in the journal."""
    events = [load_event(frame.payload) for frame in p.frames() if frame.kind == EVENT]
    return [fact for event in events for fact in event.facts if isinstance(fact, kind)]


def before_blob(p: Project, path: str) -> Path:
    """The stored content of a file as it was first seen."""
    (state,) = [fact.state for fact in facts(p, FileSeen) if fact.path == path]
    assert isinstance(state, Regular)
    return p.state / "blobs" / state.blob[:2] / state.blob[2:]


def timeless(known: Document) -> Document:
    """Without what depends on when somebody looked."""
    return {
        name: [{key: value for key, value in one.items() if key != "at"} for one in listed]
        for name, listed in known.items()
    }


def blob_path(p: Project, name: str) -> Path:
    return p.state / "blobs" / name[:2] / name[2:]


def stored(p: Project, name: str) -> bool:
    return blob_path(p, name).exists()


def grow_old(p: Project, name: str) -> None:
    age(blob_path(p, name))


def age(path: Path) -> None:
    long_ago = time.time() - 48 * HOUR_SECONDS
    os.utime(path, (long_ago, long_ago))


@contextmanager
def traced(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, Any]]]:
    """What is synced (device and number of the file) and what is written to the journal, in order."""
    steps: list[tuple[str, Any]] = []
    append = disk.append

    def synced(fd: int) -> None:
        found = os.fstat(fd)
        steps.append(("synced", (found.st_dev, found.st_ino)))

    def appended(journal: bytes, data: bytes) -> int:
        steps.append(("appended", data))
        return append(journal, data)

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", synced)
        patch.setattr("posix.fsync", synced)
        patch.setattr(disk, "append", appended)
        yield steps
