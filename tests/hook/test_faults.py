"""The hook process when it is killed, when the disk is full, and when nothing can be written."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import time
from pathlib import Path

import pytest

from blueline.journal.frames import Damage, Frame
from blueline.journal.observation import Observation, parse
from blueline.kernel import disk
from blueline.model.file_state import Regular, Unknown
from tests.support.hook_process import HookProject, observations

KILLED = (-signal.SIGKILL, 128 + signal.SIGKILL)
"""The second is how a shell says it that did not step aside for the hook."""


def killed(after: int, *, torn: bool) -> str:
    """The hook is killed before its next call to the system, or in the middle of it if it writes."""
    return f"""
import posix
left, kill, whole = {after}, posix.kill, posix.write
def deadly(call):
    def counted(*args, **named):
        global left
        left -= 1
        if left < 0:
            if {torn} and call is whole:
                whole(args[0], args[1][:len(args[1]) // 2])
            kill(posix.getpid(), 9)
        return call(*args, **named)
    return counted
for name in ("open", "read", "write", "close", "fsync", "fdatasync", "rename", "unlink", "mkdir", "lstat",
             "stat", "fstat", "readlink", "lseek", "umask", "_exit"):
    setattr(posix, name, deadly(getattr(posix, name)))
recorder.disk.flush = posix.fdatasync
"""


def refusing(folder: Path, call: str, number: int) -> str:
    """What is below a folder cannot be opened for writing, or written to, or made."""
    return f"""
import posix
ours, refused = set(), {str(folder).encode()!r}
opening, writing, making = posix.open, posix.write, posix.mkdir
def fail(): raise OSError({number}, "refused")
def guarded_open(path, flags, mode=0o777, dir_fd=None):
    below = path.startswith(refused)
    if {call == "open"} and below and flags & (posix.O_WRONLY | posix.O_CREAT): fail()
    fd = opening(path, flags, mode, dir_fd=dir_fd)
    (ours.add if below else ours.discard)(fd)
    return fd
def guarded_write(fd, data):
    if {call == "write"} and fd in ours: fail()
    return writing(fd, data)
def guarded_mkdir(path, mode=0o777):
    if {call == "open"} and path.startswith(refused): fail()
    return making(path, mode)
posix.open, posix.write, posix.mkdir = guarded_open, guarded_write, guarded_mkdir
"""


def elsewhere(*folders: Path) -> str:
    return f"recorder.project_folder.FALLBACKS = {tuple(str(folder).encode() for folder in folders)!r}\n"


class TestKilledAtEveryCall:
    """QD1, QD4, QD10, QC13, Z01, Z02"""

    @pytest.mark.parametrize("torn", [False, True], ids=["between calls", "in the middle of a write"])
    def test_a_record_is_there_or_not_and_what_was_there_stays(
        self, project: HookProject, torn: bool
    ) -> None:
        project.put("a.md", "content first")
        history = [project.record(project.event("a.md"))]
        disk.spread(os.fsencode(project.state / "blobs"))  # or the number of calls would depend on the hashes
        for calls in range(1000):
            project.put("a.md", f"content {calls}")
            # also long enough for the payload to be a blob
            raw = project.event("a.md", event="PostToolUse", filling="x" * 40_000, number=calls)
            code, out, _ = project.run(raw, killed(calls, torn=torn))
            history = self.check(project, history, raw, f"content {calls}".encode())
            if code == 0:
                break
            assert (code in KILLED, out) == (True, b"")
        assert calls > 50
        assert project.blobs.sweep(older_than_seconds=-1) > 0
        assert os.listdir(project.state / "blobs" / "tmp") == []
        assert len(history) > 2

    def test_so_it_is_when_the_state_folder_is_being_made(self, project: HookProject) -> None:
        for calls in range(1000):
            project.put("a.md", f"content {calls}")
            shutil.rmtree(project.home / "state", ignore_errors=True)
            raw = project.event("a.md", number=calls)
            code, _, _ = project.run(raw, killed(calls, torn=True))
            history = self.check(project, [], raw, f"content {calls}".encode())
            added = project.record(raw)
            assert project.observations() == [*history, added]
            if code == 0:
                break
            assert code in KILLED
        assert calls > 80

    def check(
        self, project: HookProject, history: list[Observation], raw: bytes, content: bytes
    ) -> list[Observation]:
        found = project.observations()
        assert found[: len(history)] == history
        for seen in found[len(history) :]:
            assert isinstance(seen.state, Regular)
            assert project.blobs.get(seen.state.blob) == content
            assert raw == (seen.raw if seen.raw_blob is None else project.blobs.get(seen.raw_blob))
        assert len(found) - len(history) <= 1
        return found


class TestADiskThatIsFullOrClosed:
    @pytest.mark.parametrize(
        ("call", "number"),
        [("write", errno.ENOSPC), ("open", errno.EROFS), ("open", errno.EACCES), ("write", errno.EIO)],
    )
    def test_the_record_goes_to_another_file_system(
        self, project: HookProject, tmp_path: Path, call: str, number: int
    ) -> None:  # QD7, QD23
        project.put("a.md", "one")
        other = tmp_path / "other"
        other.mkdir()
        raw = project.event("a.md", filling="x" * 40_000)
        refused = refusing(project.home / "state", call, number)
        assert project.run(raw, elsewhere(other) + refused) == (0, b"", b"")
        state = other / f"blueline-{os.geteuid()}" / project.state.name
        (seen,) = observations(state)
        assert project.observations() == []
        assert seen.path == "a.md"
        # what was kept there is taken in once the disk is well again
        adopted = project.blobs.adopt(state / "blobs")
        assert (adopted.moved, adopted.left) == (2, ())
        assert isinstance(seen.state, Regular)
        assert project.blobs.get(seen.state.blob) == b"one"
        assert seen.raw_blob is not None
        assert project.blobs.get(seen.raw_blob) == raw
        assert (state / "root").read_bytes() == os.fsencode(project.root)

    def test_hold_still_holds_there(self, project: HookProject, tmp_path: Path) -> None:
        project.set_mode("hold")
        refused = refusing(project.home / "state", "open", errno.EROFS)
        code, _, _ = project.run(project.event("a.md"), elsewhere(tmp_path) + refused)
        assert code == 2

    def test_a_folder_others_could_read_is_passed_over(self, project: HookProject, tmp_path: Path) -> None:
        name = f"blueline-{os.geteuid()}"
        (tmp_path / "open").mkdir()
        (tmp_path / "open" / name).mkdir(mode=0o700)
        (tmp_path / "open" / name).chmod(0o755)
        (tmp_path / "link").mkdir()
        (tmp_path / "elsewhere").mkdir(mode=0o700)
        (tmp_path / "link" / name).symlink_to(tmp_path / "elsewhere")
        (tmp_path / "good").mkdir()
        others = [tmp_path / folder for folder in ("missing", "open", "link", "good")]
        refused = refusing(project.home / "state", "open", errno.EROFS)
        assert project.run(project.event("a.md"), elsewhere(*others) + refused) == (0, b"", b"")
        assert len(observations(tmp_path / "good" / name / project.state.name)) == 1
        assert list((tmp_path / "elsewhere").iterdir()) == list((tmp_path / "open" / name).iterdir()) == []

    def test_with_nowhere_left_it_says_so_and_lets_the_agent_go_on(
        self, project: HookProject, tmp_path: Path
    ) -> None:  # QD25
        project.set_mode("hold")
        refused = refusing(tmp_path, "write", errno.ENOSPC)
        code, out, err = project.run(project.event("a.md"), elsewhere(tmp_path) + refused)
        assert (code, out) == (0, b"")
        assert err == b"blueline: this event could not be recorded (ENOSPC)\n"

    def test_a_record_without_its_bytes_says_that_it_could_not_look(
        self, project: HookProject
    ) -> None:  # Z05
        project.put("b.md", "before")
        project.record(project.event("b.md"))
        project.put("a.md", "one")
        full = refusing(project.state / "blobs", "write", errno.ENOSPC)
        seen = project.record(project.event("a.md"), full)
        assert (seen.path, seen.state) == ("a.md", Unknown(why="cannot-store ENOSPC"))
        assert seen.stat is not None
        assert os.listdir(project.state / "blobs" / "tmp") == []

    def test_after_a_short_write_the_whole_record_is_written_again(self, project: HookProject) -> None:
        project.record(project.event("a.md"))
        short = """
import posix
first, write = True, posix.write
def short(fd, data):
    global first
    if first and bytes(data).startswith(b"\\xb1BLJ"):
        first = False
        data = data[:len(data) - 1]
    return write(fd, data)
posix.write = short
"""
        assert project.run(project.event("b.md"), short) == (0, b"", b"")
        project.record(project.event("c.md"))
        found = project.journal()
        assert [type(one) for one in found] == [Frame, Damage, Frame, Frame]
        assert [parse(one.payload).path for one in found if isinstance(one, Frame)] == [
            "a.md",
            "b.md",
            "c.md",
        ]

    def test_a_blob_that_a_power_cut_emptied_is_stored_again(self, project: HookProject) -> None:  # QD5
        path = project.put("a.md", "one")
        state = project.record(project.event("a.md")).state
        assert isinstance(state, Regular)
        stored = project.state / "blobs" / state.blob[:2] / state.blob[2:]
        stored.write_bytes(b"")
        project.record(project.event("a.md"))
        assert project.blobs.get(state.blob) == path.read_bytes()


def test_a_clock_that_jumps_back_changes_no_order(project: HookProject) -> None:  # QD24
    for number, second in enumerate((5_000_000_000, 5, 4_102_444_800)):
        project.run(project.event(f"{number}"), f"import time; time.time_ns = lambda: {second} * 10**9")
    seen = project.observations()
    assert [one.path for one in seen] == ["0", "1", "2"]
    assert [one.at_ns // 10**9 for one in seen] == [5_000_000_000, 5, 4_102_444_800]
    assert abs(project.record(project.event("3")).at_ns - time.time_ns()) < 3600 * 10**9
