"""The file that says which temporary files a batch of writes has made, should nobody be left to remove them.

It is on disk before the first of them is, and goes after the last.
"""

import contextlib
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from blueline.hook import disk
from blueline.model.file_state import Absent, FileState, Folder, Link, Other, Regular, Unknown
from blueline.workspace.steps import WriteStep

VERSION = 1
READY = b"ready\n"
"""The second line, once every temporary file is complete: what stands under their names from then on can be
somebody else's."""

# Names on disk outlive names in code: rename the class, never the key.
STORED: dict[str, type[FileState]] = {
    "file": Regular,
    "link": Link,
    "folder": Folder,
    "absent": Absent,
    "other": Other,
    "unknown": Unknown,
}
KEYS = {state: key for key, state in STORED.items()}


class BatchRecord(NamedTuple):
    """What a batch was about to do."""

    steps: list[WriteStep]
    folders: list[str]
    """Those it makes, outermost first."""
    is_ready: bool


def write(file: Path, steps: Iterable[WriteStep], folders: Sequence[str]) -> None:
    document = {
        "version": VERSION,
        "folders": list(folders),
        "steps": [
            {
                "path": step.path,
                "temporary": step.temporary,
                "before": [KEYS[type(step.before)], asdict(step.before)],
                "after": [KEYS[type(step.after)], asdict(step.after)],
            }
            for step in steps
        ],
    }
    _write(file, os.O_CREAT | os.O_EXCL, json.dumps(document).encode("ascii") + b"\n")
    disk.sync_folder(os.fsencode(file.parent.absolute()))


def mark_ready(file: Path) -> None:
    _write(file, os.O_APPEND, READY)


def read(file: Path) -> BatchRecord | None:
    """None if there is none, or it was not written to its end: then nothing else was done either."""
    try:
        document, end, rest = file.read_bytes().partition(b"\n")
    except FileNotFoundError:
        return None
    try:
        return _parse(document, rest) if end else None
    except (ValueError, KeyError, TypeError):  # a power cut came before it was all on disk
        return None


def remove(file: Path) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(file)


def _parse(document: bytes, rest: bytes) -> BatchRecord:
    fields = json.loads(document)
    steps = [
        WriteStep(
            path=step["path"],
            temporary=step["temporary"],
            before=_state(*step["before"]),
            after=_state(*step["after"]),
        )
        for step in fields["steps"]
    ]
    return BatchRecord(steps, fields["folders"], rest == READY)


def _state(key: str, fields: dict[str, Any]) -> FileState:
    return STORED[key](**fields)


def _write(file: Path, flags: int, data: bytes) -> None:
    fd = os.open(file, os.O_WRONLY | os.O_NOFOLLOW | flags, 0o600)
    try:
        disk.write_whole(fd, data)
        os.fsync(fd)
    finally:
        os.close(fd)
