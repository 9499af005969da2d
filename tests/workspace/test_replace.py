"""Changing a person's files: what is done, what is refused, and what is left alone."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from blueline.blobs.store import BlobMissing
from blueline.model.fact import Write
from blueline.model.file_state import Absent, FileState, Link, Regular, Unknown
from blueline.workspace import landing
from blueline.workspace.tree import NotWritten
from tests.support.workspace import ABSENT, Ground, stepping_in, unstored, write

WRITTEN, ALREADY, CONFLICT, LEFT = "written", "already", "conflict", "left"

ODD_NAMES = [
    "two\nlines",
    'quo"te',
    "-rf",
    ":colon",
    "back\\slash",
    "café",
    "cafe\u0301",
    "\udcff",
    "n" * 255,
]


@pytest.fixture(params=["exchange", "no exchange"])
def ground(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Ground:
    """Also as on a file system that cannot let two files change places."""
    if request.param == "no exchange":
        monkeypatch.setattr(landing, "kernel", lambda: None)
    return Ground(tmp_path)


def why(ground: Ground, *writes: Write) -> list[str]:
    return [landed.why for landed in ground.tree.replace(writes, ground.staged) if landed.outcome == CONFLICT]


class TestOneFile:
    @pytest.mark.parametrize(
        ("old", "new"),
        [(b"old\n", b"new\n"), (b"a\r\nb\n", b"\xef\xbb\xbfa\rb"), (b"\0\xff", b""), (b"", b"x" * 300_000)],
    )
    def test_gets_its_new_bytes_and_mode(self, ground: Ground, old: bytes, new: bytes) -> None:  # F14, F15
        before, after = ground.put("d/a", old, 0o644), ground.file(new, 0o4755)
        assert ground.replace(write("d/a", before, after)) == [("d/a", WRITTEN)]
        assert ground.on_disk() == {"d": None, "d/a": (0o4755, new)}
        assert not ground.staged.exists()

    @pytest.mark.parametrize("name", ODD_NAMES)
    def test_may_have_any_name(self, ground: Ground, name: str) -> None:  # F12, Z37
        before, after = ground.put(name, b"old"), ground.file(b"new")
        assert ground.replace(write(name, before, after)) == [(name, WRITTEN)]
        assert ground.on_disk() == {name: (0o644, b"new")}
        renamed = write(f"x{name[:99]}", after, after, old_path=name)
        assert ground.replace(renamed) == [(f"x{name[:99]}", WRITTEN)]
        assert ground.replace(write(f"x{name[:99]}", after, ABSENT)) == [(f"x{name[:99]}", WRITTEN)]
        assert ground.on_disk() == {}

    def test_comes_back_with_its_mode_and_folders(self, ground: Ground) -> None:  # F06
        assert ground.replace(write("x/y/a", ABSENT, ground.file(b"back", 0o755))) == [("x/y/a", WRITTEN)]
        assert ground.on_disk() == {"x": None, "x/y": None, "x/y/a": (0o755, b"back")}

    def test_goes_with_the_folders_that_came_with_it(self, ground: Ground) -> None:  # F01, A12
        ground.put("keep/x", b"")
        one, two = ground.put("keep/new/deep/a", b"1"), ground.put("keep/new/b", b"2")
        first = write("keep/new/deep/a", one, ABSENT, missing="keep/new")
        assert ground.replace(first) == [("keep/new/deep/a", WRITTEN)]
        assert ground.on_disk() == {
            "keep": None,
            "keep/x": (0o644, b""),
            "keep/new": None,
            "keep/new/b": (0o644, b"2"),
        }
        assert ground.replace(write("keep/new/b", two, ABSENT, missing="keep/new")) == [
            ("keep/new/b", WRITTEN)
        ]
        assert ground.on_disk() == {"keep": None, "keep/x": (0o644, b"")}

    def test_goes_alone_from_a_folder_that_was_there(self, ground: Ground) -> None:  # F20
        state = ground.put("d/e/a", b"1")
        assert ground.replace(write("d/e/a", state, ABSENT)) == [("d/e/a", WRITTEN)]
        assert ground.on_disk() == {"d": None, "d/e": None}

    def test_folders_go_also_if_the_file_went_before(
        self, ground: Ground
    ) -> None:  # the end of a cut-off batch
        state = ground.file(b"1")
        (ground.root / "d" / "e").mkdir(parents=True)
        assert ground.replace(write("d/e/a", state, ABSENT, missing="d")) == [("d/e/a", ALREADY)]
        assert ground.on_disk() == {}

    def test_a_folder_that_is_now_a_link_stays(self, ground: Ground, tmp_path: Path) -> None:
        (tmp_path / "outside").mkdir()
        ground.link("d", str(tmp_path / "outside"))
        assert ground.replace(write("d/a", ground.file(b"1"), ABSENT, missing="d")) == [("d/a", ALREADY)]
        assert ground.on_disk() == {"d": str(tmp_path / "outside")}
        assert (tmp_path / "outside").is_dir()

    def test_gets_its_mode_and_stays_the_same_file(self, ground: Ground) -> None:  # F13
        before = ground.put("a", b"x", 0o644)
        times = ground.times("a")
        after = Regular(mode=0o755, size=1, blob=before.blob)
        assert ground.replace(write("a", before, after)) == [("a", WRITTEN)]
        assert ground.on_disk() == {"a": (0o755, b"x")}
        assert ground.times("a") == times
        (ground.root / "a").write_bytes(b"y")
        assert ground.replace(write("a", after, before)) == [("a", CONFLICT)]
        assert ground.on_disk() == {"a": (0o755, b"y")}

    def test_links_are_made_retargeted_and_removed(self, ground: Ground, tmp_path: Path) -> None:  # F13
        one, two = Link(target="nowhere"), Link(target=str(tmp_path / "\udcff"))
        assert ground.replace(write("d/l", ABSENT, one)) == [("d/l", WRITTEN)]
        assert ground.replace(write("d/l", one, two)) == [("d/l", WRITTEN)]
        assert ground.on_disk() == {"d": None, "d/l": two.target}
        assert ground.replace(write("d/l", one, ABSENT)) == [("d/l", CONFLICT)]
        file = ground.file(b"x")
        assert ground.replace(write("d/l", two, file)) == [("d/l", WRITTEN)]
        assert ground.replace(write("d/l", file, one)) == [("d/l", WRITTEN)]
        assert ground.replace(write("d/l", one, ABSENT)) == [("d/l", WRITTEN)]
        assert ground.on_disk() == {"d": None}

    def test_its_link_is_replaced_and_what_it_points_to_is_not(self, ground: Ground, tmp_path: Path) -> None:
        (tmp_path / "secret").write_bytes(b"secret")
        before = ground.link("a", str(tmp_path / "secret"))
        assert ground.replace(write("a", before, ground.file(b"x"))) == [("a", WRITTEN)]
        assert (tmp_path / "secret").read_bytes() == b"secret"
        assert ground.on_disk() == {"a": (0o644, b"x")}

    def test_nothing_is_written_that_is_there(self, ground: Ground) -> None:  # Z64
        state, other = ground.put("a", b"x", 0o600), ground.file(b"y")
        times, folder = ground.times("a"), ground.times(".")
        idle = [write("a", state, state), write("a", other, state), write("gone", other, ABSENT)]
        for one in idle:
            assert ground.replace(one) == [(one.path, ALREADY)]
        assert (ground.times("a"), ground.times(".")) == (times, folder)
        assert not ground.staged.exists()

    def test_keeps_what_belongs_to_it(self, ground: Ground) -> None:
        before = ground.put("a", b"x")
        os.setxattr(ground.root / "a", "user.note", b"mine")
        os.chown(ground.root / "a", os.geteuid(), os.getegid())
        assert ground.replace(write("a", before, ground.file(b"y", 0o600))) == [("a", WRITTEN)]
        assert os.getxattr(ground.root / "a", "user.note") == b"mine"

    def test_bytes_that_go_are_kept(self, ground: Ground) -> None:  # style: only once those bytes are safe
        states: list[FileState] = [ground.file(b"new"), ABSENT]
        for number, after in enumerate(states):
            content = b"only here %d" % number
            (ground.root / "a").write_bytes(content)
            (ground.root / "a").chmod(0o644)
            assert ground.replace(write("a", unstored(content), after)) == [("a", WRITTEN)]
            assert ground.blobs.get(unstored(content).blob) == content

    def test_no_temporary_name_can_be_guessed_or_read_by_others(self, ground: Ground) -> None:  # QS13
        before, after = ground.put("a", b"x", 0o600), ground.file(b"y", 0o600)
        names, modes = set(), []

        def look(name: str, arguments: tuple[Any, ...]) -> None:
            for path in ground.temporaries():
                names.add(path)
                modes.append(stat.S_IMODE(os.stat(ground.root / path).st_mode))

        for one, two in [(before, after), (after, before)] * 2:
            with stepping_in(look):
                ground.replace(write("a", one, two))
        assert len(names) == 4
        assert set(modes) == {0o600}


class TestConflicts:
    def change(self, ground: Ground, how: str) -> None:
        place = ground.root / "b"
        match how:
            case "bytes":
                place.write_bytes(b"somebody's")
            case "mode":
                place.chmod(0o600)
            case "gone":
                place.unlink()
            case "link":
                place.unlink()
                place.symlink_to("a")
            case "folder":
                place.unlink()
                place.mkdir()
            case _:
                place.unlink()
                os.mkfifo(place)

    @pytest.mark.parametrize("how", ["bytes", "mode", "gone", "link", "folder", "pipe"])
    @pytest.mark.parametrize("after", [b"new", None])
    def test_found_while_staging_nothing_is_written(
        self, ground: Ground, how: str, after: bytes | None
    ) -> None:  # R11, QR10, B8
        one, two, three = (ground.put(name, name.encode()) for name in "abc")
        last: FileState = ABSENT if after is None else ground.file(after)
        self.change(ground, how)
        on_disk, times = self.look(ground), {name: ground.times(name) for name in "ac"}
        writes = [write("a", one, last), write("b", two, last), write("c", three, last)]
        if after is None and how in ("gone", "folder"):
            # what had to go is gone, and not by us
            assert [outcome for _, outcome in ground.replace(*writes)] == [WRITTEN, ALREADY, WRITTEN]
            return
        with ground.tree.stage(writes, ground.staged) as staged:
            assert [landed.path for landed in staged.conflicts] == ["b"]
            assert [landed.outcome for landed in staged.commit()] == [LEFT, CONFLICT, LEFT]
        assert self.look(ground) == on_disk
        assert {name: ground.times(name) for name in "ac"} == times
        assert not ground.staged.exists()

    @pytest.mark.parametrize("how", ["bytes", "mode", "gone", "link", "folder", "pipe"])
    @pytest.mark.parametrize("after", [b"new", None])
    def test_found_while_committing_the_others_go_on(
        self, ground: Ground, how: str, after: bytes | None
    ) -> None:
        one, two, three = (ground.put(name, name.encode()) for name in "abc")
        last: FileState = ABSENT if after is None else ground.file(after)
        writes = [write("a", one, last), write("b", two, last), write("c", three, last)]
        with ground.tree.stage(writes, ground.staged) as staged:
            assert staged.conflicts == []
            self.change(ground, how)
            on_disk = self.look(ground)
            assert [landed.outcome for landed in staged.commit()] == [WRITTEN, CONFLICT, WRITTEN]
        found = self.look(ground)
        assert found.get("b") == on_disk.get("b")
        assert found.get("a") == found.get("c") == (None if after is None else 0o100644)
        assert ground.temporaries() == []
        assert not ground.staged.exists()

    def look(self, ground: Ground) -> dict[str, int]:
        return {path.name: path.lstat().st_mode for path in ground.root.iterdir()}

    def test_in_part_the_others_are_written(self, ground: Ground) -> None:  # Z03: the end of a cut-off batch
        one, two = ground.put("a", b"1"), ground.put("b", b"2")
        ground.put("b", b"somebody's")
        writes = [write("a", one, ABSENT), write("b", two, ABSENT)]
        landed = ground.tree.replace(writes, ground.staged, in_part=True)
        assert [each.outcome for each in landed] == [WRITTEN, CONFLICT]
        assert ground.on_disk() == {"b": (0o644, b"somebody's")}

    def test_a_new_file_never_replaces_one(self, ground: Ground) -> None:
        with ground.tree.stage([write("d/a", ABSENT, ground.file(b"x"))], ground.staged) as staged:
            ground.put("d/a", b"somebody's")
            assert [landed.why for landed in staged.commit()] == ["something else stands there now"]
        assert ground.on_disk() == {"d": None, "d/a": (0o644, b"somebody's")}

    def test_what_could_not_be_looked_at_is_never_as_expected(self, ground: Ground) -> None:
        ground.put("a", b"x")
        unknown = Unknown(why="cannot-read EACCES")
        assert ground.replace(write("a", unknown, ABSENT)) == [("a", CONFLICT)]
        assert ground.replace(write("a", ground.file(b"x"), unknown)) == [("a", CONFLICT)]
        assert ground.on_disk() == {"a": (0o644, b"x")}

    @pytest.mark.parametrize("path", ["../a", "/tmp/a", "d/../../a", "a\0b", ""])
    def test_outside_the_project(self, ground: Ground, path: str) -> None:  # F18
        assert why(ground, write(path, ABSENT, ground.file(b"x"))) == ["it is outside the project"]

    def test_behind_a_link(self, ground: Ground, tmp_path: Path) -> None:  # Z11, F13, F18
        (tmp_path / "outside").mkdir()
        (tmp_path / "outside" / "a").write_bytes(b"x")
        (tmp_path / "outside" / "a").chmod(0o644)
        ground.link("d", str(tmp_path / "outside"))
        old, new = ground.file(b"x"), ground.file(b"new")
        assert why(ground, write("d/a", old, new)) == ["it is no longer there"]
        assert why(ground, write("d/b", ABSENT, new)) == ["d is no longer a folder"]
        assert why(ground, write("d/e/b", ABSENT, new)) == ["d is no longer a folder"]
        assert ground.replace(write("d/a", old, ABSENT)) == [("d/a", ALREADY)]
        assert {path.name: path.read_bytes() for path in (tmp_path / "outside").iterdir()} == {"a": b"x"}

    @pytest.mark.parametrize("before", [b"x", None])
    def test_a_folder_that_becomes_a_link_after_staging(
        self, ground: Ground, tmp_path: Path, before: bytes | None
    ) -> None:  # Z11
        (tmp_path / "outside").mkdir()
        (tmp_path / "outside" / "a").write_bytes(b"x")
        (ground.root / "d").mkdir()
        old: FileState = ABSENT if before is None else ground.put("d/a", before)
        with ground.tree.stage([write("d/a", old, ground.file(b"new"))], ground.staged) as staged:
            os.rename(ground.root / "d", tmp_path / "moved")
            (ground.root / "d").symlink_to(tmp_path / "outside")
            assert [landed.why for landed in staged.commit()] == ["d is no longer a folder"]
        assert {path.name: path.read_bytes() for path in (tmp_path / "outside").iterdir()} == {"a": b"x"}

    def test_a_file_in_the_place_of_a_folder(self, ground: Ground) -> None:
        ground.put("d", b"mine")
        assert why(ground, write("d/a", ABSENT, ground.file(b"x"))) == ["d is no longer a folder"]
        assert ground.on_disk() == {"d": (0o644, b"mine")}

    def test_a_program_that_has_it_open_for_writing(self, ground: Ground) -> None:  # QR10, R11
        before, after = ground.put("a", b"x"), ground.file(b"new")
        with (ground.root / "a").open("r+b") as file:
            assert why(ground, write("a", before, after)) == ["another program has it open for writing"]
            assert why(ground, write("a", before, ABSENT)) == ["another program has it open for writing"]
            file.write(b"saved")
        assert ground.on_disk() == {"a": (0o644, b"saved")}
        with (ground.root / "a").open("rb"):
            assert ground.replace(write("a", ground.file(b"saved"), after)) == [("a", WRITTEN)]


class TestStaging:
    def writes(self, ground: Ground) -> list[Write]:
        return [
            write("a", ground.put("a", b"1"), ground.file(b"new 1")),
            write("d/e/b", ABSENT, ground.file(b"new 2")),
            write("d/l", ABSENT, Link(target="a")),
            write("c", ground.put("c", b"3"), ABSENT),
            write("m", ground.put("m", b"4"), ground.file(b"4", 0o755)),
            write("r/new", ground.put("old", b"5"), ground.file(b"5"), old_path="old"),
        ]

    def test_what_is_discarded_leaves_nothing_behind(self, ground: Ground) -> None:
        writes = self.writes(ground)
        on_disk, times = ground.on_disk(), ground.times("a")
        with ground.tree.stage(writes, ground.staged):
            assert ground.temporaries()
        assert (ground.on_disk(), ground.times("a")) == (on_disk, times)
        assert not ground.staged.exists()

    def test_after_commit_there_is_nothing_to_discard(self, ground: Ground) -> None:
        with ground.tree.stage(self.writes(ground), ground.staged) as staged:
            landed = staged.commit()
            assert {each.outcome for each in landed} == {WRITTEN}
            on_disk = ground.on_disk()
            staged.discard()
            assert staged.commit() == landed
        assert ground.on_disk() == on_disk

    @pytest.mark.parametrize(
        ("number", "hint"),
        [
            (errno.ENOSPC, "free some space"),
            (errno.EDQUOT, "free some space"),
            (errno.EROFS, "make its folder writable"),
            (errno.EACCES, "make its folder writable"),
            (errno.EIO, "no file was changed"),
        ],
    )
    def test_a_disk_that_refuses_at_any_step_changes_nothing(
        self, ground: Ground, number: int, hint: str
    ) -> None:  # QD8, F18, F19
        writes = self.writes(ground)
        on_disk = ground.on_disk()
        times = {path: ground.times(path) for path in on_disk}
        steps = 0
        hints: list[str] = []

        def refuse(name: str, arguments: tuple[Any, ...]) -> None:
            nonlocal steps
            steps += 1
            # to remove something needs no space, and what cannot be removed either is for `sweep`
            if steps == at and name not in ("unlink", "rmdir"):
                raise OSError(number, os.strerror(number))

        for at in range(1, 100):
            steps = 0
            with stepping_in(refuse):
                try:
                    ground.tree.stage(writes, ground.staged).discard()
                except NotWritten as error:
                    hints.append(error.hint)
            assert ground.on_disk() == on_disk
            assert {path: ground.times(path) for path in on_disk} == times
            assert not ground.staged.exists()
            if steps < at:
                break
        assert (len(hints) > 10, steps < at) == (True, True)
        assert all(hint in each and "no file was changed" in each for each in hints)

    def test_a_torn_write_is_written_to_its_end(
        self, ground: Ground, monkeypatch: pytest.MonkeyPatch
    ) -> None:  # QD10
        before = ground.put("a", b"x")
        whole: Callable[[int, bytes], int] = os.write
        monkeypatch.setattr("posix.write", lambda fd, data: whole(fd, data[:3]))
        assert ground.replace(write("a", before, ground.file(b"0123456789"))) == [("a", WRITTEN)]
        assert ground.on_disk() == {"a": (0o644, b"0123456789")}

    def test_bytes_that_are_not_stored_are_found_missing_first(self, ground: Ground) -> None:
        one, two = ground.put("a", b"1"), ground.put("b", b"2")
        writes = [write("a", one, ground.file(b"new")), write("b", two, unstored(b"never stored"))]
        with pytest.raises(BlobMissing):
            ground.tree.replace(writes, ground.staged)
        assert ground.on_disk() == {"a": (0o644, b"1"), "b": (0o644, b"2")}

    def test_a_folder_that_is_closed_is_found_first_also_to_remove(
        self, ground: Ground, monkeypatch: pytest.MonkeyPatch
    ) -> None:  # F18
        one, two = ground.put("a", b"1"), ground.put("b", b"2")
        monkeypatch.setattr(os, "access", lambda *arguments, **named: False)
        with pytest.raises(NotWritten, match="cannot write b: Permission denied"):
            ground.tree.replace(
                [write("a", one, ground.file(b"new")), write("b", two, ABSENT)], ground.staged
            )
        assert ground.on_disk() == {"a": (0o644, b"1"), "b": (0o644, b"2")}

    def test_a_whole_batch_of_two_hundred(
        self, ground: Ground, monkeypatch: pytest.MonkeyPatch
    ) -> None:  # F19
        monkeypatch.setattr(os, "fsync", lambda fd: None)
        writes = [
            write(f"{number % 9}/{number}", ground.put(f"{number % 9}/{number}", b"old"), ground.file(b"new"))
            for number in range(200)
        ]
        assert {outcome for _, outcome in ground.replace(*writes)} == {WRITTEN}
        assert {found for found in ground.on_disk().values() if found} == {(0o644, b"new")}


def test_absent_is_absent_whichever_folder_is_missing(ground: Ground) -> None:
    after = ground.file(b"x")
    assert ground.replace(write("d/a", Absent(missing_folder="d"), after)) == [("d/a", WRITTEN)]
    assert ground.replace(write("d/a", after, Absent(missing_folder="d"), missing="d")) == [("d/a", WRITTEN)]
    assert ground.on_disk() == {}
