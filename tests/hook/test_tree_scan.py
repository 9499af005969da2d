"""A look at the tree says exactly what changed since the one before, and remembers what is there."""

from __future__ import annotations

import errno
import os
import posix
import shutil
import signal
import tempfile
import time
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blueline.hook import tree_scan
from blueline.kernel import disk
from tests.support.ground import Ground, coarse, counts, keep_times, remove, state_of, states


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path)


def put(ground: Ground, path: str, content: bytes = b"one\n", mode: int = 0o644) -> Path:
    place = ground.root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)
    place.chmod(mode)
    return place


# Random trees and changes

PATHS = st.sampled_from(
    (
        "a",
        "b",
        "d/a",
        "d/b",
        "d/e/a",
        "d/e/f/g",
        "h/i",
        "node_modules/p/q",
        "d/node_modules/x",
        "d",
        "h",
        "d/e",
    )
)
CONTENTS = st.sampled_from((b"", b"one\n", b"two\n", b"six\n", b"\0\xff", b"longer than that\n"))
MODES = st.sampled_from((0o644, 0o600, 0o755))

Step = tuple[str, str, str, bytes, int]
STEPS = st.tuples(
    st.sampled_from(
        (
            *("write", "write", "rewrite", "same-times", "swap-in", "remove", "move", "move", "exchange"),
            *("mkdir", "link", "hard-link", "mode", "touch", "pipe", "reload", "disorder", "look", "look"),
        )
    ),
    PATHS,
    PATHS,
    CONTENTS,
    MODES,
)


def make_way(root: Path, path: str) -> Path:
    """Make room for something at a path: what stands on the way to it, or there, goes."""
    place = root
    for name in path.split("/")[:-1]:
        place = place / name
        if place.is_symlink() or not place.is_dir():
            remove(place)
            place.mkdir()
    remove(root / path)
    return root / path


def take(ground: Ground, step: Step) -> None:
    """Change something, if it can be."""
    what, path, other, content, mode = step
    place, second = ground.root / path, ground.root / other
    is_file = place.is_file() and not place.is_symlink()
    match what:
        case "write":
            make_way(ground.root, path).write_bytes(content)
        case "rewrite" if is_file:
            place.write_bytes(content)
        case "same-times" if is_file:
            keep_times(place, lambda: place.write_bytes(bytes(reversed(place.read_bytes()))))
        case "swap-in" if is_file:
            fresh = place.with_name("fresh")
            fresh.write_bytes(bytes(reversed(place.read_bytes())))
            shutil.copystat(place, fresh)
            fresh.rename(place)
        case "remove" if os.path.lexists(place):
            remove(place)
        case "move" if os.path.lexists(place) and not f"{other}/".startswith(f"{path}/"):
            held = ground.root.parent / "held"
            place.rename(held)
            held.rename(make_way(ground.root, other))
        case "exchange" if os.path.lexists(place) and os.path.lexists(second):
            if not f"{other}/".startswith(f"{path}/") and not f"{path}/".startswith(f"{other}/"):
                held = ground.root.parent / "held"
                place.rename(held)
                second.rename(place)
                held.rename(second)
        case "mkdir":
            make_way(ground.root, path).mkdir()
        case "link":
            make_way(ground.root, path).symlink_to(other)
        case "hard-link" if second.is_file() and not second.is_symlink() and not place.exists():
            if not f"{path}/".startswith(f"{other}/"):
                os.link(second, make_way(ground.root, path))
        case "mode" if is_file:
            place.chmod(mode)
        case "touch" if os.path.lexists(place):
            os.utime(place, ns=(0, mode * 10**12), follow_symlinks=False)
        case "pipe":
            os.mkfifo(make_way(ground.root, path))
        case "reload":
            ground.look()
            ground.reload()
        case "disorder":
            ground.disorder()
        case _:
            pass


def walk(ground: Ground, steps: list[Step]) -> None:
    ground.look()
    for step in steps:
        take(ground, step)
        if step[0] == "look":
            ground.check()
            ground.tick()
    ground.check()
    assert ground.look().entries == []


