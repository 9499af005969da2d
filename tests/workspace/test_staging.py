"""What is left of a batch when its process is killed, and that opening the project puts it right."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from blueline.kernel import disk
from blueline.model.fact import Write
from blueline.workspace.landing import exchange
from blueline.workspace.staging import write_record
from blueline.workspace.steps import WriteStep
from blueline.workspace.tree import NotCertain, NotWritten
from tests.support.workspace import ABSENT, Ground, stepping_in, write

TESTS = Path(__file__).parents[2]
MEMORY = "/dev/shm"
"""A thousand projects are made and removed, which takes a disk three times as long."""


def test_killed_at_any_step_every_file_is_old_or_new_and_the_batch_can_be_finished() -> None:  # F19, Z03
    with tempfile.TemporaryDirectory(dir=MEMORY if os.path.isdir(MEMORY) else None) as folder:
        done = subprocess.run(
            [sys.executable, "-m", "tests.support.kills", folder], cwd=TESTS, capture_output=True, text=True
        )
    assert (done.returncode, done.stderr) == (0, "")
    calls, sweeps = map(int, done.stdout.split())
    assert calls > 70
    assert sweeps > 50


class Killed(BaseException):
    """Nothing after this is done, as if there were no process any more."""


def cut_off(ground: Ground, writes: list[Write], at: str) -> None:
    """Do a batch up to the call `at`, which is `exchange` or `rename`, and no further."""

    called: list[str] = []

    def stop(name: str, arguments: tuple[Any, ...]) -> None:
        if at in called:
            raise Killed
        called.append(name)

    with ground.tree.stage(writes, ground.staged) as staged, stepping_in(stop):
        with pytest.raises(Killed):
            staged.commit()
        # what runs on the way out of a process that is only interrupted changes nothing either
        staged.discard()


class TestSweep:
    def test_what_somebody_saved_just_before_the_exchange_goes_back(self, ground: Ground) -> None:  # R11
        before, after = ground.put("a", b"old"), ground.file(b"new")
        with ground.tree.stage([write("a", before, after)], ground.staged):
            (temporary,) = ground.temporaries()
            ground.put("a", b"somebody's")
            # the last thing the process did
            os.rename(ground.root / "a", ground.root / "keep")
            os.rename(ground.root / temporary, ground.root / "a")
            os.rename(ground.root / "keep", ground.root / temporary)
            ground.tree.sweep(ground.staged)
        assert ground.on_disk() == {"a": (0o644, b"somebody's")}

    def test_so_does_what_was_saved_just_before_a_removal(self, ground: Ground) -> None:
        before = ground.put("a", b"old")
        cut_off(ground, [write("a", before, ABSENT)], at="rename")
        (temporary,) = ground.temporaries()
        (ground.root / temporary).write_bytes(b"somebody's")
        ground.tree.sweep(ground.staged)
        assert ground.on_disk() == {"a": (0o644, b"somebody's")}

    def test_a_later_save_stays_and_the_earlier_is_kept_in_the_store(self, ground: Ground) -> None:
        for after, at in ((ground.file(b"new"), "exchange"), (ABSENT, "rename")):
            before = ground.put("a", b"old")
            cut_off(ground, [write("a", before, after)], at)
            (temporary,) = ground.temporaries()
            (ground.root / temporary).write_bytes(b"earlier " + at.encode())
            ground.put("a", b"later")
            ground.tree.sweep(ground.staged)
            assert ground.on_disk() == {"a": (0o644, b"later")}
            assert b"earlier " + at.encode() in [ground.blobs.get(blob) for blob in ground.blobs.ids()]

    def test_old_bytes_are_in_the_store_before_they_are_removed(self, ground: Ground) -> None:
        before, after = ground.put("a", b"old"), ground.file(b"new")
        cut_off(ground, [write("a", before, after)], at="exchange")
        ground.tree.sweep(ground.staged)
        assert ground.on_disk() == {"a": (0o644, b"new")}
        assert ground.blobs.get(before.blob) == b"old"

    def test_a_torn_temporary_file_never_lands(self, ground: Ground) -> None:
        """Not even if somebody has just saved what it was meant to be."""
        ground.put("a", b"new")
        ground.put(".blueline-1.tmp", b"ne")
        step = WriteStep(
            path="a", before=ground.file(b"old"), after=ground.file(b"new"), temporary=".blueline-1.tmp"
        )
        write_record(ground.staged, [step], [])
        ground.tree.sweep(ground.staged)
        assert ground.on_disk() == {"a": (0o644, b"new")}

    def test_folders_in_use_stay(self, ground: Ground) -> None:
        write_record(ground.staged, [], ["a", "a/b", "c"])
        (ground.root / "c").mkdir()
        ground.put("a/mine", b"x")
        (ground.root / "a" / "b").mkdir()
        ground.tree.sweep(ground.staged)
        assert ground.on_disk() == {"a": None, "a/mine": (0o644, b"x")}

    @pytest.mark.parametrize(
        "content", [b"", b'{"version": 1, "st', b"\0" * 50 + b"\n", b"{}\n", b"[]\nready\n"]
    )
    def test_a_record_that_was_not_finished_means_that_nothing_was_done(
        self, ground: Ground, content: bytes
    ) -> None:
        ground.put("a", b"x")
        ground.staged.write_bytes(content)
        ground.tree.sweep(ground.staged)
        assert ground.on_disk() == {"a": (0o644, b"x")}
        assert not ground.staged.exists()
        ground.tree.sweep(ground.staged)

    def test_a_new_batch_sweeps_first(self, ground: Ground) -> None:
        before, after = ground.put("a", b"old"), ground.file(b"new")
        cut_off(ground, [write("a", before, after)], at="exchange")
        assert ground.replace(write("a", after, before)) == [("a", "written")]
        assert ground.on_disk() == {"a": (0o644, b"old")}

    def test_a_disk_that_refuses_is_swept_later(self, ground: Ground) -> None:  # F18
        before, after = ground.put("a", b"old"), ground.file(b"new")
        cut_off(ground, [write("a", before, after)], at="exchange")
        on_disk = ground.on_disk()

        def refuse(name: str, arguments: tuple[Any, ...]) -> None:
            raise OSError(errno.EROFS, "Read-only file system")

        with stepping_in(refuse):
            assert not ground.tree.sweep(ground.staged)
            assert ground.tree.content("a") == b"new"
            with pytest.raises(NotWritten, match="files of an earlier decision are in the way"):
                ground.tree.stage([], ground.staged)
        assert ground.on_disk() == on_disk
        assert ground.tree.sweep(ground.staged)
        assert ground.on_disk() == {"a": (0o644, b"new")}

    def test_a_project_whose_folders_are_gone_can_be_swept(self, ground: Ground) -> None:
        before, after = ground.put("d/a", b"old"), ground.file(b"new")
        cut_off(ground, [write("d/a", before, after)], at="exchange")
        os.rename(ground.root / "d", ground.state / "d")
        ground.tree.sweep(ground.staged)
        assert not ground.staged.exists()


class TestPowerCut:
    def test_everything_is_on_disk_before_the_next_thing_begins(self, ground: Ground) -> None:  # Z04
        before, after = ground.put("d/a", b"old"), ground.file(b"new")
        writes = [write("d/a", before, after), write("e/b", ABSENT, after)]
        calls: list[tuple[str, str]] = []

        def note(name: str, arguments: tuple[Any, ...]) -> None:
            if name == "fsync":
                path = os.readlink(f"/proc/self/fd/{arguments[0]}")
            elif name == "exchange":
                own, other = os.fsdecode(arguments[1]), os.fsdecode(arguments[3])
                path = own if other.startswith(".blueline-") else other
            else:
                path = os.fsdecode(arguments[0]) if name in ("open", "mkdir", "unlink") else ""
            if path:
                name_of = os.path.basename(path)
                calls.append((name, "temporary" if name_of.startswith(".blueline-") else name_of))

        with stepping_in(note):
            ground.tree.replace(writes, ground.staged)
        names = calls[calls.index(("open", "staged")) :]
        assert names == [
            ("open", "staged"),
            ("fsync", "staged"),
            ("fsync", "state"),
            ("mkdir", "e"),
            ("open", "temporary"),
            ("open", "temporary"),
            ("fsync", "temporary"),
            ("fsync", "temporary"),
            ("fsync", "staged"),
            ("exchange", "a"),
            ("unlink", "temporary"),
            ("exchange", "b"),
            ("fsync", "d"),
            ("fsync", "e"),
            ("unlink", "staged"),
        ]

    def test_of_many_files_each_is_on_disk_before_the_first_lands(
        self, ground: Ground, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        calls: list[object] = []

        def exchanged(*names: Any) -> bool:
            calls.append("lands")
            return exchange(*names)

        monkeypatch.setattr(disk, "sync_file", lambda fd: calls.append(os.fstat(fd).st_ino))
        monkeypatch.setattr(disk, "sync_folder", lambda folder: None)
        monkeypatch.setattr("blueline.workspace.landing.exchange", exchanged)
        count = 100
        states = [(ground.put(f"f{n}", b"old"), ground.file(b"new %d" % n)) for n in range(count)]
        writes = [write(f"f{n}", before, after) for n, (before, after) in enumerate(states)]
        calls.clear()
        assert {landed.outcome for landed in ground.tree.replace(writes, ground.staged)} == {"written"}
        first = calls.index("lands")
        assert len({*calls[:first]}) == count + 1  # and the record, twice
        assert calls[first:] == ["lands"] * count

    def test_which_of_many_files_the_disk_refuses_is_said(
        self, ground: Ground, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        sync = disk.sync_file
        writes = [write(f"f{n}", ABSENT, ground.file(b"new %d" % n)) for n in range(20)]

        def refuse(fd: int) -> None:
            if Path(f"/proc/self/fd/{fd}").read_bytes() == b"new 17":
                raise OSError(errno.ENOSPC, "No space left on device")
            sync(fd)

        monkeypatch.setattr(disk, "sync_file", refuse)
        with pytest.raises(NotWritten, match="cannot write f17: No space left on device"):
            ground.tree.stage(writes, ground.staged)
        assert ground.on_disk() == {}

    def test_a_disk_that_fails_at_the_end_says_so_and_keeps_the_record(
        self, ground: Ground, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        before, after = ground.put("a", b"old"), ground.file(b"new")

        def fail(folder: bytes) -> None:
            raise OSError(5, "Input/output error")

        with ground.tree.stage([write("a", before, after)], ground.staged) as staged:
            monkeypatch.setattr("blueline.kernel.disk.sync_folder", fail)
            with pytest.raises(NotCertain, match="may not be on disk for good: Input/output error"):
                staged.commit()
        assert ground.staged.exists()
        monkeypatch.undo()
        ground.tree.sweep(ground.staged)
        assert ground.replace(write("a", before, after)) == [("a", "already")]
