"""Where files stand: two that want one place, and those that changed places with folders."""

from __future__ import annotations

import pytest

from tests.support.project import POEM, Make


def test_f09_two_files_that_would_come_to_stand_at_one_place_are_refused(project: Make) -> None:  # B8
    p = project({"a.md": POEM})
    p.prompt("away")
    p.bash("mv a.md b.md")
    p.prompt("another")
    p.write("a.md", "another\n")
    p.prompt("gone")
    p.bash("rm a.md")
    assert [need["why"] for need in p.asked("reject", p.turn("away"), p.turn("gone"))] == ["moved-on"]
    assert (p.exists("a.md"), p.text("b.md")) == (False, POEM)
    p.reject()
    assert (p.text("a.md"), p.exists("b.md")) == (POEM, False)


@pytest.mark.parametrize(
    ("files", "command"),
    [
        (("d/e/c.md",), "mv d/e/c.md t && rm -r d && mv t d"),
        (("d/b.md", "d/e/c.md"), "echo more >> d/b.md && mv d x && cp x/e/c.md d"),
        (("d",), "mv d t && mkdir -p d/e && mv t d/e/c.md"),
    ],
    ids=["into its folder's place", "while others leave it", "into a folder in its place"],
)
def test_f09_a_file_that_changed_places_with_its_folder_goes_back_and_forth(
    project: Make, files: tuple[str, ...], command: str
) -> None:
    p = project({path: f"{path}\n{POEM}" for path in files})
    with p.desk():
        before = p.on_disk()
    p.bash(command)
    after = p.on_disk()
    assert "rename" in [hunk["kind"] for hunk in p.hunks()]
    p.reject()
    assert p.on_disk() == before
    p.undo()
    assert p.on_disk() == after


def test_f13_a_file_that_would_come_to_stand_below_another_is_refused(project: Make) -> None:  # B8
    p = project({"d": POEM})
    p.bash("rm d && mkdir d && echo one > d/a.md")
    p.hunks()
    p.put("d/a.md", "one\nmine\n")
    p.prompt("gone")
    p.bash("rm -r d")
    assert {need["why"] for need in p.asked("reject")} == {"moved-on"}
    p.reject(p.turn("gone"))
    assert p.text("d/a.md") == "one\nmine\n"


def test_f13_a_folder_that_was_renamed_twice_leaves_nothing_behind(project: Make) -> None:
    p = project({"d/e/a.md": POEM, "d/b.md": "b\n"})
    with p.desk():
        before = p.on_disk()
    p.bash("mv d f")
    p.bash("mv f g")
    after = p.on_disk()
    p.reject()
    assert p.on_disk() == before
    p.undo()
    assert p.on_disk() == after


def test_f09_a_file_put_back_under_the_old_name_is_in_the_way_whatever_it_holds(project: Make) -> None:
    p = project({"a.md": POEM})
    p.bash("mv a.md b.md")
    p.put("a.md", POEM)
    assert [(need["path"], need["why"]) for need in p.asked("reject")] == [("a.md", "moved-on")]
    (p.root / "a.md").unlink()
    p.reject()
    assert (p.text("a.md"), p.exists("b.md")) == (POEM, False)
    p.undo()
    assert (p.exists("a.md"), p.text("b.md")) == (False, POEM)


@pytest.mark.parametrize(
    ("files", "commands"),
    [
        # The folder goes with the last file in it, and was to go by itself as well.
        ({"d/e/c.md": "c\n"}, ("rm d/e/c.md", "rm -r d")),
        # The folder went with another file than the one that came back to it.
        ({"d/a.md": ""}, ("mkdir d/e && mv d/a.md d/e/c.md", "rm -r d")),
    ],
)
def test_r03_folders_that_went_in_two_calls_come_back_and_go_again(
    project: Make, files: dict[str, str], commands: tuple[str, ...]
) -> None:
    p = project(files)
    with p.desk():
        before = p.on_disk()
    for command in commands:
        p.bash(command)
    after, known = p.on_disk(), p.hunks(status="all")
    p.reject()
    assert (p.on_disk(), p.hunks()) == (before, [])
    p.undo()
    assert (p.on_disk(), p.hunks(status="all")) == (after, known)
    p.redo()
    assert (p.on_disk(), p.hunks()) == (before, [])
