"""What is remembered of a tree is read back as it was: all of it, or what changed since, or nothing."""

from __future__ import annotations

import marshal
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from blueline.hook import tree_index
from blueline.kernel import disk
from tests.hook.test_tree_scan import ground, put
from tests.support.ground import Ground, counts, states

__all__ = ["ground"]


def test_an_index_is_read_back_as_it_was(ground: Ground) -> None:
    put(ground, "d/a")
    put(ground, "node_modules/x")
    ground.look()
    kept = (dict(ground.index.folders.items()), ground.index.counted, ground.index.refs)
    ground.reload()
    assert (dict(ground.index.folders.items()), ground.index.counted, ground.index.refs) == kept


@pytest.mark.parametrize("many", [1, tree_index.MOST_SINCE + 1])
def test_what_changed_since_is_read_back_with_the_rest(ground: Ground, many: int) -> None:
    for number in range(2 * many):
        put(ground, f"d{number}/a")
    put(ground, "node_modules/x")
    ground.look()
    ground.reload()
    whole = Path(os.fsdecode(ground.file)).read_bytes()
    for number in range(many):
        put(ground, f"d{number}/a", b"two\n")
    (ground.root / "d0/a").unlink()
    (ground.root / "d0").rmdir()
    put(ground, "new/a")
    ground.look()
    ground.reload()
    assert (Path(os.fsdecode(ground.file)).read_bytes() == whole) == (many == 1)
    assert states(ground.index) == ground.scratch()
    put(ground, "node_modules/y")  # what is counted stands in the whole alone
    ground.look()
    ground.reload()
    assert states(ground.index) == ground.scratch()
    assert ground.check() == {}


def test_what_changed_since_another_whole_is_not_taken_in(ground: Ground) -> None:
    put(ground, "d/a")
    ground.look()
    ground.reload()
    put(ground, "d/b")
    ground.look()
    ground.reload()
    since = Path(os.fsdecode(ground.file + tree_index.SINCE)).read_bytes()
    put(ground, "node_modules/x")
    ground.look()
    ground.reload()
    Path(os.fsdecode(ground.file + tree_index.SINCE)).write_bytes(since)
    (ground.root / "d/b").unlink()
    found = tree_index.TreeIndex.load(ground.file)
    assert (states(found), counts(found)) == (states(ground.index), counts(ground.index))


def test_what_is_damaged_inside_is_said_and_left_behind(ground: Ground) -> None:
    put(ground, "d/a")
    ground.look()
    ground.reload()
    file = Path(os.fsdecode(ground.file))
    file.write_bytes(file.read_bytes().replace(b"\xa9\x04", b"\xa9\x03"))
    with tree_index.TreeIndex.open(ground.file) as ground.index, pytest.raises(OSError, match="damaged"):
        ground.look()
    assert tree_index.TreeIndex.load(ground.file).is_new


@pytest.mark.parametrize("cut", [0, 1, 7, 50, -1])
def test_an_index_that_was_cut_short_is_none(ground: Ground, cut: int) -> None:
    put(ground, "d/a")
    ground.look()
    ground.reload()
    data = Path(os.fsdecode(ground.file)).read_bytes()
    Path(os.fsdecode(ground.file)).write_bytes(data[:cut])
    assert tree_index.TreeIndex.load(ground.file).is_new


def earlier(ground: Ground, run: bytes) -> list[Any]:
    """An index as it was written before it had parts."""
    index = ground.index
    return ["blueline-tree 2", run, dict(index.folders.items()), index.counted, index.refs, index.made]


OTHERS: dict[str, Callable[[list[Any]], Any]] = {
    "another format": lambda data: ("blueline-tree 99", *data[1:]),
    "nothing": lambda data: None,
    "a number": lambda data: 5,
    "more": lambda data: (*data, 1),
    "folders of another run that do not fit": lambda data: (
        data[0],
        b"another run",
        {b"": (b"short", b"a", b"", b"")},
        *data[3:],
    ),
}


@pytest.mark.parametrize("change", OTHERS.values(), ids=OTHERS)
def test_an_index_that_is_another_one_is_none(ground: Ground, change: Callable[[list[Any]], Any]) -> None:
    put(ground, "d/a")
    ground.look()
    Path(os.fsdecode(ground.file)).write_bytes(marshal.dumps(change(earlier(ground, disk.boot()))))
    assert tree_index.TreeIndex.load(ground.file).is_new


def test_an_index_of_another_run_of_which_a_part_is_lost_is_none(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(ground, "d/a")
    ground.look()
    ground.index.folders[b"d"] = (b"short", b"a", b"", b"")
    ground.reload()
    monkeypatch.setattr(disk, "boot", lambda: b"another run")
    assert tree_index.TreeIndex.load(ground.file).is_new


@pytest.mark.parametrize("watched", [(), ((b"somebody", 5), 7)], ids=["by nobody", "by somebody"])
@pytest.mark.parametrize("run", [disk.boot(), b"another run"], ids=["this run", "another"])
def test_an_index_of_an_earlier_version_is_used(ground: Ground, watched: tuple[Any, ...], run: bytes) -> None:
    put(ground, "d/a")
    ground.look()
    kept = dict(ground.index.folders.items())
    Path(os.fsdecode(ground.file)).write_bytes(marshal.dumps((*earlier(ground, run), *watched)))
    found = tree_index.TreeIndex.load(ground.file)
    assert (found.is_new, dict(found.folders.items())) == (False, kept)
    is_known = watched and run == disk.boot()
    assert (found.watch, found.full_ns) == (watched if is_known else ((b"", 0), 0))


def test_an_index_of_the_machines_last_run_is_looked_through_and_used(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(ground, "d/a")
    ground.look()
    ground.reload()
    monkeypatch.setattr(disk, "boot", lambda: b"another run")
    found = tree_index.TreeIndex.load(ground.file)
    assert (found.is_new, found.changed) == (False, True)
    assert dict(found.folders.items()) == dict(ground.index.folders.items())
