"""Looking at what stands at a path."""

from __future__ import annotations

import errno
import os
import socket
import stat
from pathlib import Path
from typing import Any

import pytest

from blueline.blobs.store import BlobNotStored
from blueline.errors import BluelineError
from blueline.model.file_state import Absent, Link, Other, Regular, Unknown
from blueline.workspace.tree import NoContent, Signature
from tests.support.workspace import Ground, stepping_in

ODD_NAMES = [
    "two\nlines",
    "carriage\rreturn",
    'quo"te',
    "it's",
    "-rf",
    ":colon",
    "back\\slash",
    " blank ",
    "*",
    "café",  # one code point
    "cafe\u0301",  # two of them
    "\udcff\udcfe.txt",  # bytes that are no text
    "n" * 255,
]


class TestReading:
    @pytest.mark.parametrize(
        "content",
        [b"", b"one\n", b"a\r\nb\nc\rd", b"\xef\xbb\xbfx", b"\0\xff\xfe", b"no end", b"x" * 300_000],
    )
    def test_a_file_gives_its_bytes_and_they_are_stored(
        self, ground: Ground, content: bytes
    ) -> None:  # F14, F15
        place = ground.root / "a.txt"
        place.write_bytes(content)
        place.chmod(0o640)
        state, signature = ground.tree.read("a.txt")
        assert isinstance(state, Regular)
        assert (state.mode, state.size) == (0o640, len(content))
        assert ground.blobs.get(state.blob) == content
        assert signature == Signature.of(os.lstat(place))
        assert ground.tree.content("a.txt") == content

    @pytest.mark.parametrize("name", ODD_NAMES)
    def test_any_name_is_a_name(self, ground: Ground, name: str) -> None:  # F12, Z37
        expected = ground.put(f"{name[:100]}/{name}", b"x")
        assert ground.tree.read(f"{name[:100]}/{name}")[0] == expected
        assert ground.tree.signatures([f"{name[:100]}/{name}"]).popitem()[1] is not None

    def test_a_link_gives_its_target_and_is_not_followed(self, ground: Ground, tmp_path: Path) -> None:  # F13
        (tmp_path / "secret").write_bytes(b"secret")
        for target in ("a.txt", "nowhere", str(tmp_path / "secret"), "link", "\udcff"):
            (ground.root / "link").unlink(missing_ok=True)
            ground.link("link", target)
            state, signature = ground.tree.read("link")
            assert state == Link(target=target)
            assert signature is not None
            with pytest.raises(NoContent):
                ground.tree.content("link")

    def test_what_is_not_there_says_which_folder_is_missing_too(self, ground: Ground) -> None:
        (ground.root / "have").mkdir()
        assert ground.tree.read("a") == (Absent(), None)
        assert ground.tree.read("have/a") == (Absent(), None)
        assert ground.tree.read("have/not/a") == (Absent(missing_folder="have/not"), None)
        assert ground.tree.read("x/y/z") == (Absent(missing_folder="x"), None)

    def test_behind_a_link_there_is_nothing(self, ground: Ground, tmp_path: Path) -> None:  # Z11
        (tmp_path / "outside").mkdir()
        (tmp_path / "outside" / "a").write_bytes(b"secret")
        ground.put("inside/a", b"x")
        ground.link("away", str(tmp_path / "outside"))
        ground.link("near", "inside")
        assert ground.tree.read("away/a") == (Absent(missing_folder="away"), None)
        assert ground.tree.read("near/a") == (Absent(missing_folder="near"), None)
        assert ground.tree.read("inside/a/b") == (Absent(missing_folder="inside/a"), None)
        assert ground.tree.signatures(["away/a", "near/a"]) == {"away/a": None, "near/a": None}

    def test_a_folder_that_becomes_a_link_on_the_way_leads_nowhere(
        self, ground: Ground, tmp_path: Path
    ) -> None:  # Z11
        (tmp_path / "outside").mkdir()
        (tmp_path / "outside" / "a").write_bytes(b"secret")
        ground.put("d/a", b"x")
        steps = 0

        def swap(name: str, arguments: tuple[Any, ...]) -> None:
            nonlocal steps
            steps += 1
            if steps == at:
                os.rename(ground.root / "d", ground.root / f"d{at}")
                os.symlink(tmp_path / "outside", ground.root / "d")

        for at in range(1, 12):
            with stepping_in(swap, looking=True):
                state, _ = ground.tree.read("d/a")
            assert state in (Absent(missing_folder="d"), ground.file(b"x"))
            if (ground.root / "d").is_symlink():
                (ground.root / "d").unlink()
                os.rename(ground.root / f"d{at}", ground.root / "d")
            steps = 0

    def test_other_things_are_never_opened(self, ground: Ground) -> None:  # Z55
        os.mkfifo(ground.root / "pipe")  # opening it would wait for ever
        (ground.root / "folder").mkdir()
        opened = []
        with socket.socket(socket.AF_UNIX) as plug:
            here = os.getcwd()
            os.chdir(ground.root)  # socket names are short
            try:
                plug.bind("plug")
            finally:
                os.chdir(here)
            with stepping_in(lambda name, what: opened.append((name, what[0])), looking=True):
                for name, kind in (
                    ("pipe", stat.S_ISFIFO),
                    ("folder", stat.S_ISDIR),
                    ("plug", stat.S_ISSOCK),
                ):
                    state, signature = ground.tree.read(name)
                    assert isinstance(state, Other)
                    assert kind(state.mode)
                    assert signature is not None
        assert [what for name, what in opened if name == "open"] == [ground.root] * 3

    @pytest.mark.parametrize("number", [errno.EACCES, errno.EIO])
    def test_what_cannot_be_read_is_not_absent(self, ground: Ground, number: int) -> None:  # Z56
        ground.put("a", b"x")

        def refuse(name: str, arguments: tuple[Any, ...]) -> None:
            if name == "open" and arguments[0] == "a":
                raise OSError(number, "refused")

        with stepping_in(refuse, looking=True):
            state, signature = ground.tree.read("a")
        assert state == Unknown(why=f"cannot-read {errno.errorcode[number]}")
        assert signature is not None

    def test_a_file_that_changes_while_read_is_read_again(self, ground: Ground) -> None:  # Z56
        ground.put("a", b"old" * 1000)
        saves = 0

        def save(name: str, arguments: tuple[Any, ...]) -> None:
            nonlocal saves
            if name == "read" and saves < times:
                saves += 1
                (ground.root / "a").write_bytes(b"%d" % saves * (1000 + saves))

        times = 1
        with stepping_in(save, looking=True):
            assert ground.tree.read("a")[0] == ground.file(b"1" * 1001)
        times = 10
        with stepping_in(save, looking=True):
            assert ground.tree.read("a")[0] == Unknown(why="changed-while-reading")

    def test_a_file_that_vanishes_while_read_is_absent(self, ground: Ground) -> None:  # Z56
        ground.put("a", b"x")

        def vanish(name: str, arguments: tuple[Any, ...]) -> None:
            if name == "open" and arguments[0] == "a":
                (ground.root / "a").unlink(missing_ok=True)

        with stepping_in(vanish, looking=True):
            assert ground.tree.read("a") == (Absent(), None)

    def test_a_file_replaced_while_read_is_one_of_the_two(self, ground: Ground) -> None:
        seen = set()
        for at in range(40):
            old, new = ground.put("a", b"old" * 50_000), ground.file(b"new" * 40_000)
            (ground.root / "b").write_bytes(b"new" * 40_000)
            (ground.root / "b").chmod(0o644)
            steps = 0

            def save(name: str, arguments: tuple[Any, ...], at: int = at) -> None:
                nonlocal steps
                steps += 1
                if steps == at:
                    os.rename(ground.root / "b", ground.root / "a")

            with stepping_in(save, looking=True):
                state, _ = ground.tree.read("a")
            assert state in (old, new)
            seen.add(state)
        assert len(seen) == 2

    @pytest.mark.parametrize("path", ["", "/etc/passwd", "../x", "a/../b", "a//b", "./a", "a/", "a\0b"])
    def test_a_path_leads_nowhere_else(self, ground: Ground, path: str) -> None:
        with pytest.raises(ValueError, match="not a path below the root"):
            ground.tree.read(path)
        with pytest.raises(ValueError, match="not a path below the root"):
            ground.tree.signature(path)

    def test_bytes_that_cannot_be_stored_are_an_error(self, ground: Ground) -> None:
        (ground.root / "a").write_bytes(b"x")
        (ground.state / "blobs").write_bytes(b"in the way")
        with pytest.raises(BlobNotStored):
            ground.tree.read("a")

    def test_a_project_that_is_gone_says_so(self, ground: Ground) -> None:
        ground.root.rmdir()
        with pytest.raises(BluelineError, match="cannot open the project's folder"):
            ground.tree.read("a")
