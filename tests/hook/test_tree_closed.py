"""What a look does not see is not forgotten: folders and files that are closed to it."""

from __future__ import annotations

import os
import pwd
import shutil
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.support.ground import Ground, state_of, states


def put(ground: Ground, path: str, content: bytes = b"one\n") -> None:
    place = ground.root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)


def as_somebody(act: Callable[[], None]) -> None:
    """Do something as a person to whom files can be closed, in a process of its own if need be."""
    if os.geteuid():
        return act()
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
            act()
        except BaseException:
            os.write(write, traceback.format_exc()[-4000:].encode())
        finally:
            os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    with open(read, "rb") as wrong:
        said = wrong.read().decode()
    assert not said, said
    return None


@pytest.fixture
def closing() -> Iterator[Ground]:
    """A tree of somebody to whom files can be closed."""
    base = Path(tempfile.mkdtemp())
    ground = Ground(base)
    for path in ("a", "d/b", "d/e/c", "f/g"):
        put(ground, path)
    if not os.geteuid():
        nobody = pwd.getpwuid(65534)
        for place in (base, *base.rglob("*")):
            os.chown(place, nobody.pw_uid, nobody.pw_gid)
    yield ground
    for place in base.rglob("*"):
        if place.is_dir():
            place.chmod(0o755)
    shutil.rmtree(base)


@pytest.mark.parametrize("mode", [0o000, 0o600, 0o400], ids=["closed", "rw", "r"])
@pytest.mark.parametrize("trusting", [True, False], ids=["trusting", "young"])
def test_z56_what_is_in_a_closed_folder_is_not_forgotten(closing: Ground, mode: int, trusting: bool) -> None:
    def act() -> None:
        closing.look()
        closing.tick()
        known = states(closing.index)
        (closing.root / "d").chmod(mode)
        put(closing, "f/g", b"two\n")
        found = closing.look()
        assert [path for path, _, _ in found.entries] == [b"f/g"]
        assert b"d" in found.closed
        (closing.root / "d").chmod(0o755)
        assert closing.look().entries == []
        assert states(closing.index) == {**known, b"f/g": state_of(closing, "f/g")}
        put(closing, "d/b", b"three\n")
        assert set(closing.check()) == {b"d/b"}

    if trusting:
        with closing.trusting():
            as_somebody(act)
    else:
        as_somebody(act)


@pytest.mark.parametrize("mode", [0, 0o444])
@pytest.mark.parametrize("trusting", [False, True])
def test_z56_a_folder_that_is_closed_when_it_is_first_seen(
    closing: Ground, mode: int, trusting: bool
) -> None:
    def act() -> None:
        (closing.root / "d").chmod(mode)
        for _ in range(3):
            assert b"d" in closing.look().closed
        (closing.root / "d").chmod(0o755)
        assert {path for path, _, _ in closing.look().entries} == {b"d/b", b"d/e/c"}

    with closing.trusting() if trusting else nullcontext():
        as_somebody(act)


def test_z56_a_file_that_cannot_be_read_is_said_and_looked_at_again(closing: Ground) -> None:
    def act() -> None:
        closing.look()
        closing.tick()
        (closing.root / "a").chmod(0)
        (said,) = closing.look().entries
        assert (said[0], said[2]) == (b"a", b"unknown cannot-read EACCES")
        (closing.root / "a").chmod(0o644)
        closing.look()
        assert states(closing.index)[b"a"] == state_of(closing, "a")

    as_somebody(act)
