"""Files of somebody's project, read only if they are plain."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from blueline.kernel.plain_file import NotPlain, read_plain, read_those_there


def test_a_plain_file_is_read_whole_also_by_a_link(tmp_path: Path) -> None:
    content = os.urandom(200_000)
    (tmp_path / "a").write_bytes(content)
    (tmp_path / "l").symlink_to("a")
    assert read_plain(tmp_path / "a") == content
    assert read_plain(os.fsencode(tmp_path / "l")) == content
    with pytest.raises(OSError, match="symbolic links"):
        read_plain(str(tmp_path / "l"), follow_links=False)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(NotPlain, match="not a plain file"):
        read_plain(tmp_path / "pipe")


def test_what_is_no_file_fails_as_the_system_says(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        read_plain(tmp_path)
    with pytest.raises(FileNotFoundError):
        read_plain(tmp_path / "none")


def test_of_many_those_are_read_that_are_there(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x")
    os.mkfifo(tmp_path / "pipe")
    names = ("none", "a", "pipe", ".")
    assert read_those_there(tmp_path / name for name in names) == [b"", b"x", b"", b""]
