"""Somebody saves a file while a decision is being carried out. What they saved is never lost."""

from __future__ import annotations

import ctypes
import os
import struct
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from blueline.model.fact import Write
from blueline.model.file_state import Regular
from blueline.workspace import landing
from tests.support.systems import CANNOT
from tests.support.workspace import ABSENT, Ground, stepping_in, write

MINE = b"what somebody saved"
MOST = 200

Scene = Callable[[Ground], list[Write]]


def replaced(ground: Ground) -> list[Write]:
    return [write("a", ground.put("a", b"old"), ground.file(b"new"))]


def removed(ground: Ground) -> list[Write]:
    return [write("a", ground.put("a", b"old"), ABSENT)]


def made(ground: Ground) -> list[Write]:
    return [write("a", ABSENT, ground.file(b"new"))]


def mode_changed(ground: Ground) -> list[Write]:
    return [write("a", ground.put("a", b"old"), ground.file(b"old", 0o600))]


def linked(ground: Ground) -> list[Write]:
    return [write("a", ground.put("a", b"old"), ground.link("other", "nowhere"))]


def renamed_from(ground: Ground) -> list[Write]:
    return [write("b", ground.put("a", b"old"), ground.file(b"old"), old_path="a")]


def renamed_to(ground: Ground) -> list[Write]:
    return [write("a", ground.put("b", b"old"), ground.file(b"old"), old_path="b")]


def edited_and_renamed_from(ground: Ground) -> list[Write]:
    return [write("b", ground.put("a", b"old"), ground.file(b"new"), old_path="a")]


def save_over(place: Path) -> None:
    """As most editors do."""
    beside = place.with_name("beside")
    beside.write_bytes(MINE)
    os.rename(beside, place)


def save_into(place: Path) -> None:
    """As shells and some editors do."""
    place.write_bytes(MINE)


