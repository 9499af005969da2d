"""What a file was after each change, and going back to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from blueline.desk.selectors import UnknownSelector
from tests.support.project import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path, {"a.txt": "one\ntwo\nthree\n"})
    made.prompt()
    made.edit("a.txt", "one\n", "ONE\n")
    made.sub("a.txt", "two\n", "two, typed\n")
    made.edit("a.txt", "three\n", "THREE\n")
    return made


def test_each_change_is_a_moment_with_its_text(project: Project) -> None:
    with project.desk() as desk:
        found = desk.workbench.moments("a.txt")["moments"]
        assert [one["actor"] and one["actor"]["kind"] for one in found] == [
            "agent",
            "external",
            "agent",
            None,
        ]
        assert [len(one["hunks"]) for one in found] == [1, 1, 1, 0]
        texts = [desk.workbench.moment("a.txt", one["id"])["text"] for one in found]
    assert texts == [
        "ONE\ntwo, typed\nTHREE\n",
        "ONE\ntwo, typed\nthree\n",
        "ONE\ntwo\nthree\n",
        "one\ntwo\nthree\n",
    ]


@pytest.mark.parametrize("back", [1, 2, 3])
def test_to_reject_what_came_later_gives_just_that_text_and_undo_gives_all_back(
    project: Project, back: int
) -> None:
    before = project.text("a.txt")
    with project.desk() as desk:
        found = desk.workbench.moments("a.txt")["moments"]
        wanted = desk.workbench.moment("a.txt", found[back]["id"])["text"]
        answer = desk.decide("reject", [name for one in found[:back] for name in one["hunks"]])
        assert (answer["needs"], project.text("a.txt")) == ([], wanted)
        desk.undo(answer["decision"])
    assert project.text("a.txt") == before


def test_one_goes_back_to_a_step_of_which_nothing_shows(tmp_path: Path) -> None:
    p = Project(tmp_path, {"a.txt": "limit = 30\n"})
    p.prompt()
    for before, after in ((30, 45), (45, 60), (60, 90)):
        p.edit("a.txt", f"limit = {before}\n", f"limit = {after}\n")
    assert len(p.hunks()) < 3  # what a later step took away again does not show
    with p.desk() as desk:
        found = desk.workbench.moments("a.txt")["moments"]
        texts = [desk.workbench.moment("a.txt", one["id"])["text"] for one in found]
        assert texts == [f"limit = {number}\n" for number in (90, 60, 45, 30)]
        later = [name for one in found[:2] for name in one["hunks"]]
        answer = desk.decide("reject", later, dependents="with")
        assert (answer["needs"], p.text("a.txt")) == ([], "limit = 45\n")
        desk.undo(answer["decision"])
    assert p.text("a.txt") == "limit = 90\n"


def test_what_was_rejected_is_in_no_moment(project: Project) -> None:
    project.reject("a.txt:1-1")
    with project.desk() as desk:
        found = desk.workbench.moments("a.txt")["moments"]
        assert desk.workbench.moment("a.txt", found[0]["id"])["text"] == "one\ntwo, typed\nTHREE\n"


def test_what_is_no_moment_is_not_there(project: Project) -> None:
    project.put("b.txt", "b\n")
    with project.desk() as desk:
        for name in ("o99", "x", "", "h1", "o-1"):
            with pytest.raises(UnknownSelector):
                desk.workbench.moment("a.txt", name)
        for path in ("b.txt", "nowhere", "../a.txt"):
            with pytest.raises(UnknownSelector):
                desk.workbench.moments(path)
