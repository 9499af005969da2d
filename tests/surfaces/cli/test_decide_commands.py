"""What the commands that decide ask of the desk."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import Run
from tests.support.fake_desk import FakeDesk, decided, listing, refused
from tests.support.project import Project
from tests.support.typed import typed


def test_the_desk_is_told_everything_that_was_typed(run: Run) -> None:
    desk = FakeDesk(decide=decided(), undo=decided())
    run(desk, "reject", "h1", "a.md", "--keep-dependents", "--reason", "why not", "--dry-run")
    run(desk, "accept", "--all")
    run(desk, "reject", "t1", "--with-dependents")
    run(desk, "undo", "d3")
    common = {"everything": False, "committed": False, "dependents": "ask", "reason": "", "dry_run": False}
    assert desk.asked == [
        (
            "decide",
            ("reject", ["h1", "a.md"]),
            {**common, "dependents": "keep", "reason": "why not", "dry_run": True},
        ),
        ("decide", ("accept", []), {**common, "everything": True}),
        ("decide", ("reject", ["t1"]), {**common, "dependents": "with"}),
        ("undo", ("d3",), {}),
    ]


@pytest.mark.parametrize("verdict", ["accept", "reject"])
def test_who_names_a_file_beside_everything_is_not_taken_at_their_word(run: Run, verdict: str) -> None:
    desk = FakeDesk(decide=decided())
    done = run(desk, verdict, "--all", "a b.md")
    assert (done.code, desk.asked) == (2, [])
    assert "--all is everything, not only a b.md" in done.err
    assert f"blueline {verdict} 'a b.md', or --all by itself" in done.err


def test_the_commands_to_type_are_for_the_same_project_and_files(run: Run) -> None:
    answer = refused({"hunk": "h1", "built_on_by": ["h2"]})
    done = run(FakeDesk(decide=answer, list=listing()), "-C", "/", "reject", "--", "-a", "two words", "\x1b[")
    assert "  blueline -C / reject --with-dependents -- -a 'two words' $'\\033['\n" in done.err


@pytest.mark.parametrize(
    ("answer", "code", "text"),
    [
        ("b\n", 0, "timeout = 30\n"),
        ("keep\n", 0, "timeout = 45\n"),
        ("\n", 4, "timeout = 45\n"),
        ("what?\n", 4, "timeout = 45\n"),
    ],
)
def test_d1_on_a_terminal_a_correction_is_asked_about_with_both_texts(
    tmp_path: Path, answer: str, code: int, text: str
) -> None:
    p = Project(tmp_path, {"a.py": "timeout = 30\n"})
    p.prompt()
    p.edit("a.py", "30", "60")
    p.sub("a.py", "60", "45")
    found, shown = typed(p.root, p.environ, answer, "reject", "--all")
    assert (found, p.text("a.py")) == (code, text)
    assert "timeout = 45" in shown
    assert "timeout = 30" in shown
    assert "to keep what you wrote" in shown
    assert len(p.log("decision")) == (1 if code == 0 else 0)


@pytest.mark.parametrize(("answer", "code", "left"), [("y\n", 0, 0), ("\n", 4, 2)])
def test_a17_on_a_terminal_an_id_that_was_split_is_asked_about(
    tmp_path: Path, answer: str, code: int, left: int
) -> None:
    p = Project(tmp_path, {"a.py": "0\n"})
    p.prompt()
    p.edit("a.py", "0\n", "0\n1\n2\n3\n")
    (hunk,) = p.hunks()
    p.accept("a.py:3")
    assert len(p.hunks()) == 2
    found, shown = typed(p.root, p.environ, answer, "reject", hunk["id"])
    assert (found, len(p.hunks())) == (code, left)
    assert "is no longer current; in its place there are" in shown
    assert p.text("a.py") == ("0\n2\n" if answer == "y\n" else "0\n1\n2\n3\n")
