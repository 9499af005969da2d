"""Folders are opened one below the other."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from blueline.workspace.open_folders import NoFolder, OpenFolders


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root" / "a" / "b").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    return tmp_path / "root"


def test_a_link_on_the_way_leads_nowhere(root: Path) -> None:
    (root / "link").symlink_to(root.parent / "elsewhere")
    with OpenFolders(root) as folders, pytest.raises(NoFolder) as refused:
        folders.at("link")
    assert refused.value.blocked


def test_a_folder_that_became_a_link_is_left(root: Path) -> None:
    with OpenFolders(root) as folders:
        inside = os.fstat(folders.at("a/b")).st_ino
        assert inside == (root / "a" / "b").stat().st_ino
        (root / "a" / "b").rmdir()
        (root / "a" / "b").symlink_to(root.parent / "elsewhere")
        folders.leave("a/b")
        with pytest.raises(NoFolder):
            folders.at("a/b")


def test_nothing_is_not_the_same_as_something_in_the_way(root: Path) -> None:
    (root / "file").touch()
    with OpenFolders(root) as folders:
        for path, blocked in (("none", False), ("file", True), ("a/none/deeper", False)):
            with pytest.raises(NoFolder) as refused:
                folders.at(path)
            assert refused.value.blocked is blocked