@settings(max_examples=max(200, settings().max_examples))
@given(steps=st.lists(STEPS, min_size=3, max_size=30))
def test_r12_what_is_remembered_is_what_a_first_look_finds(steps: list[Step]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        walk(Ground(Path(folder)), steps)


@settings(max_examples=max(200, settings().max_examples))
@given(steps=st.lists(STEPS, min_size=3, max_size=30))
def test_r12_signatures_that_are_trusted_tell_every_change(steps: list[Step]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        ground = Ground(Path(folder))
        with ground.trusting():
            ground.look()
            ground.tick()
            for step in steps:
                take(ground, step)
                if step[0] in ("look", "reload"):
                    ground.check()
                    ground.tick()
            ground.check()
            assert ground.look().entries == []


@settings(max_examples=max(60, settings().max_examples))
@given(steps=st.lists(STEPS, min_size=3, max_size=12), workers=st.sampled_from((1, 2, 4)))
def test_r12_processes_that_share_a_look_find_what_one_does(steps: list[Step], workers: int) -> None:
    """Also of few folders, so that each process has a share of one or two, the root's among them."""
    with (
        tempfile.TemporaryDirectory() as folder,
        patch.multiple(tree_scan, FEW_FOLDERS=0, MOST_WORKERS=workers),
        patch.object(posix, "cpu_count", lambda: workers),
    ):
        ground = Ground(Path(folder), may_fork=True)
        with ground.trusting():
            walk(ground, steps)


def test_r12_a_process_that_is_killed_at_its_share_loses_nothing(tmp_path: Path) -> None:
    sharing = Ground(tmp_path, may_fork=True)
    for name in ("a", "d/b", "h/i"):
        put(sharing, name)
    with (
        sharing.trusting(),
        patch.object(tree_scan, "FEW_FOLDERS", 0),
        patch.object(disk, "write_whole", lambda fd, data: os.kill(os.getpid(), signal.SIGKILL)),
    ):
        sharing.look()
        sharing.tick()
        put(sharing, "a", b"two\n")
        assert set(sharing.check()) == {b"a"}


@settings(max_examples=max(100, settings().max_examples))
@given(steps=st.lists(STEPS, max_size=15), tick_ns=st.sampled_from((4_000_000, 10**9, 2 * 10**9)))
def test_r12_a_file_system_with_a_slow_clock(steps: list[Step], tick_ns: int) -> None:
    with tempfile.TemporaryDirectory() as folder, coarse(tick_ns):
        ground = Ground(Path(folder))
        ground.look()
        for step in steps:  # a look after each: many within one tick
            take(ground, step)
            ground.check()


# Times that say nothing


def test_x11_a_rewrite_of_the_same_size_in_the_same_tick_is_seen(ground: Ground) -> None:
    with coarse(10**9):
        for number in range(20):
            put(ground, "a", b"%02d\n" % number)
            ground.check()
            assert b"%02d\n" % number in ground.blobs.values()


def test_x11_what_is_rewritten_while_a_long_look_goes_on_is_seen_by_the_next(ground: Ground) -> None:
    """The look began long ago when it comes to a file; that file is written once more in the same tick."""
    with coarse(10**7):
        put(ground, "a", b"a\n")
        put(ground, "b", b"b\n")
        ground.look()
        clock, late = time.time_ns, 0

        def store(content: bytes) -> str:
            nonlocal late
            late = 10**8  # as if reading the first had taken that long
            if content == b"B\n":
                before = os.lstat(ground.root / "b")
                put(ground, "b", b"X\n")
                os.utime(ground.root / "b", ns=(before.st_atime_ns, before.st_mtime_ns))
            return ground.put(content)

        put(ground, "a", b"A\n")
        put(ground, "b", b"B\n")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(time, "time_ns", lambda: clock() - 10**8 + late)
            ground.look(store)
        assert state_of(ground, "b") in ground.check()[b"b"]


def test_x11_a_file_replaced_by_one_with_its_times_and_size(ground: Ground) -> None:
    with ground.trusting():
        place = put(ground, "a", b"one\n")
        ground.look()
        ground.tick()
        fresh = put(ground, "fresh", b"two\n")
        shutil.copystat(place, fresh)
        fresh.rename(place)
        assert ground.check()[b"a"][1] == state_of(ground, "a")


def test_x11_folders_that_change_places(ground: Ground) -> None:
    with ground.trusting():
        for folder, content in (("one", b"1\n"), ("two", b"2\n")):
            put(ground, f"{folder}/deep/a", content)
            os.utime(ground.root / folder / "deep/a", ns=(0, 0))
            os.utime(ground.root / folder / "deep", ns=(0, 0))
        ground.look()
        ground.tick()
        (ground.root / "one").rename(ground.root / "held")
        (ground.root / "two").rename(ground.root / "one")
        (ground.root / "held").rename(ground.root / "two")
        assert set(ground.check()) == {b"one/deep/a", b"two/deep/a"}


@pytest.mark.parametrize("may_fork", [False, True])
def test_z54_a_folder_is_found_emptied_in_whichever_order_folders_are_remembered(
    tmp_path: Path, may_fork: bool
) -> None:
    ground = Ground(tmp_path, may_fork=may_fork)
    for number in range(tree_scan.FEW_FOLDERS // 2 + 1):
        put(ground, f"outer{number}/inner/a")
    ground.look()
    ground.disorder()
    shutil.rmtree(ground.root / "outer7/inner")
    assert ground.check()[b"outer7"] == (tree_scan.EMPTIED, b"folder")


def test_a_file_that_did_not_change_is_not_read_again(ground: Ground) -> None:
    with ground.trusting():
        for number in range(50):
            put(ground, f"d{number % 5}/f{number}", b"%d\n" % number)
        ground.look()
        ground.tick()
        put(ground, "d3/f3", b"other\n")
        ground.blobs.clear()
        ground.look()
        assert list(ground.blobs.values()) == [b"other\n"]


# Trees that are deep, wide or closed


@pytest.mark.parametrize("depth", [50, 400, 900])
def test_qs12_a_deep_tree(ground: Ground, depth: int) -> None:
    put(ground, "a")
    ground.look()
    deep = "/".join("d" * depth)
    os.makedirs(ground.root / deep)
    put(ground, f"{deep}/bottom")
    assert set(ground.check()) == {f"{deep}/bottom".encode()}
    remove(ground.root / "d")
    assert set(ground.check()) == {f"{deep}/bottom".encode()}


def test_thousands_of_files(ground: Ground) -> None:
    for number in range(4000):
        put(ground, f"d{number % 97}/e{number % 7}/f{number}", b"%d\n" % number)
    with ground.trusting():
        ground.look()
        ground.tick()
        for number in range(0, 4000, 80):
            put(ground, f"d{number % 97}/e{number % 7}/f{number}", b"new %d\n" % number)
        remove(ground.root / "d5")
        (ground.root / "d6").rename(ground.root / "moved")
        changed = ground.check()
    assert len(changed) > 100
    ground.reload()
    assert ground.look().entries == []


def test_counted_folders_cost_what_their_folders_do(ground: Ground) -> None:
    for number in range(300):
        put(ground, f"node_modules/p{number}/lib/x")
    ground.look()
    assert counts(ground.index) == {b"node_modules": 300}
    put(ground, "node_modules/p7/lib/y")
    put(ground, "node_modules/p8/lib/z/deep")
    remove(ground.root / "node_modules/p9")
    found = ground.look()
    assert (found.entries, found.counts) == ([], [(b"node_modules", 300, 301)])
    remove(ground.root / "node_modules")
    assert ground.look().counts == [(b"node_modules", 301, 0)]
    assert ground.index.counted == {}


def test_z56_files_and_folders_that_vanish_while_the_look_goes_on(ground: Ground) -> None:
    for name in ("a", "b", "c", "d/x", "d/y", "e/z"):
        put(ground, name, name.encode())
    ground.look()
    for name in ("a", "b", "c", "d/x", "d/y", "e/z"):
        put(ground, name, name.encode() + b" new")

    def store(content: bytes) -> str:
        if content == b"a new":
            remove(ground.root / "b")
            remove(ground.root / "d")
        return ground.put(content)

    ground.look(store)
    ground.check()
    assert set(states(ground.index)) == {b"a", b"c", b"e/z"}


def test_z56_a_file_that_grows_while_it_is_read_is_never_half_stored(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(ground, "a", b"x" * 100)
    ground.look()
    put(ground, "a", b"y" * 100)
    read = os.read

    def reading(fd: int, size: int) -> bytes:
        found = read(fd, size)
        if found:
            with open(ground.root / "a", "ab") as file:
                file.write(b"z")
        return found

    with monkeypatch.context() as patch:
        patch.setattr("posix.read", reading)
        (said,) = ground.look().entries
    assert said[2] == b"unknown changed-while-reading"
    assert ground.check()[b"a"][1] == state_of(ground, "a")


def test_z50_inode_numbers_as_large_as_they_get(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    fields = tree_scan.fields

    def large(found: os.stat_result) -> tuple[int, ...]:
        mode, inode, *rest = fields(found)
        return (mode, inode + 2**63, *rest)

    monkeypatch.setattr(tree_scan, "fields", large)
    with ground.trusting():
        place = put(ground, "a")
        put(ground, "d/b")
        ground.look()
        ground.tick()
        fresh = put(ground, "fresh", b"two\n")
        shutil.copystat(place, fresh)
        fresh.rename(place)
        assert set(ground.check()) == {b"a"}
        assert ground.look().entries == []


def test_the_files_of_a_link_are_not_looked_at(ground: Ground, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x").write_text("x")
    (ground.root / "link").symlink_to(outside)
    ground.look()
    assert states(ground.index) == {b"link": b"link " + os.fsencode(outside)}
    (outside / "x").write_text("y")
    assert ground.check() == {}


def test_a_folder_closed_by_an_error_of_the_disk_is_said(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(ground, "d/a")
    ground.look()
    put(ground, "d/b")
    scan = os.scandir

    def failing(path: bytes) -> object:
        if path.endswith(b"/d"):
            raise OSError(errno.EIO, "broken")
        return scan(path)

    with monkeypatch.context() as patch:
        patch.setattr("posix.scandir", failing)
        found = ground.look()
    assert (found.closed, found.entries) == ([b"d"], [])
    assert set(ground.check()) == {b"d/b"}
