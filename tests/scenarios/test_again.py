"""A change that is made again after it was rejected."""

from __future__ import annotations

import pytest

from tests.support.project import POEM, Make
from tests.support.talking import heard


def test_g02_a_change_made_again_after_it_was_rejected_is_marked(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3", "line three")
    first = p.hunks()[0]
    assert first["again"] is None
    p.reject("a.md")
    p.prompt("again")
    p.write("a.md", POEM.replace("line 3", "line three"))
    second = p.hunks()[0]
    assert (second["again"], second["id"] == first["id"]) == (first["id"], False)
    assert "proposed again" in p.command("list").stdout
    assert (
        f"proposed again: {first['id']}, the same change, was rejected"
        in p.command("show", second["id"]).stdout
    )
    p.reject("a.md")
    p.prompt("and again")
    p.edit("a.md", "line 3\n", "line three\n")
    assert p.hunks()[0]["again"] == second["id"]


def test_g02_whatever_was_typed_elsewhere_meanwhile(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3", "line three")
    first = p.hunks()[0]["id"]
    p.reject("a.md")
    p.sub("a.md", "line 1\n", "line 1\nmine\n" * 40)
    p.sub("a.md", "line 3\n", "line 3 and mine\n")
    p.edit("a.md", "line 3", "line three")
    assert p.hunks()[0]["again"] == first


@pytest.mark.parametrize(
    ("rejected", "made"),
    [
        (("line 3\n", "line 3!\n"), ("line 4\n", "line 4!\n")),
        (("line 3\n", "line three\n"), ("line 3\n", "line 33\n")),
        (("line 3\n", "line 3\nnew\n"), ("line 9\n", "line 9\nnew\n")),
    ],
    ids=["another place", "another text", "a short line elsewhere"],
)
def test_g02_another_change_is_not_marked(
    project: Make, rejected: tuple[str, str], made: tuple[str, str]
) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", *rejected)
    p.reject("a.md")
    p.edit("a.md", *made)
    assert [hunk["again"] for hunk in p.hunks()] == [None]


@pytest.mark.parametrize(
    "made",
    [
        ("line 3\n", "line 3\nand more\n"),
        ("line 3\n", ""),
        ("line 3", "line 3 and more"),
        ("line 3", "3"),
        ("line 3\n", "line three\n"),
    ],
    ids=["an inserted line", "a deleted line", "inserted words", "deleted words", "other words"],
)
def test_g02_insertions_and_deletions_count_too(project: Make, made: tuple[str, str]) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", *made)
    first = p.hunks()[0]["id"]
    p.reject("a.md")
    p.edit("a.md", *made)
    assert [hunk["again"] for hunk in p.hunks()] == [first]


def test_g02_a_block_of_lines_is_the_same_change_wherever_it_is_put(project: Make) -> None:
    block = "def helper():\n    return 'the same as before'\n"
    p = project({"a.py": "import os\n\n\nprint(os)\n"})
    p.prompt()
    p.edit("a.py", "print(os)\n", f"{block}print(os)\n")
    first = p.hunks()[0]["id"]
    p.reject("a.py")
    p.edit("a.py", "import os\n", f"{block}import os\n")
    assert [hunk["again"] for hunk in p.hunks()] == [first]


def test_g02_whole_files(project: Make) -> None:
    p = project({"gone.md": POEM, "bytes": b"\xff\x00", "picture": b"\xff\x01"})
    p.prompt()

    def work() -> None:
        p.write("new.md", "one\n")
        p.write("picture", b"\xff\x02")
        p.remove("gone.md")
        p.remove("bytes")

    work()
    first = {hunk["path"]: hunk["id"] for hunk in p.hunks()}
    p.reject()
    work()
    assert {hunk["path"]: hunk["again"] for hunk in p.hunks()} == first


def test_g02_what_was_taken_back_by_hand_counts_as_rejected(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3", "line three")
    first = p.hunks()[0]["id"]
    p.sub("a.md", "line three", "line 3")
    assert p.hunks() == []
    p.edit("a.md", "line 3", "line three")
    assert [hunk["again"] for hunk in p.hunks()] == [first]


def test_g02_two_equal_changes_are_not_one_made_again(project: Make) -> None:
    line = "the same long line twice in one file\n"
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", f"line 3\n{line}")
    p.edit("a.md", "line 9\n", f"line 9\n{line}")
    first, second = (hunk["id"] for hunk in p.hunks())
    p.reject(first)
    assert [(hunk["id"], hunk["again"]) for hunk in p.hunks()] == [(second, None)]


def test_g02_nothing_was_rejected_once_the_rejection_is_taken_back(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3", "line three")
    p.reject("a.md")
    p.edit("a.md", "line 3", "line three")
    p.undo("d1")
    # It stays hidden (D4): the later one is it.
    assert p.text("a.md") == POEM.replace("line 3", "line three")
    assert [hunk["status"] for hunk in p.hunks(status="all")] == ["rejected", "pending"]


def test_z61_a_change_made_again_in_the_same_turn_is_marked_and_told_when_it_goes(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "line three\n")
    p.reject("a.md", reason="no")
    p.edit("a.md", "line 3\n", "line three\n")
    assert p.hunks()[0]["again"]
    p.reject("a.md", reason="still no")
    text = heard(p, "Stop", stop_hook_active=False)
    assert "  | no\n" in text
    assert "  | still no\n" in text


# D4: a question about nothing is no question


@pytest.mark.parametrize(
    ("before", "between", "after"),
    [
        ("hello\n", "heo\n", "hello\n"),
        ("x hello y\n", "x heo y\n", "x hello y\n"),
        ("top\nline\nend\n", "top\nend\n", "top\nline\nend\n"),
        ("top\nlast", "top\n", "top\nlast"),
    ],
    ids=["a line", "a word", "deleted and written again", "a last line without its end"],
)
@pytest.mark.parametrize("which", [1, 2])
def test_d4_what_was_changed_and_changed_back_is_not_asked_about(
    project: Make, before: str, between: str, after: str, which: int
) -> None:
    p = project({"a.md": before})
    p.prompt()
    p.write("a.md", between)
    p.write("a.md", after)
    assert (p.hunks(), p.status()["counts"]["hunks"]) == ([], 0)
    p.reject(f"c{which}")
    assert (p.text("a.md"), p.hunks()) == (before, [])


def test_d4_also_beside_a_line_that_is_changed(project: Make) -> None:
    p = project({"a.md": "a hello b\nq\n"})
    p.prompt()
    p.write("a.md", "a heo b\nq\n")
    p.write("a.md", "a hello b\nq2\n")
    (hunk,) = p.hunks()
    assert (hunk["old"], hunk["new"]) == ("a hello b\nq\n", "a hello b\nq2\n")
    p.reject("c1")
    assert p.text("a.md") == "a hello b\nq2\n"
    p.reject("c2")
    assert (p.text("a.md"), p.hunks()) == ("a hello b\nq\n", [])
    p.undo()
    p.undo()
    p.reject("c2")
    assert (p.text("a.md"), [hunk["new"] for hunk in p.hunks()]) == ("a heo b\nq\n", ["a heo b\n"])


@pytest.mark.parametrize("ranges", [["1-3"], ["1-1", "1-2"], ["2-2", "1-2"], ["3-3", "2-2", "1-1"]])
def test_d4_a_new_file_of_which_every_line_is_rejected_is_gone(project: Make, ranges: list[str]) -> None:
    p = project()
    p.prompt()
    p.write("new.md", "one\ntwo\nthree\n")
    for lines in ranges:
        p.reject(f"new.md:{lines}")
    assert (p.exists("new.md"), p.hunks()) == (False, [])
