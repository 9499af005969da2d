"""The primitives that the hook and the rest share."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blueline.kernel import disk

MIB = 1 << 20


@given(st.binary())
def test_an_escaped_name_fits_on_a_line_and_comes_back(name: bytes) -> None:
    line = disk.escape(name)
    assert b"\n" not in line
    assert b"\r" not in line
    assert disk.unescape(line) == name


@given(st.lists(st.sampled_from([b"\\", b"n", b"r", b"\n", b"\r", b"\\n"])).map(b"".join))
def test_names_made_of_escapes_come_back(name: bytes) -> None:
    assert disk.unescape(disk.escape(name)) == name


class TestFollowing:
    def test_it_is_what_the_system_says(self, tmp_path: Path) -> None:
        (tmp_path / "a" / "b").mkdir(parents=True)
        (tmp_path / "a" / "file").write_text("")
        (tmp_path / "up").symlink_to("a/b")
        (tmp_path / "a" / "b" / "far").symlink_to(tmp_path)
        (tmp_path / "a" / "chain").symlink_to("../up/far/a/./b")
        for path in (
            "a",
            "up",
            "up/..",
            "up/far/up",
            "a/chain/far",
            "a//b/.",
            "../" * 40,
            "a/file",
            "up/../file",
        ):
            name = os.fsencode(tmp_path / path)
            assert disk.follow(name) == (os.path.realpath(name), b"")

    def test_the_first_missing_part_is_told(self, tmp_path: Path) -> None:
        root = os.fsencode(tmp_path)
        assert disk.follow(root + b"/x/y/z") == (root + b"/x/y/z", root + b"/x")
        assert disk.follow(root + b"/x/../y") == (root + b"/y", root + b"/y")
        assert disk.follow(root + b"/x/..") == (root, b"")

    def test_links_in_a_circle_are_refused(self, tmp_path: Path) -> None:
        (tmp_path / "a").symlink_to("b")
        (tmp_path / "b").symlink_to("a")
        with pytest.raises(OSError, match="too many links"):
            disk.follow(os.fsencode(tmp_path / "a" / "c"))


def test_behind_a_link_that_leads_nowhere_no_folder_is_made(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/gone/away")
    with pytest.raises(FileNotFoundError):
        disk.make_folder(os.fsencode(tmp_path / "link" / "a" / "b"))


def test_all_folders_of_a_store_can_be_made_beforehand(tmp_path: Path) -> None:
    blobs = os.fsencode(tmp_path / "blobs")
    disk.spread(blobs)
    disk.spread(blobs)
    assert len(os.listdir(blobs)) == 257
    assert {os.stat(blobs + b"/" + name).st_mode & 0o777 for name in os.listdir(blobs)} == {0o700}


class TestChunks:
    """A 200 MB file costs what changed in it, not its size. Smaller here, of the same kind."""

    @pytest.mark.parametrize("kind", ["random", "log", "digits", "same", "two letters"])
    def test_an_insertion_in_the_middle_costs_few_bytes(self, tmp_path: Path, kind: str) -> None:  # QC9
        content = sample(kind, 24 * MIB)
        blobs = os.fsencode(tmp_path)
        disk.put_blob(blobs, content)
        before = used(tmp_path)
        disk.put_blob(blobs, content[: 12 * MIB] + b"!" + content[12 * MIB :])
        assert used(tmp_path) - before < 4 * MIB

    @given(st.integers(0, 3 * MIB), st.sampled_from(["random", "digits", "same"]))
    def test_pieces_are_the_whole_and_of_sensible_length(self, size: int, kind: str) -> None:
        content = sample(kind, size)
        pieces = disk.cuts(content)
        assert b"".join(pieces) == content
        assert all(len(piece) >= disk.CHUNK_SHORTEST for piece in pieces[:-1])
        assert all(0 < len(piece) <= disk.CHUNK_LONGEST for piece in pieces)


def sample(kind: str, size: int) -> bytes:
    chance = random.Random(7)
    if kind == "random":
        return chance.randbytes(size)
    if kind == "same":
        return b"a" * size
    if kind == "log":
        lines = [
            b"2026-01-%02d worker %d did %d things\n" % (n % 28, n % 7, chance.getrandbits(40))
            for n in range(9999)
        ]
        start = b"".join(lines)
        return b"".join(b"%d %s" % (n, start) for n in range(size // len(start) + 1))[:size]
    letters = b"0123456789" if kind == "digits" else b"ab"
    return chance.randbytes(size).translate(bytes(letters[value % len(letters)] for value in range(256)))


def used(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("can", [True, False])
def test_on_macos_a_file_is_flushed_through_the_disks_own_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, can: bool
) -> None:
    """`fsync` alone leaves it there. Not every file system can do better."""
    asked: list[str] = []

    def control(fd: int, command: int) -> int:
        asked.append("full" if command == 51 else "other")
        if not can:
            raise OSError(45, "not supported")
        return 0

    monkeypatch.setattr(disk, "IS_MACOS", True)
    monkeypatch.setattr("fcntl.fcntl", control)
    monkeypatch.setattr("posix.fsync", lambda fd: asked.append("fsync"))
    (tmp_path / "tmp").mkdir()
    disk.put_in_place(bytes(tmp_path / "a"), b"x", bytes(tmp_path / "tmp"), sync=True)
    assert (tmp_path / "a").read_bytes() == b"x"
    assert asked == (["full"] if can else ["full", "fsync"])
