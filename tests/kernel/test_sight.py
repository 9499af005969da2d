"""What is seen of a file: links, pipes, folders, and files that move."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path

import pytest

from blueline.model.file_state import Absent, Link, Other, Regular, Unknown
from tests.support.hook_process import HookProject


class TestWhatIsNotAPlainFile:
    def test_a_file_that_is_to_be_made(self, project: HookProject) -> None:
        assert project.record(project.event("new.md")).state == Absent(missing_folder="")

    def test_a_file_that_is_to_be_made_with_its_folders(self, project: HookProject) -> None:
        project.put("src/a.py", "one")
        seen = project.record(project.event("src/deep/er/b.py"))
        assert (seen.path, seen.state) == ("src/deep/er/b.py", Absent(missing_folder="src/deep"))
        assert project.record(project.event("src/a.py/b")).state == Absent()

    def test_a_link_to_a_file_in_the_project_stands_for_the_file(self, project: HookProject) -> None:
        project.put("real/a.md", "one")
        (project.root / "folder").symlink_to("real")
        (project.root / "link").symlink_to("folder/a.md")
        for name in ("link", "folder/a.md"):
            seen = project.record(project.event(name))
            assert (seen.path, type(seen.state)) == ("real/a.md", Regular)

    def test_what_is_outside_is_named_and_not_read(self, project: HookProject, tmp_path: Path) -> None:  # Z12
        outside = tmp_path / "outside\n.md"
        outside.write_text("secret")
        (project.root / "link").symlink_to(outside)
        (project.root / "folder").symlink_to(tmp_path)
        for name in ("link", "folder/outside\n.md", "../outside\n.md", str(outside)):
            seen = project.record(project.event(name))
            assert (seen.path, seen.outside, seen.state) == (None, str(outside), None)
        assert list(project.blobs.ids()) == []

    def test_a_folder_whose_name_begins_like_the_project_is_outside(self, project: HookProject) -> None:
        sibling = Path(f"{project.root}-2/a.md")
        assert project.record(project.event(str(sibling))).outside == str(sibling)

    @pytest.mark.parametrize("target", ["nowhere", "/nowhere/at/all", "folder", "link"])
    def test_a_link_to_nothing_or_to_a_folder_is_itself(
        self, project: HookProject, target: str
    ) -> None:  # Z13
        (project.root / "folder").mkdir()
        (project.root / "link").symlink_to(target)
        seen = project.record(project.event("link"))
        assert (seen.path, seen.state) == ("link", Link(target=target))
        assert seen.stat is not None

    def test_pipes_sockets_and_folders_are_not_opened(self, project: HookProject) -> None:  # Z55
        os.mkfifo(project.root / "pipe")
        (project.root / "folder").mkdir()
        with socket.socket(socket.AF_UNIX) as server, pytest.MonkeyPatch.context() as patch:
            patch.chdir(project.root)  # a socket's path has to be short
            server.bind("socket")
            for name, kind in (("pipe", stat.S_ISFIFO), ("socket", stat.S_ISSOCK), ("folder", stat.S_ISDIR)):
                state = project.record(project.event(name)).state
                assert isinstance(state, Other)
                assert kind(state.mode)

    def test_the_root_itself(self, project: HookProject) -> None:
        seen = project.record(project.event("."))
        assert (seen.path, type(seen.state)) == (".", Other)

    @pytest.mark.parametrize("name", ["zero\0byte", "x" * 300, "a/" * 3000 + "b"])
    def test_names_no_file_can_have(self, project: HookProject, name: str) -> None:
        state = project.record(project.event(name)).state
        assert isinstance(state, Unknown | Absent)

    def test_half_a_character_in_a_name(self, project: HookProject) -> None:
        project.put("a\ufffd", "one")
        assert project.record(project.event("a\ud800")).path == "a\ufffd"


class TestAFileThatMoves:
    def test_a_file_that_changes_once_while_it_is_read_is_read_again(
        self, project: HookProject
    ) -> None:  # Z56
        project.put("a.md", "one")
        state = project.record(project.event("a.md"), changing(project.root / "a.md", times=1)).state
        assert isinstance(state, Regular)
        assert project.blobs.get(state.blob) == b"one+"

    def test_a_file_that_keeps_changing_is_unknown(self, project: HookProject) -> None:  # Z56
        project.put("a.md", "one")
        seen = project.record(project.event("a.md"), changing(project.root / "a.md", times=99))
        assert (seen.path, seen.state) == ("a.md", Unknown(why="changed-while-reading"))
        assert list(project.blobs.ids()) == []

    def test_a_file_that_vanishes_is_absent(self, project: HookProject) -> None:  # Z56
        project.put("a.md", "one")
        prelude = before_opening("a.md", f"posix.unlink({str(project.root / 'a.md')!r})")
        assert project.record(project.event("a.md"), prelude).state == Absent()

    def test_a_file_that_becomes_a_pipe_is_not_waited_for(self, project: HookProject) -> None:
        path = str(project.put("a.md", "one"))
        prelude = before_opening("a.md", f"posix.unlink({path!r}); posix.mkfifo({path!r})")
        assert isinstance(project.record(project.event("a.md"), prelude).state, Other)

    def test_a_folder_that_becomes_a_link_out_is_not_followed(
        self, project: HookProject, tmp_path: Path
    ) -> None:
        (tmp_path / "secret").mkdir()
        (tmp_path / "secret" / "a.md").write_text("secret")
        folder = str(project.put("src/a.md", "one").parent)
        secret = str(tmp_path / "secret")
        swap = f"posix.rename({folder!r}, {folder + '2'!r}); posix.symlink({secret!r}, {folder!r})"
        state = project.record(project.event("src/a.md"), before_opening("src", swap)).state
        assert not isinstance(state, Regular)
        assert list(project.blobs.ids()) == []

    def test_a_file_that_may_not_be_read_is_unknown(self, project: HookProject) -> None:  # Z56
        project.put("a.md", "one")
        prelude = before_opening("a.md", "raise PermissionError(13, 'no')", times=99)
        seen = project.record(project.event("a.md"), prelude)
        assert seen.state == Unknown(why="cannot-read EACCES")
        assert seen.stat is not None

    def test_a_file_too_large_to_wait_for_is_declined(self, project: HookProject) -> None:  # QC9, Z21
        with project.put("a.bin", "").open("r+b") as file:
            file.truncate(1 << 40)
        assert project.record(project.event("a.bin")).state == Unknown(why="too-large")


def changing(path: Path, *, times: int) -> str:
    """The file grows whenever the hook has read from it."""
    return f"""
import posix
left, read = {times}, posix.read
def growing(fd, size):
    global left
    data = read(fd, size)
    if fd and left and data:
        left -= 1
        out = posix.open({str(path)!r}, posix.O_WRONLY | posix.O_APPEND)
        posix.write(out, b"+")
        posix.close(out)
    return data
posix.read = growing
"""


def before_opening(name: str, action: str, *, times: int = 1) -> str:
    """Something happens after the hook has looked at a file and before it opens it."""
    return f"""
import posix
left, opening = {times}, posix.open
def late(path, flags, mode=0o777, dir_fd=None):
    global left
    if path == {name.encode()!r} and left:
        left -= 1
        {action}
    return opening(path, flags, mode, dir_fd=dir_fd)
posix.open = late
"""
