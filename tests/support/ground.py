"""A folder that is looked at again and again, in memory: what a look says, and what it should say."""

from __future__ import annotations

import os
import posix
import shutil
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from blueline.hook import tree_index, tree_scan
from blueline.kernel import counting_rules, disk, sight

Entries = dict[bytes, tuple[bytes, bytes]]
"""State before and after, by path; of a folder that came or went, without saying with which other one."""

RULES = counting_rules.CountingRules(counting_rules.DEPENDENCIES, (), 1 << 20)

LATER_NS = 10**12
"""So long after it was written, no file is too young for its signature to be trusted."""


class Stat(NamedTuple):
    """What a coarse file system says of a file."""

    st_dev: int
    st_mode: int
    st_ino: int
    st_size: int
    st_mtime_ns: int
    st_ctime_ns: int


class Ground:
    """A tree, and the index that remembers it."""

    def __init__(self, base: Path, *, may_fork: bool = False) -> None:
        self._may_fork = may_fork
        self.root = base / "tree"
        self.root.mkdir()
        self.file = os.fsencode(base / "index")
        self.index = tree_index.TreeIndex()
        self.blobs: dict[str, bytes] = {}
        self._probe = base / "probe"

    def put(self, content: bytes) -> str:
        name = disk.blob_id(content)
        self.blobs[name] = content
        return name

    def look(self, put: Callable[[bytes], str] | None = None) -> tree_scan.TreeScan:
        """Look once more, from what is remembered."""
        found = tree_scan.TreeScan(
            os.fsencode(self.root),
            self.index,
            RULES,
            put or self.put,
            self.is_counted,
            may_fork=self._may_fork,
        )
        found.run()
        self.index.is_new = False
        return found

    @staticmethod
    def is_counted(path: bytes, name: bytes) -> bool:
        return name in RULES.dependencies

    def reload(self) -> None:
        """What is remembered goes to a file and comes back."""
        self.index.save(self.file, os.path.dirname(self.file))
        self.index = tree_index.TreeIndex.load(self.file)
        assert not self.index.is_new

    def disorder(self) -> None:
        """The same is remembered, innermost folders first."""
        rows = sorted(self.index.folders.items(), reverse=True)
        for path, _ in rows:
            del self.index.folders[path]
        for path, row in rows:
            self.index.folders[path] = row

    def check(self, *, put: Callable[[bytes], str] | None = None) -> Entries:
        """Look: what is said is what differs, and what is remembered is what a first look finds (R12)."""
        before, counted = states(self.index), [*self.index.counted]
        found = self.look(put)
        after = states(self.index)
        assert after == self.scratch()
        assert entries(found) == differences(
            before, after, [*before, *counted], [*after, *self.index.counted]
        )
        return entries(found)

    def scratch(self) -> dict[bytes, bytes]:
        """What somebody who remembers nothing finds."""
        index = tree_index.TreeIndex()
        tree_scan.TreeScan(os.fsencode(self.root), index, RULES, self.put, self.is_counted).run()
        assert counts(index) == counts(self.index)
        return states(index)

    def tick(self) -> None:
        """Wait until what is written now gets another time than what was written before."""
        self._probe.write_bytes(b"")
        then = self._probe.stat().st_ctime_ns
        while self._probe.stat().st_ctime_ns == then:
            self._probe.write_bytes(b"")

    @contextmanager
    def trusting(self) -> Iterator[None]:
        """Signatures are believed, however young a file is: as if each look came long after a write."""
        clock = time.time_ns
        with patch.object(time, "time_ns", lambda: clock() + LATER_NS):
            yield


@contextmanager
def coarse(tick_ns: int) -> Iterator[None]:
    """A file system whose clock is slow: times are whole multiples of a tick."""

    def slow(call: Callable[..., os.stat_result]) -> Callable[..., Stat]:
        def looked(*arguments: object, **options: object) -> Stat:
            found = call(*arguments, **options)
            times = (found.st_mtime_ns, found.st_ctime_ns)
            rounded = [at - at % tick_ns for at in times]
            return Stat(found.st_dev, found.st_mode, found.st_ino, found.st_size, *rounded)

        return looked

    with patch.object(posix, "lstat", slow(posix.lstat)), patch.object(posix, "fstat", slow(posix.fstat)):
        yield


def states(index: tree_index.TreeIndex) -> dict[bytes, bytes]:
    """What is remembered, by path; folders that hold nothing are there, too."""
    found = {}
    outer = {path.rpartition(b"/")[0] for path in (*index.folders, *index.counted) if path}
    for folder, (_, names, kept, held) in index.folders.items():
        assert len(kept) == tree_index.WIDTH * len(tree_index.split(names))
        for name, state in zip(tree_index.split(names), tree_index.split(held), strict=True):
            found[tree_index.join(folder, name)] = tree_scan.plain(state)
        if folder and not names and folder not in outer:
            found[folder] = b"folder"
    return found


def counts(index: tree_index.TreeIndex) -> dict[bytes, int]:
    return {path: sum(count for _, count in known.values()) for path, known in index.counted.items()}


def entries(found: tree_scan.TreeScan) -> Entries:
    """What a look says has changed. Where a folder gave way to a file, or the other way, both are said."""
    said: Entries = {}
    for path, before, after in found.entries:
        pair = plain(before), plain(after)
        if path in said:
            first, last = (said[path], pair) if pair[0] == b"absent" else (pair, said[path])
            assert first[1] == last[0] == b"absent", path
            pair = first[0], last[1]
        said[path] = pair
    return said


def plain(state: bytes) -> bytes:
    return b"absent" if state.startswith(b"absent") else state


def differences(
    before: dict[bytes, bytes], after: dict[bytes, bytes], there: list[bytes], here: list[bytes]
) -> Entries:
    """What should be said, with what was there and what is, counted folders too. That a folder is not empty
    any more is said by what is in it."""
    found = {}
    for path in before.keys() | after.keys():
        pair = before.get(path, b"absent"), after.get(path, b"absent")
        if pair[0] == pair[1]:
            continue
        if pair == (b"folder", b"absent") and any(other.startswith(path + b"/") for other in here):
            continue
        if pair == (b"absent", b"folder") and any(other.startswith(path + b"/") for other in there):
            pair = tree_scan.EMPTIED, b"folder"
        found[path] = pair
    return found


def state_of(ground: Ground, path: str) -> bytes:
    """What stands at a path, looked at by itself."""
    state, _ = sight.look(os.fsencode(ground.root), os.fsencode(path), ground.put, RULES.largest)
    return state.removeprefix(b"state ")


def remove(place: Path) -> None:
    """Whatever stands there goes."""
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)


def keep_times(place: Path, write: Callable[[], object]) -> None:
    """Change a file, and give it back the times of its content."""
    found = place.lstat()
    write()
    if not stat.S_ISLNK(place.lstat().st_mode):
        os.utime(place, ns=(found.st_atime_ns, found.st_mtime_ns))
