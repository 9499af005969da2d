"""What recording needs of the machine: the state folder, space, a clock, a readable repository, a watcher."""

from __future__ import annotations

import os
import shutil
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from blueline.errors import BluelineError
from blueline.journal.frames import OBSERVATION, Frame
from blueline.journal.log import Journal
from blueline.journal.observation import parse
from blueline.kernel import disk, refs

LEAST_FREE = 200 << 20
"""Bytes. With less, the next recordings may be the last."""
LARGEST_SKEW_NS = 120 * 10**9
"""How far in the future a record may be: clocks of two machines differ."""


class Condition(NamedTuple):
    """How one thing stands."""

    about: str
    ok: bool
    says: str
    hint: str = ""


def looked_at(root: Path, state: Path) -> Iterator[Condition]:
    """Everything, one after the other."""
    yield folder(state)
    yield space(state)
    yield clock(state, time.time_ns())
    yield repository(root)
    yield watcher()


def folder(state: Path) -> Condition:
    """Whether the state folder is there, ours alone, and can be written to."""
    try:
        found = os.stat(state)
        disk.place(os.fsencode(state / "doctor"), b"", os.fsencode(state / "blobs" / "tmp"))
        os.unlink(state / "doctor")
    except FileNotFoundError:
        return Condition("state", False, f"there is no state folder at {state}", "blueline init")
    except OSError as error:
        says = f"the state folder {state} cannot be written to: {error.strerror}"
        return Condition("state", False, says, "check its owner and its permissions")
    if found.st_uid != os.geteuid():
        says = f"the state folder {state} belongs to somebody else"
        return Condition("state", False, says, f"chown -R {os.geteuid()} {state}")
    if stat.S_IMODE(found.st_mode) & 0o077:
        return Condition("state", False, f"others can read the state folder {state}", f"chmod 700 {state}")
    return Condition("state", True, f"the state is kept in {state}")


def space(state: Path) -> Condition:
    """Whether there is room for more records."""
    try:
        free = shutil.disk_usage(state).free
    except OSError as error:
        return Condition("disk", False, f"the free space cannot be asked for: {error.strerror}")
    says = f"{free / (1 << 30):.1f} GB are free for it"
    return Condition("disk", free >= LEAST_FREE, says, "" if free >= LEAST_FREE else "make room")


def clock(state: Path, now_ns: int) -> Condition:
    """Whether the clock runs on: the order of records does not need it, but what people read does."""
    last = 0
    for found in Journal(state / "journal").read():
        if isinstance(found, Frame) and found.kind == OBSERVATION:
            try:
                last = max(last, parse(found.payload).at_ns)
            except BluelineError:
                continue
    if last > now_ns + LARGEST_SKEW_NS:
        says = f"the clock is {(last - now_ns) // 10**9:,} seconds behind the last record"
        return Condition("clock", False, says, "set the clock")
    return Condition("clock", True, "the clock is not behind the records")


def repository(root: Path) -> Condition:
    """Whether git's repository can be read. Git itself is not started."""
    if refs.repository(os.fsencode(root)) is None:
        return Condition("git", True, "there is no git repository here, which only the gate needs")
    from blueline.workspace.work_tree import WorkTree  # it loads libgit2

    try:
        tree = WorkTree(root)
        tree.head()
    except BluelineError as error:
        return Condition("git", False, str(error), error.hint)
    return Condition("git", True, "git's repository can be read")


def watcher() -> Condition:
    """Whether `blueline watch` and the page hear of changes at once."""
    limit = Path("/proc/sys/fs/inotify/max_user_watches")
    try:
        import watchfiles  # noqa: F401

        most = int(limit.read_text()) if limit.exists() else 0
    except (ImportError, OSError, ValueError) as error:
        return Condition("watcher", False, f"changes are not watched: {error}", "pip install watchfiles")
    bound = f", in {most:,} folders at most" if most else ""
    return Condition("watcher", True, f"changes are watched{bound}")
