"""Settings of one machine stay out of git: their path stands in `info/exclude`, which nobody commits.

They name this machine's Python; in a commit they would be everybody's.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from blueline.kernel import refs

WHY = b"# Blueline: hooks of this machine only\n"


def exclude(root: Path, path: Path) -> None:
    """Have git overlook a file of the project."""
    found = _file(root)
    if found is None:
        return
    now = _read(found)
    line = _line(root, path)
    if line in now.splitlines(keepends=True):
        return
    gap = b"" if not now or now.endswith(b"\n") else b"\n"
    found.parent.mkdir(exist_ok=True)
    found.write_bytes(now + gap + WHY + line)


def include(root: Path, path: Path) -> None:
    """Take back what `exclude` did."""
    found = _file(root)
    if found is None:
        return
    now = _read(found)
    rest = now.replace(WHY + _line(root, path), b"")
    if rest != now:
        found.write_bytes(rest)


def _line(root: Path, path: Path) -> bytes:
    return b"/" + os.fsencode(path.relative_to(root).as_posix()) + b"\n"


def _file(root: Path) -> Path | None:
    """The file of the repository whose top the project is; None if there is none that is safe to write."""
    if not (root / ".git").exists():
        return None
    repository = refs.repository(os.fsencode(root))
    if repository is None:
        return None
    shared = Path(os.fsdecode(repository[1]))
    # A file called .git may name any folder.
    if not ((shared / "HEAD").is_file() and (shared / "objects").is_dir()):
        return None
    found = shared / "info" / "exclude"
    try:
        return found if stat.S_ISREG(found.lstat().st_mode) else None
    except FileNotFoundError:
        return found


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
