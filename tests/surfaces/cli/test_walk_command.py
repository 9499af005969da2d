"""Going through changes: in a real terminal, as somebody would."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.project import POEM, Project
from tests.support.tmux import Tmux
from tests.support.typed import typed

PROMPT = "[a,x,n,p,u,s,v,c,b,f,t,e,?,q]"


@pytest.fixture
def p(tmp_path: Path) -> Project:
    made = Project(tmp_path, {"a.py": "timeout = 30\n", "poem.txt": POEM})
    made.prompt("be more patient")
    made.edit("a.py", "30", "60")
    made.edit("poem.txt", "line 5\n", "LINE 5\nline five and a half\nanother\n")
    made.edit("poem.txt", "line 15\n", "")
    return made


def walked(p: Project, *typing: str, words: tuple[str, ...] = ("walk",)) -> tuple[int, str]:
    code, shown = typed(p.root, p.environ, "".join(f"{line}\n" for line in typing), *words)
    return code, shown.replace("\r\n", "\n")


def test_each_change_is_shown_with_place_who_why_and_context(p: Project) -> None:
    code, shown = walked(p, "n", "n", "q")
    assert code == 0
    first, second, third = (shown.split(f"{at} of 3")[1] for at in (1, 2, 3))
    for word in ("a.py:1", "by claude-code with Edit in t1", "asked: be more patient"):
        assert word in first
    assert "   -timeout = 30" in first.replace("\n  -", "\n   -")
    assert "1 +timeout = 60\n             ^^\n" in first, (
        "without colours, the words that changed are underlined"
    )
    assert " 4  line 4\n   -line 5\n 5 +LINE 5\n 6 +line five and a half\n 7 +another\n 8  line 6\n" in second
    assert "16  line 14\n   -line 15\n17  line 16\n" in third
    assert "Nothing decided; 3 left to decide." in shown
    assert p.log("decision") == []


def test_one_key_decides_and_goes_on_and_u_takes_it_back(p: Project) -> None:
    code, shown = walked(p, "x", "a", "u", "q")
    assert p.text("a.py") == "timeout = 30\n"
    assert [one["path"] for one in p.hunks()] == ["poem.txt", "poem.txt"]
    assert [one["verdict"] for one in p.log("decision")] == ["undo", "accept", "reject"]
    assert shown.count("poem.txt:5") == 2, "what was taken back is what is asked about again"
    assert "1 rejected; 2 left to decide." in shown
    assert code == 0


@pytest.mark.parametrize("by", ["mark", "process"])
def test_an_agent_with_a_terminal_decides_nothing(p: Project, tmp_path: Path, by: str) -> None:  # D5
    p.reject(p.hunk("60"))
    before = p.on_disk(), p.log("decision"), p.hunks()
    keys = "a\nx\na f\nx t\nu\nc do as I say\nv\nq\n"
    shell = Path(shutil.copy("/bin/sh", tmp_path / ("claude" if by == "process" else "shell")))
    marked = {"CLAUDECODE": "1"} if by == "mark" else {}
    code, shown = typed(p.root, {**p.environ, **marked}, keys, "walk", below=shell)
    assert code == 0
    for what in ("accept", "reject", "undo", "write a note"):
        assert f"claude-code may not {what}" in shown
    assert (p.on_disk(), p.log("decision"), p.hunks()) == before
    assert "Nothing decided; 2 left to decide." in shown


def test_a_walk_ends_when_nothing_is_left(p: Project) -> None:
    code, shown = walked(p, "a", "a", "a")
    assert (code, p.hunks()) == (0, [])
    assert "3 accepted; nothing is left to decide." in shown


def test_p01_lines_by_their_numbers(p: Project) -> None:
    _, shown = walked(p, "x 6", "x 1-2", "x 6 7", "q", words=("walk", "poem.txt:5"))
    assert "line five and a half" not in p.text("poem.txt")
    assert "LINE 5\nanother\n" in p.text("poem.txt")
    assert "This change is on line 5; name some of that." in shown
    assert "'x 6 7' means nothing here" in shown


def test_a_split_change_is_decided_part_by_part(p: Project) -> None:
    _, shown = walked(p, "s", "a", "x", "a", "q", words=("walk", "poem.txt:5-7"))
    assert "Split into 3." in shown
    assert "line 5 of it" in shown
    assert "Accepted line 5 (decision d1).\n" in shown
    assert "Rejected line 6 (decision d2).\n" in shown
    assert "LINE 5\nanother\n" in p.text("poem.txt")
    assert [one["path"] for one in p.hunks()] == ["a.py", "poem.txt"]


def test_a_reason_is_kept_and_a_note_is_sent(p: Project) -> None:
    walked(p, "c why sixty?", "x because nobody asked", "q")
    (decision,) = p.log("decision")
    (note,) = p.log("note")
    assert (decision["verdict"], decision["reason"]) == ("reject", "nobody asked")
    assert (note["note"], note["text"], note["status"]) == ("question", "why sixty?", "sent")


@pytest.mark.parametrize(
    ("answer", "text"), [("b", "timeout = 30\n"), ("k", "timeout = 45\n"), ("", "timeout = 45\n")]
)
def test_d1_a_correction_is_asked_about_with_both_results(p: Project, answer: str, text: str) -> None:
    p.sub("a.py", "60", "45")
    _, shown = walked(p, "x", answer, "q", words=("walk", "a.py"))
    assert p.text("a.py") == text
    assert "line 1 is   timeout = 45" in shown
    assert "was   timeout = 30" in shown
    assert len(p.log("decision")) == bool(answer)


def test_d02_dependents_are_asked_about_with_what_would_go(p: Project) -> None:
    p.prompt("shout")
    p.edit("poem.txt", "line five and a half", "LINE FIVE AND A HALF")
    _, shown = walked(p, "n", "x", "k", "q", words=("walk", "t1"))
    assert "is built on by" in shown
    assert "to take them back too" in shown
    assert "LINE FIVE AND A HALF" in p.text("poem.txt")


def test_what_was_not_shown_is_asked_about_before_it_is_decided(p: Project) -> None:
    _, shown = walked(p, "a t", "", "a t", "y")
    assert shown.count("accept 3 changes in 2 files, 2 of them not shown in full yet:") == 2
    assert p.hunks() == []
    assert len(p.log("decision")) == 1


def test_the_end_of_a_long_change_is_shown_before_it_is_decided(tmp_path: Path) -> None:
    p = Project(tmp_path)
    p.prompt()
    p.write("long.txt", "".join(f"line {number}\n" for number in range(100)))
    _, shown = walked(p, "a", "", "f", "a")
    assert shown.count("1 of them not shown in full yet:") == 1
    assert "100 +line 99" in shown
    assert p.hunks() == []


def test_a_scope_that_was_looked_at_is_decided_without_a_question(p: Project) -> None:
    _, shown = walked(p, "n", "f", "x f", "q")
    assert "poem.txt: 2 changes in 1 file, undecided." in shown
    assert "not shown in full" not in shown
    assert p.text("poem.txt") == POEM
    assert [one["path"] for one in p.hunks()] == ["a.py"]


def test_the_same_change_everywhere(tmp_path: Path) -> None:
    p = Project(tmp_path, {f"{name}.py": f"import {name}\nrun(old_name)\n" for name in "abc"})
    p.prompt("rename it")
    for name in "abc":
        p.edit(f"{name}.py", "old_name", "new_name")
    p.edit("a.py", "import a", "import os")
    _, shown = walked(p, "=", "n", "=", "a =", "q")
    assert "This change was made nowhere else." in shown
    assert shown.count("note: the same in 2 other places; = shows them, a = and x = decide about all") == 1
    assert "the same change: 3 changes in 3 files, undecided." in shown
    assert [one["path"] for one in p.hunks()] == ["a.py"]


def test_an_edit_in_the_editor_is_taken_in_before_anything_else(p: Project, tmp_path: Path) -> None:
    editor = tmp_path / "vi"
    editor.write_text('#!/bin/sh\nprintf "%s\\n" "$1" >"$HOME/asked"\nsed -i s/60/61/ "$2"\n')
    editor.chmod(0o755)
    p.environ["EDITOR"] = str(editor)
    _, shown = walked(p, "e", "q")
    assert (p.home / "asked").read_text() == "+1\n"
    assert "timeout = 61" in shown
    assert p.text("a.py") == "timeout = 61\n"


def test_nobody_is_asked_where_nobody_answers(p: Project) -> None:
    done = p.command("walk")
    assert done.returncode == 1
    assert "walk needs a terminal" in done.stderr


def test_plain_blueline_walks_where_something_is_undecided_and_else_says_that_all_is(p: Project) -> None:
    code, shown = walked(p, "q", words=())
    assert (code, "1 of 3" in shown) == (0, True)
    p.accept()
    code, shown = walked(p, words=())
    assert code == 0
    assert "nothing: every change is decided" in shown
    outside = p.home / "elsewhere"
    outside.mkdir()
    code, shown = typed(outside, p.environ, "")
    assert code == 2
    assert "usage: blueline" in shown


def test_single_keys_where_git_has_them(p: Project) -> None:
    (p.home / ".gitconfig").write_text("[interactive]\n\tsingleKey = true\n")
    code, shown = typed(p.root, p.environ, "xaq", "walk")
    assert code == 0
    assert p.text("a.py") == "timeout = 30\n"
    assert "1 accepted, 1 rejected; 1 left to decide." in shown


def test_a_change_that_is_not_what_was_seen_is_not_decided(p: Project) -> None:
    with Tmux(p.root, p.environ) as window:
        window.type("blueline walk a.py")
        window.wait_for(PROMPT)
        p.edit("a.py", "60", "90")
        window.type("a")
        shown = window.wait_for("It is now:")
        assert "nothing was decided" in shown
        assert p.log("decision") == []


def test_what_agents_do_meanwhile_is_announced_below_a_half_typed_line(p: Project) -> None:
    with Tmux(p.root, p.environ) as window:
        window.type("blueline walk")
        window.wait_for(PROMPT)
        window.type("c is thi", then="")
        window.wait_for("c is thi")
        p.write("new.py", "x = 1\n")
        window.wait_for("* 1 new change by claude-code in new.py")
        window.wait_for(f"{PROMPT} c is thi", times=2)
        window.type("s right?")
        window.wait_for("Noted (question, n1)")
        window.type("q")
        window.wait_for("4 left to decide.")
    (note,) = p.log("note")
    assert note["text"] == "is this right?"


def test_it_fits_sixty_columns_and_a_window_that_is_resized(p: Project) -> None:
    with Tmux(p.root, p.environ, width=60) as window:
        window.type("blueline walk")
        window.wait_for(PROMPT)
        window.type("?")
        shown = window.wait_for("still there")
        assert "accept, reject? [a,x,n,p,u,s,v,c,b,f,t,e,?,q] ?" in shown, "nothing of ours is wrapped"
        window.type("x because it is much too patient for my taste", then="BSpace")
        window.type("y", then="")
        shown = window.wait_for("for my tasty")
        assert shown.count(f"{PROMPT} x because") == 1, "a line that is too long is drawn again in its place"
        window.type("", then="C-u")
        window.resize(100)
        window.type("n")
        window.wait_for("2 of 3")


def test_ctrl_c_leaves_at_any_moment_and_loses_nothing(p: Project) -> None:
    with Tmux(p.root, p.environ) as window:
        window.type("blueline walk; echo code $?")
        window.wait_for(PROMPT)
        window.type("x")
        window.wait_for("2 of 3")
        window.type("a 3", then="C-c")
        shown = window.wait_for("code 130")
        assert "1 rejected; 2 left to decide." in shown
        window.type("echo typed; stty -a | grep -o ' icanon'")
        window.wait_for("typed\n icanon")
    assert p.text("a.py") == "timeout = 30\n"


def test_after_ctrl_z_and_fg_what_was_asked_is_asked_again(p: Project) -> None:
    with Tmux(p.root, p.environ) as window:
        window.type("blueline walk")
        window.wait_for(PROMPT)
        window.type("x bec", then="")
        window.wait_for(f"{PROMPT} x bec")
        window.type("", then="C-z")
        window.wait_for("Stopped")
        window.type("fg")
        window.wait_for(f"{PROMPT} x bec", times=2)
        window.type("ause of that")
        window.wait_for("2 of 3")
    (decision,) = p.log("decision")
    assert decision["reason"] == "of that"
