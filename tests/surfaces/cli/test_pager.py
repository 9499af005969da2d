"""Long answers on a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.project import POEM, Project
from tests.support.typed import typed


@pytest.fixture
def p(tmp_path: Path) -> Project:
    """A pager that says so. A terminal without a size has none of its lines to spare."""
    made = Project(tmp_path, {"poem.txt": POEM})
    made.prompt()
    made.edit("poem.txt", "line 5\n", "LINE 5\n")
    pager = tmp_path / "pager"
    pager.write_text('#!/bin/sh\necho "$1 paged"\ncat\n')
    pager.chmod(0o755)
    made.environ["PAGER"] = f"{pager} PAGER"
    made.environ["GIT_CONFIG_NOSYSTEM"] = "1"
    return made


@pytest.mark.parametrize("words", [("list",), ("diff",), ("log",), ("show", "t1")])
def test_what_is_longer_than_the_screen_goes_through_the_pager(p: Project, words: tuple[str, ...]) -> None:
    _, shown = typed(p.root, p.environ, "", *words)
    assert shown.startswith("PAGER paged")
    unpaged = typed(p.root, p.environ, "", *words, "--no-pager")
    assert "PAGER" not in unpaged[1]
    assert typed(p.root, p.environ, "", "--no-pager", *words) == unpaged
    assert "paged" not in typed(p.root, p.environ, "", *words, "--json")[1]


def test_the_order_is_that_of_git_and_the_repository_has_no_say(p: Project, tmp_path: Path) -> None:
    pager = tmp_path / "pager"
    p.git("init", "-q")
    p.git("config", "core.pager", f"{pager} REPOSITORY")
    assert typed(p.root, p.environ, "", "list")[1].startswith("PAGER paged")
    (p.home / ".gitconfig").write_text(f"[core]\n\tpager = {pager} CONFIG\n")
    assert typed(p.root, p.environ, "", "list")[1].startswith("CONFIG paged")
    p.environ["GIT_PAGER"] = f"{pager} GIT"
    assert typed(p.root, p.environ, "", "list")[1].startswith("GIT paged")
    for none in ("cat", ""):
        p.environ["GIT_PAGER"] = none
        assert typed(p.root, p.environ, "", "list")[1].startswith("1 hunk in 1 file")


def test_a_pager_that_is_not_there_loses_nothing(p: Project) -> None:
    p.environ["GIT_PAGER"] = "/nowhere/less 2>/dev/null"
    assert "1 hunk in 1 file" in typed(p.root, p.environ, "", "list")[1]
