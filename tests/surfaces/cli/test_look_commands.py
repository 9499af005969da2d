"""The commands that look."""

from __future__ import annotations

from tests.support.command import Run
from tests.support.fake_desk import FakeDesk


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
