"""Who wrote each line: agents, the person, and below them git."""

from __future__ import annotations

from pathlib import Path

import pytest

from blueline.desk.selectors import UnknownSelector
from tests.support.project import Project


def committed(p: Project, message: str) -> str:
    p.git("add", "-A")
    p.git("commit", "-qm", message)
    return p.git("rev-parse", "HEAD").strip()


def test_recorded_lines_have_their_turn_and_older_ones_their_commit(tmp_path: Path) -> None:
    p = Project(tmp_path, {"src/a.py": "one\ntwo\n"})
    p.git("init", "-q")
    first = committed(p, "begin")
    p.put("src/a.py", "one\ntwo\nthree\n")
    second = committed(p, "go on\n\nand on")
    p.prompt("make it loud\nplease")
    p.edit("src/a.py", "two", "TWO")
    p.put("src/a.py", "zero\none\nTWO\nthree\nuntold\n")
    with p.desk() as desk:
        found = desk.history.blame("src/a.py")
    rows = [
        (
            one["text"],
            (one["actor"] or {"kind": ""})["kind"],
            one["turn"],
            one["commit"],
            one["author"],
            one["summary"],
        )
        for one in found["lines"]
    ]
    assert rows == [
        ("zero", "external", None, None, None, None),
        ("one", "", None, first, "Person", "begin"),
        ("TWO", "agent", "t1", None, None, "make it loud"),
        ("three", "", None, second, "Person", "go on"),
        ("untold", "external", None, None, None, None),
    ]
    assert [one["pending"] for one in found["lines"]] == [False, False, True, False, False]
    assert [one["line"] for one in found["lines"]] == [1, 2, 3, 4, 5]


def test_a_file_that_nobody_reviews_is_gits_alone(tmp_path: Path) -> None:
    p = Project(tmp_path, {"a.py": "one\ntwo"})
    with p.desk() as desk:
        assert [one["commit"] for one in desk.history.blame("a.py")["lines"]] == [None, None]
    p.git("init", "-q")
    commit = committed(p, "begin")
    with p.desk() as desk:
        assert [one["commit"] for one in desk.history.blame("a.py")["lines"]] == [commit, commit]


def test_what_is_no_text_here_is_said_so(tmp_path: Path) -> None:
    p = Project(tmp_path, {"b.bin": b"\x00", "d/x": "x\n"})
    (p.root / "link").symlink_to("/etc/passwd")
    with p.desk() as desk:
        for typed in ("b.bin", "d", "nowhere", "../x", "link", ""):
            with pytest.raises(UnknownSelector):
                desk.history.blame(typed)
