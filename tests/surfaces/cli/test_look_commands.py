"""The commands that look."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.support.command import Run
from tests.support.fake_desk import FakeDesk
from tests.support.project import Project


class TestDiff:
    def test_for_a_program_it_is_the_diff_and_nothing_else(self, run: Run) -> None:
        diff = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one  \n+two\n"
        assert run(FakeDesk(diff=diff), "diff").out == diff
        assert run(FakeDesk(diff=""), "diff").out == ""

    def test_selectors_reach_the_desk_as_they_were_typed(self, run: Run) -> None:
        desk = FakeDesk(diff="")
        run(desk, "diff", "a.md:3-4", "h77", "--", "-odd", "--json")
        assert desk.asked == [("diff", (["a.md:3-4", "h77", "-odd", "--json"],), {})]

    def test_in_colour_words_are_marked(self, run: Run) -> None:
        diff = "@@ -1 +1 @@\n-hello world\n+hello there\n"
        out = run(FakeDesk(diff=diff), "--color", "always", "diff").out
        assert "\x1b[31mhello \x1b[0m\x1b[7;31mworld\x1b[0m" in out

    def test_nothing_pending_explains_itself(self, run: Run) -> None:
        assert "No pending changes.\n" in run(FakeDesk(diff=""), "diff", "--color=always").out


class TestDiffForAProgram:
    def test_it_is_a_patch_that_git_takes_back_whatever_is_in_it(self, tmp_path: Path) -> None:
        files = {"a b.txt": "one\r\ntwo\x1b[31m\n\u202ethree", "\u00e4\t.txt": "x\n", "gone": "\x00\n\x07"}
        p = Project(tmp_path, files)
        p.git("init", "-q")
        before = p.standing()
        p.prompt()
        p.edit("a b.txt", "two\x1b[31m", "\x1b[2J\x07TWO\x7f")
        p.edit("\u00e4\t.txt", "x", "\u200b\x85y")
        p.write("new\x02", "\x1b]0;title\x07\n")
        environ = {**p.environ, "PYTHONPATH": str(Path(__file__).parents[3]), "PYTHONSAFEPATH": "1"}
        words = [sys.executable, "-m", "blueline", "diff"]
        patch = subprocess.run(words, cwd=p.root, env=environ, capture_output=True, check=True).stdout
        done = subprocess.run(["git", "apply", "-R", "--whitespace=nowarn"], cwd=p.root, input=patch)
        assert done.returncode == 0
        assert p.standing() == before
