"""What hunks show of real changes: every hunk between two releases of ten packages, beside git.

`make bench-releases` downloads them, once. For each file that both releases have, the old lines of all hunks
in the place of their new ones must give the older file; and for each hunk, rejecting it must give what git
makes of the file when it takes back just what the hunk shows, and accepting it must leave nothing of it.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from blueline.model.text import as_text
from tests.support.history import History
from tests.support.shown_changes import (
    is_accepted_whole,
    rejected,
    reversed_by_git,
    shown_changes,
    without,
)

RELEASES = (
    ("flask", "2.3.3", "3.0.3"),
    ("click", "8.0.4", "8.1.7"),
    ("werkzeug", "2.3.8", "3.0.3"),
    ("jinja2", "3.0.3", "3.1.4"),
    ("itsdangerous", "2.0.1", "2.2.0"),
    ("packaging", "23.2", "24.1"),
    ("requests", "2.27.1", "2.32.3"),
    ("idna", "3.4", "3.7"),
    ("rich", "12.6.0", "13.7.1"),
    ("wheel", "0.38.4", "0.43.0"),
)
FOLDER = Path(".releases")


def main() -> None:
    """Check every pair; the exit code says whether one of them is shown as it is not."""
    with ThreadPoolExecutor(2) as pool:
        archives = [*pool.map(_downloaded, RELEASES)]
    untrue = 0
    for (name, before, after), (old, new) in zip(RELEASES, archives, strict=True):
        untrue += _compared(f"{name} {before} to {after}", _texts(old), _texts(new))
    sys.exit(1 if untrue else 0)


def _downloaded(release: tuple[str, str, str]) -> tuple[Path, Path]:
    name, before, after = release
    return _archive(name, before), _archive(name, after)


def _archive(name: str, version: str) -> Path:
    folder = FOLDER / f"{name}-{version}"
    if not folder.is_dir():
        asked = ["download", "-qq", "--no-deps", "--no-binary", ":all:", "--dest", str(folder)]
        subprocess.run([sys.executable, "-m", "pip", *asked, f"{name}=={version}"], check=True)
    return next(folder.iterdir())


def _texts(archive: Path) -> dict[str, str]:
    """The text files of a release, by their paths in it."""
    found: dict[str, str] = {}
    with tarfile.open(archive) as members:
        for member in members:
            stream = members.extractfile(member) if member.isfile() else None
            text = None if stream is None else as_text(stream.read())
            if text is not None:
                found[member.name.partition("/")[2]] = text
    return found


def _compared(about: str, old: dict[str, str], new: dict[str, str]) -> int:
    started = time.perf_counter()
    files = hunks = 0
    untrue: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(old.keys() & new.keys()):
            if old[path] == new[path]:
                continue
            files += 1
            for count, wrong in _checked(Path(folder), old[path], new[path]):
                hunks += count
                untrue += [f"{path}: {wrong}"] if wrong else []
    seconds = time.perf_counter() - started
    print(
        f"{about:<36}{files:>5} files {hunks:>6} hunks {len(untrue):>4} untrue {seconds:>7.1f} s", flush=True
    )
    for line in untrue:
        print(f"    {line}")
    return len(untrue)


def _checked(folder: Path, before: str, after: str) -> Iterator[tuple[int, str]]:
    """For the file, then for each hunk: how many hunks this is about, and what is wrong with it."""
    history = History(before)
    history.agent(after)
    changes = shown_changes(history.file)
    try:
        whole = without(before, after, changes) == before
    except AssertionError as error:
        yield 0, str(error)
        return
    yield 0, "" if whole else "the old lines in the place of the new do not give the older file"
    for change in changes:
        if not is_accepted_whole(history.file, change.hunk):
            yield 1, f"line {change.new.start + 1}: accepting it leaves a part of it undecided"
        elif change.hunk.endings:
            yield 1, ""
        elif reversed_by_git(folder, after, change) != rejected(history.file, change.hunk):
            yield 1, f"line {change.new.start + 1}: git takes back something else"
        else:
            yield 1, ""


if __name__ == "__main__":
    main()
