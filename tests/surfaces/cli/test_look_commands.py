"""The commands that look."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from blueline.desk.hunk_filter import HunkWish
from tests.support.command import Run
from tests.support.fake_desk import Document, FakeDesk, hunk, listing
from tests.support.project import Project


def differing(diff: str, *files: tuple[str, int, int]) -> Document:
    rows = [
        {"path": path, "added": added, "removed": removed, "binary": False} for path, added, removed in files
    ]
    return {"diff": diff, "files": rows}


class TestDiff:
    def test_for_a_program_it_is_the_diff_and_nothing_else(self, run: Run) -> None:
        diff = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one  \n+two\n"
        assert run(FakeDesk(diff=differing(diff)), "diff").out == diff
        assert run(FakeDesk(diff=differing("")), "diff").out == ""

    def test_selectors_reach_the_desk_as_they_were_typed(self, run: Run) -> None:
        desk = FakeDesk(diff=differing(""))
        run(desk, "diff", "a.md:3-4", "h77", "--", "-odd", "--json")
        assert desk.asked == [("diff", (["a.md:3-4", "h77", "-odd", "--json"],), {})]

    def test_in_colour_words_are_marked(self, run: Run) -> None:
        diff = "@@ -1 +1 @@\n-hello world\n+hello there\n"
        out = run(FakeDesk(diff=differing(diff)), "--color", "always", "diff").out
        assert "\x1b[31mhello \x1b[0m\x1b[7;31mworld\x1b[0m" in out

    def test_nothing_pending_explains_itself(self, run: Run) -> None:
        assert "No pending changes.\n" in run(FakeDesk(diff=differing("")), "diff", "--color=always").out

    def test_other_looks(self, run: Run) -> None:
        desk = FakeDesk(
            diff=differing("@@ -1 +1 @@ h1\n-hello world\n+hello there\n", ("a.md", 3, 1), ("\x1b", 0, 2))
        )
        assert run(desk, "diff", "--name-only").out == "a.md\n\\x1b\n"
        assert run(desk, "diff", "--stat").out == (
            " a.md | 4 +++-\n \\x1b | 2 --\n 2 files changed, 3 insertions(+), 3 deletions(-)\n"
        )
        assert run(desk, "diff", "--word").out == "@@ -1 +1 @@ h1\nhello [-world-]{+there+}\n"


class TestList:
    def test_what_is_wished_for_reaches_the_desk(self, run: Run) -> None:
        desk = FakeDesk(list=listing())
        run(desk, "list", "src", "--agent", "codex", "--since", "2026-01-01T00:00+00:00", "--turn", "t3")
        wish = HunkWish(("src",), agent="codex", since="2026-01-01T00:00:00.000Z", turn="t3")
        assert desk.asked == [("list", (), {"by": "hunk", "status": "pending", "wish": wish})]

    def test_a_turn_may_be_named_by_its_number(self, run: Run) -> None:
        desk = FakeDesk(list=listing())
        run(desk, "list", "--turn", "3")
        assert desk.asked[0][2]["wish"] == HunkWish(turn="t3")

    def test_nothing_that_was_asked_for_is_not_nothing_at_all(self, run: Run) -> None:
        shown = run(FakeDesk(list=listing()), "list", "--turn", "3", "--color=always").out
        assert shown.startswith("No change is what you asked for.\n")
        shown = run(FakeDesk(log={"entries": [], "tally": []}), "log", "--turn", "3", "--color=always").out
        assert shown.startswith("Nothing that happened is what you asked for.\n")

    def test_a_time_that_is_none_is_said_so(self, run: Run) -> None:
        done = run(FakeDesk(list=listing()), "list", "--since", "soon")
        assert (done.code, "'soon' is not a time" in done.err) == (1, True)

    def test_the_same_change_in_many_places_is_one_line(self, run: Run) -> None:
        places = [
            hunk(id=f"h{n}", path=f"{n}.py", old=f"x{n} = old_name\n", new=f"x{n} = new_name\n")
            for n in range(3)
        ]
        out = run(FakeDesk(list=listing(*places, hunk(id="h9"))), "list").out
        assert "the same change in 3 places in 3 files: " in out
        assert [line for line in out.splitlines() if line.startswith("  h1")] == []
        assert "  h9 " in out

    def test_a_long_list_begins_with_what_is_in_each_file(self, run: Run) -> None:
        many = [hunk(id=f"h{n}", path=f"{n // 30}.py", new=f"word{n}\n", new_lines=2) for n in range(45)]
        out = run(FakeDesk(list=listing(*many)), "list").out
        assert out.splitlines()[2:4] == ["0.py  30 hunks, +60 -30", "1.py  15 hunks, +30 -15"]


class TestDiffForAProgram:
    def test_it_is_a_patch_that_git_takes_back_whatever_is_in_it(self, tmp_path: Path) -> None:
        files = {"a b.txt": "one\r\ntwo\x1b[31m\n\u202ethree", "\u00e4\t.txt": "x\n", "gone": "\x00\n\x07"}
        p = Project(tmp_path, files)
        p.git("init", "-q")
        before = p.on_disk()
        p.prompt()
        p.edit("a b.txt", "two\x1b[31m", "\x1b[2J\x07TWO\x7f")
        p.edit("\u00e4\t.txt", "x", "\u200b\x85y")
        p.write("new\x02", "\x1b]0;title\x07\n")
        environ = {**p.environ, "PYTHONPATH": str(Path(__file__).parents[3]), "PYTHONSAFEPATH": "1"}
        words = [sys.executable, "-m", "blueline", "diff"]
        patch = subprocess.run(words, cwd=p.root, env=environ, capture_output=True, check=True).stdout
        done = subprocess.run(["git", "apply", "-R", "--whitespace=nowarn"], cwd=p.root, input=patch)
        assert done.returncode == 0
        assert p.on_disk() == before


class TestStatus:
    def test_nobody_is_reminded_of_a_review_that_was_never_set_up(self, tmp_path: Path) -> None:
        p = Project(tmp_path, {"a.py": "x\n"})
        p.git("init", "-q")
        p.git("add", "a.py")
        p.git("commit", "-qm", "one")
        p.prompt()
        p.edit("a.py", "x", "y")
        assert "review" not in p.command("status").stdout.replace("mode     review", "").replace(
            "are reviewed", ""
        )
        assert not p.status()["reviews"]
        assert any(one["code"] == "no-review" for one in p.status()["gate"]["reasons"]), (
            "the gate itself says it"
        )
        (p.root / ".blueline").mkdir(exist_ok=True)
        (p.root / ".blueline" / "config.toml").write_text('[review.loops.1]\nrun = ["true"]\n')
        assert p.status()["reviews"]
        assert "no review has been run" in p.command("status").stdout

    def test_ids_are_said_with_what_they_are(self, tmp_path: Path) -> None:
        p = Project(tmp_path, {"a.py": "x = 1\n"})
        p.prompt()
        p.edit("a.py", "1", "2")
        name = p.hunks()[0]["id"]
        assert p.command("list", "--ids").stdout.split() == [name, "c1", "t1"]
        assert p.command("list", "--ids", "--described").stdout.splitlines() == [
            f"{name}\ta.py:1 x = 1 → 2",
            "c1\tEdit: 1 hunk in a.py",
            "t1\t1 hunk in a.py",
        ]
