"""A turn is rejected as one decision, whatever was chosen for single files; one undo gives all of it back."""

from __future__ import annotations

import pytest

from blueline.model.dependents import FileChoice
from tests.support.project import POEM, Make, Project

PATHS = ("a.md", "b.md", "c.md")


@pytest.fixture
def built_upon(project: Make) -> Project:
    """The first turn changes three files; the second builds on all of that."""
    p = project(dict.fromkeys(PATHS, POEM))
    p.prompt("first")
    for path in PATHS:
        p.edit(path, "line 2\n", "first\n")
    p.stop()
    p.prompt("second")
    for path in PATHS:
        p.edit(path, "first\n", "second\n")
    p.stop()
    return p


def test_d02_choices_for_single_files_are_one_decision_and_one_undo(built_upon: Project) -> None:
    p = built_upon
    after = p.on_disk()
    chosen: dict[str, FileChoice] = {"a.md": "anyway", "b.md": "alone", "c.md": "keep"}
    with p.desk() as desk:
        done = desk.decide("reject", ["t1"], choices=chosen)
    assert (done["needs"], done["decision"]) == ([], "d1")
    assert p.text("a.md") == POEM
    assert p.text("b.md") == POEM.replace("line 2\n", "second\n")  # in its place: the line stays (rule B2)
    assert p.read("c.md") == after["c.md"][1]  # type: ignore[index]
    rejected = p.on_disk()
    assert [(entry["id"], entry["verdict"]) for entry in p.log("decision")] == [("d1", "reject")]
    p.undo()
    assert p.on_disk() == after
    p.redo()
    assert p.on_disk() == rejected


def test_d02_what_was_not_chosen_is_asked_about_and_nothing_happens(built_upon: Project) -> None:
    p = built_upon
    before = p.on_disk()
    with p.desk() as desk:
        asked = desk.decide("reject", ["t1"], choices={"a.md": "anyway", "c.md": "keep"})
    assert {need["path"] for need in asked["needs"]} == {"b.md"}
    assert (p.on_disk(), p.log("decision")) == (before, [])


def test_h11_choices_wait_with_a_decision_that_is_put_off(built_upon: Project) -> None:
    p = built_upon
    p.prompt("third")
    call = p.begin("Edit", "a.md", old_string="line 20", new_string="line XX")
    with p.desk() as desk:
        done = desk.decide("reject", ["t1"], choices={"a.md": "alone", "b.md": "keep", "c.md": "anyway"})
    assert {result["outcome"] for result in done["results"]} == {"queued"}
    p.lose_index()
    p.sub("a.md", "line 20", "line XX")
    p.end(call)
    p.stop()
    p.status()
    assert p.text("a.md") == POEM.replace("line 2\n", "second\n").replace("line 20", "line XX")
    assert "second" in p.text("b.md")
    assert p.text("c.md") == POEM
