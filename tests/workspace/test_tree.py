"""Looking at files."""

from __future__ import annotations

from pathlib import Path

from blueline.workspace.tree import Tree
from tests.support.workspace import Ground


def test_a_tree_can_be_over_a_link_to_the_project(tmp_path: Path) -> None:
    ground = Ground(tmp_path)
    expected = ground.put("a", b"x")
    (tmp_path / "other").symlink_to(ground.root)
    assert Tree(tmp_path / "other", ground.blobs).read("a")[0] == expected
