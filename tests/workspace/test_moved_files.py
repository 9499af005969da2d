"""Files that are no longer where they were."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from blueline.workspace import moved_files
from tests.support.workspace import Ground

FAR_FUTURE_NS = 2**62


class TestWhatAppeared:
    def inode(self, ground: Ground, path: str) -> tuple[int, int]:
        found = os.lstat(ground.root / path)
        return found.st_dev, found.st_ino

    def paths(self, ground: Ground, *inodes: tuple[int, int], since: int = FAR_FUTURE_NS) -> list[str]:
        return [one.path for one in ground.tree.appeared(since, set(inodes))]

    def test_a_moved_file_is_found_where_it_is_now(self, ground: Ground) -> None:
        ground.put("a.txt", b"mine")
        inode = self.inode(ground, "a.txt")
        (ground.root / "deep" / "down").mkdir(parents=True)
        os.rename(ground.root / "a.txt", ground.root / "deep" / "down" / "\udcff.txt")
        ground.put("a.txt", b"else")
        assert self.paths(ground, inode) == ["deep/down/\udcff.txt"]

    def test_what_changed_since_is_found(self, ground: Ground) -> None:
        ground.put("old", b"x")
        since = os.lstat(ground.root / "old").st_ctime_ns + 1
        assert self.paths(ground, since=since) == []
        assert self.paths(ground, since=since - 1) == ["old"]

    def test_only_regular_files_count(self, ground: Ground) -> None:
        (ground.root / "folder").mkdir()
        ground.link("link", "mine")
        os.mkfifo(ground.root / "pipe")
        assert self.paths(ground, since=0) == []

    @pytest.mark.parametrize("folder", sorted(moved_files.SKIPPED))
    def test_some_folders_are_not_looked_into(self, ground: Ground, folder: str) -> None:
        ground.put(f"x/{folder}/a.txt", b"mine")
        assert self.paths(ground, since=0) == []

    def test_links_are_not_followed(self, ground: Ground, tmp_path: Path) -> None:
        (tmp_path / "outside").mkdir()
        (tmp_path / "outside" / "a").write_bytes(b"mine")
        ground.link("away", str(tmp_path / "outside"))
        ground.link("circle", ".")
        assert self.paths(ground, since=0) == []

    def test_the_search_ends(self, ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
        for number in range(20):
            ground.put(f"{number}", b"x")
        ground.put("far/away/a", b"mine")
        inode = self.inode(ground, "far/away/a")
        assert self.paths(ground, inode) == ["far/away/a"]
        monkeypatch.setattr(moved_files, "MOST_ENTRIES", 20)
        assert self.paths(ground, inode) == []
