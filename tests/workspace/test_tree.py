"""Looking at files."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from blueline.workspace.tree import Tree
from tests.support.workspace import Ground


def test_a_tree_can_be_over_a_link_to_the_project(tmp_path: Path) -> None:
    ground = Ground(tmp_path)
    expected = ground.put("a", b"x")
    (tmp_path / "other").symlink_to(ground.root)
    assert Tree(tmp_path / "other", ground.blobs).read("a")[0] == expected


class TestAFileThatIsEmptiedToBeWritten:
    """As most editors save."""

    @pytest.mark.parametrize("seconds_ago", [0, 3600])
    def test_is_waited_for(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds_ago: int) -> None:
        ground = Ground(tmp_path)
        ground.put("a", b"")
        at = time.time() - seconds_ago
        with (ground.root / "a").open("wb") as saved:
            os.utime(ground.root / "a", (at, at))

            def go_on(_: float) -> None:
                saved.write(b"new")
                saved.flush()

            monkeypatch.setattr(time, "sleep", go_on)
            assert ground.tree.read("a", filled=True)[0] == ground.file(b"new")

    def test_is_empty_after_a_while(self, tmp_path: Path) -> None:
        ground = Ground(tmp_path)
        expected = ground.put("a", b"")
        assert ground.tree.read("a", filled=True)[0] == expected