SCENES = [replaced, removed, made, mode_changed, linked, renamed_from, renamed_to, edited_and_renamed_from]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that need not survive a power cut."""
    monkeypatch.setattr("posix.fsync", lambda fd: None)
    monkeypatch.setattr("os.fsync", lambda fd: None)


def places(tmp_path: Path, scene: Scene) -> Iterator[tuple[Ground, list[Write], int]]:
    for at in range(MOST):
        ground = Ground(tmp_path / str(at))
        yield ground, scene(ground), at
    raise AssertionError("it never came to its end")


def contents(ground: Ground) -> list[bytes]:
    return [found[1] for found in ground.on_disk().values() if isinstance(found, tuple)]


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("save", [save_over, save_into])
def test_a_save_between_any_two_steps_is_never_lost(
    tmp_path: Path, scene: Scene, save: Callable[[Path], None]
) -> None:  # R11, QR10
    outcomes = set()
    for ground, writes, at in places(tmp_path, scene):
        steps = 0

        def step_in(name: str, arguments: tuple[Any, ...], ground: Ground = ground, at: int = at) -> None:
            nonlocal steps
            if steps == at:
                save(ground.root / "a")
            steps += 1

        with stepping_in(step_in, looking=True):
            (landed,) = ground.tree.replace(writes, ground.staged)
        outcomes.add(landed.outcome)
        if steps <= at:
            break
        found = ground.on_disk()
        # who saves into a file while it is renamed, or is a link, has saved it under another name
        assert MINE in contents(ground), (at, found, landed)
        if "renamed" not in scene.__name__ and scene is not linked:
            held = found["a"]
            assert isinstance(held, tuple)
            assert held[1] == MINE
        assert ground.temporaries() == []
        assert not ground.staged.exists()
    assert {"written", "conflict"} <= outcomes


class Slow:
    """A program that opens a file at one step and writes to it some steps later, or at the end."""

    def __init__(self, place: Path, opens: int, waits: int) -> None:
        self.place = place
        self.opens = opens
        self.writes = opens + waits
        self.steps = 0
        self.has_opened = False
        self.fd = -1

    def __call__(self, name: str, arguments: tuple[Any, ...]) -> None:
        if self.steps == self.opens and self.place.is_file():
            self.has_opened = True
            self.fd = os.open(self.place, os.O_WRONLY)
        if self.steps == self.writes:
            self.finish()
        self.steps += 1

    def finish(self) -> None:
        if self.fd >= 0:
            os.truncate(self.fd, 0)
            os.write(self.fd, MINE)
            os.close(self.fd)
            self.fd = -1


@pytest.mark.parametrize("scene", [replaced, removed, linked])
def test_so_is_one_by_a_program_that_opens_first_and_writes_later(
    tmp_path: Path, scene: Scene
) -> None:  # R11
    """At its worst it opens the old file just before the exchange, and writes when that has lost its name."""
    outcomes = set()
    for opens in range(MOST):
        for waits in range(1 + opens % 2, MOST, 2):
            ground = Ground(tmp_path / f"{opens}-{waits}")
            writes = scene(ground)
            slow = Slow(ground.root / "a", opens, waits)
            with stepping_in(slow, looking=True):
                (landed,) = ground.tree.replace(writes, ground.staged)
            slow.finish()
            outcomes.add(landed.outcome)
            assert not slow.has_opened or MINE in contents(ground), (opens, waits, landed)
            if slow.steps <= slow.writes:
                break
        else:
            raise AssertionError("it never came to its end")
        if slow.steps <= opens:
            break
    assert opens > 20
    assert {"written", "conflict"} <= outcomes


@pytest.mark.parametrize("scene", [replaced, removed, made, renamed_from])
def test_a_file_that_somebody_removes_stays_away_or_is_the_new_one(tmp_path: Path, scene: Scene) -> None:
    for ground, writes, at in places(tmp_path, scene):
        steps = 0

        def step_in(name: str, arguments: tuple[Any, ...], ground: Ground = ground, at: int = at) -> None:
            nonlocal steps
            if steps == at:
                (ground.root / "a").unlink(missing_ok=True)
            steps += 1

        with stepping_in(step_in, looking=True):
            ground.tree.replace(writes, ground.staged)
        if steps <= at:
            break
        assert b"old" not in contents(ground) or scene is renamed_from
        assert ground.temporaries() == []


@pytest.mark.parametrize("scene", [replaced, removed, renamed_from])
def test_a_folder_that_takes_its_place_is_not_touched(tmp_path: Path, scene: Scene) -> None:  # QR8
    for ground, writes, at in places(tmp_path, scene):
        steps = 0

        def step_in(name: str, arguments: tuple[Any, ...], ground: Ground = ground, at: int = at) -> None:
            nonlocal steps
            if steps == at:
                (ground.root / "a").unlink(missing_ok=True)
                (ground.root / "a").mkdir()
                (ground.root / "a" / "mine").write_bytes(MINE)
            steps += 1

        with stepping_in(step_in, looking=True):
            ground.tree.replace(writes, ground.staged)
        if steps <= at:
            break
        assert ground.on_disk()["a/mine"] == (0o644, MINE)
        assert ground.temporaries() == []


def test_two_saves_in_a_row_leave_the_later(tmp_path: Path) -> None:
    """The second falls into the moment in which the first is being put back."""
    ground = Ground(tmp_path)
    writes = replaced(ground)
    saves = 0

    def step_in(name: str, arguments: tuple[Any, ...]) -> None:
        nonlocal saves
        if name == "exchange" and saves < 2:
            saves += 1
            (ground.root / "beside").write_bytes(b"save %d" % saves)
            os.rename(ground.root / "beside", ground.root / "a")

    with ground.tree.stage(writes, ground.staged) as staged, stepping_in(step_in):
        assert [landed.outcome for landed in staged.commit()] == ["conflict"]
    assert ground.on_disk() == {"a": (0o644, b"save 2")}
    assert b"save 1" in [ground.blobs.get(blob) for blob in ground.blobs.ids()]


@pytest.mark.parametrize("save", [save_over, save_into])
def test_a_program_that_saves_all_the_time_loses_nothing(
    tmp_path: Path, save: Callable[[Path], None]
) -> None:  # R11
    """Each write keeps what was saved and adds a word: so the last save is in the file, whoever came last."""
    ground = Ground(tmp_path)
    place = ground.root / "a"
    place.write_bytes(b"")
    saves = 400

    def hammer() -> None:
        for number in range(saves):
            if save is save_over:
                (tmp_path / "beside").write_bytes(b"save %d" % number)
                os.rename(tmp_path / "beside", place)
            else:
                place.write_bytes(b"save %d" % number)

    somebody = threading.Thread(target=hammer)
    somebody.start()
    landed = []
    while somebody.is_alive():
        before, _ = ground.tree.read("a")
        if isinstance(before, Regular):
            after = ground.file(ground.blobs.get(before.blob)[:40] + b" seen", before.mode)
            landed += ground.replace(write("a", before, after))
    somebody.join()
    assert place.read_bytes().startswith(b"save %d" % (saves - 1))
    assert ground.temporaries() == []
    assert landed


def test_where_files_cannot_change_places_it_is_looked_at_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(landing, "kernel", lambda: None)
    ground = Ground(tmp_path)
    with ground.tree.stage(replaced(ground), ground.staged) as staged:
        save_over(ground.root / "a")
        assert [landed.why for landed in staged.commit()] == ["it was changed meanwhile"]
    assert contents(ground) == [MINE]


@pytest.mark.skipif(sys.platform != "linux", reason=f"{CANNOT}how Linux tells of changes")
def test_who_watches_a_file_is_told_that_it_went_and_came(tmp_path: Path) -> None:
    """In this order: an editor takes a file that came and went again for nothing, and keeps the old text."""
    ground = Ground(tmp_path)
    writes = replaced(ground)
    with FolderWatch(ground.root) as watch:
        ground.tree.replace(writes, ground.staged)
        told = [event for name, event in watch.events() if name == "a"]
    assert told == [MOVED_FROM, MOVED_TO]


MOVED_FROM, MOVED_TO = 0x40, 0x80


class FolderWatch:
    """What inotify tells of the names in a folder that change places."""

    def __init__(self, folder: Path) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        self._fd = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        assert self._fd >= 0
        assert libc.inotify_add_watch(self._fd, os.fsencode(folder), MOVED_FROM | MOVED_TO) >= 0

    def __enter__(self) -> FolderWatch:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._fd)

    def events(self) -> Iterator[tuple[str, int]]:
        data, at = os.read(self._fd, 1 << 16), 0
        while at < len(data):
            _, event, _, length = struct.unpack_from("iIII", data, at)
            at += struct.calcsize("iIII")
            yield os.fsdecode(data[at : at + length].rstrip(b"\0")), event
            at += length
