"""A change is rejected at once; what there is to say or to choose about it is said in its place."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.test_access import violations
from tests.support.project import POEM, Make, Project
from tests.support.waiting import wait_until


@pytest.fixture
def poem(project: Make) -> Project:
    p = project({"a.txt": POEM, "b.txt": POEM})
    p.prompt("make it louder")
    p.edit("a.txt", "line 5\n", "LINE 5\n")
    p.edit("b.txt", "line 7\n", "LINE 7\n")
    p.stop()
    return p


def test_it_is_rejected_at_once_and_a_row_stays(poem: Project, bench: Open) -> None:
    b = bench(poem)
    b.choose("a.txt")
    b.press("u")
    expect(b.at(".message")).to_contain_text("There is nothing to undo")
    b.press("x")
    expect(b.left).to_have_text("1 change in 1 file")
    expect(b.dialog).to_have_count(0)
    # What was said before is not said any more.
    expect(b.at(".message")).to_have_count(1)
    expect(b.at(".message")).to_contain_text("Rejected")
    assert poem.text("a.txt") == POEM
    expect(b.at(".file-header h1")).to_have_text("b.txt")
    b.choose("a.txt")
    row = b.at(".decided-row.rejected")
    expect(row).to_contain_text("Rejected 1 line")
    expect(row.get_by_role("button")).to_have_text(["Why?", "Undo", "Accept", "Show"])


def test_undo_goes_to_the_place(poem: Project, bench: Open) -> None:
    b = bench(poem)
    b.choose("a.txt")
    b.press("x")
    expect(b.at(".file-header h1")).to_have_text("b.txt")
    b.press("u")
    expect(b.at(".file-header h1")).to_have_text("a.txt")
    expect(b.at(".hunk-bar.current")).to_have_count(1)
    expect(b.line("LINE 5")).to_be_visible()
    expect(b.at(".message")).to_contain_text("Undone: line 5 of a.txt")
    b.press("U")
    expect(b.at(".decided-row.rejected")).to_have_count(1)


def test_the_reason_is_typed_in_the_row(poem: Project, bench: Open) -> None:
    b = bench(poem)
    b.choose("a.txt")
    b.press("x")
    expect(b.at(".file-header h1")).to_have_text("b.txt")
    b.choose("a.txt")
    row = b.at(".decided-row.rejected")
    row.get_by_role("button", name="Why?").click()
    field = row.get_by_label("Reason, for the agent")
    expect(field).to_be_focused()
    assert violations(b.page) == []
    b.page.keyboard.type("shouting")
    b.press("Enter")
    expect(row.get_by_role("button", name="“shouting”")).to_be_visible()
    wait_until(lambda: poem.log("decision")[0]["reason"] == "shouting")
    # It was no letter that means something: nothing else happened.
    expect(b.left).to_have_text("1 change in 1 file")


def test_what_builds_on_it_is_asked_in_place_with_what_would_stand_there(project: Make, bench: Open) -> None:
    p = project({"a.txt": "one\n"})
    p.prompt()
    p.edit("a.txt", "one\n", "one\ntwo\nthree\n")
    p.edit("a.txt", "two\n", "2\n")
    b = bench(p)
    b.bars.filter(has_text="1 change on top").get_by_role("button", name="Reject").click()
    asked = b.at(".decision-question")
    expect(asked).to_be_focused()
    expect(b.dialog).to_have_count(0)
    answers = asked.locator(".question-answer")
    expect(answers.nth(0).locator(".removed-line")).to_have_count(1)
    expect(answers.nth(1).locator(".removed-line")).to_have_count(2)
    assert violations(b.page) == []
    answers.nth(0).get_by_role("button", name="Reject only this").click()
    expect(b.left).to_have_text("1 change in 1 file")
    assert p.text("a.txt") == "one\n2\n"


def test_of_what_was_accepted_it_is_asked_in_its_row(project: Make, bench: Open) -> None:
    p = project({"a.txt": "one\n"})
    p.prompt()
    p.edit("a.txt", "one\n", "one\ntwo\nthree\n")
    first = p.hunk("two")
    p.edit("a.txt", "two\n", "2\n")
    p.accept(first)
    b = bench(p)
    b.press("O")
    b.at(".decided-row.accepted").get_by_role("button", name="Reject").click()
    asked = b.at(".decision-question")
    expect(asked).to_be_focused()
    expect(b.dialog).to_have_count(0)
    asked.get_by_role("button", name="Cancel").click()
    expect(asked).to_have_count(0)
    expect(b.at(".decided-row.accepted")).to_have_count(1)


def test_of_two_long_results_the_place_where_they_differ_is_shown(project: Make, bench: Open) -> None:
    p = project({"a.txt": "one\n"})
    p.prompt()
    p.edit("a.txt", "one\n", "one\n" + "".join(f"line {n}\n" for n in range(20)))
    p.edit("a.txt", "line 15\n", "fifteen\n")
    b = bench(p)
    b.at(".steps-toggle").click()
    b.at(".step-row").filter(has_text="1 change on top").get_by_role("button", name="Reject").click()
    answers = b.at(".decision-question .question-answer")
    for number, line in enumerate(("line 16", "fifteen")):
        expect(answers.nth(number).locator(".removed-line").filter(has_text=line)).to_be_in_viewport()
        expect(answers.nth(number)).not_to_contain_text("line 10")
    answers.nth(1).get_by_role("button", name="above").click()
    expect(answers.nth(1)).to_contain_text("line 10")
    assert violations(b.page) == []


def test_a_file_of_which_all_was_shown_is_decided_without_a_question(poem: Project, bench: Open) -> None:
    b = bench(poem)
    b.choose("a.txt")
    b.press("X")
    expect(b.left).to_have_text("1 change in 1 file")
    expect(b.dialog).to_have_count(0)
    b.press("u")
    expect(b.left).to_have_text("2 changes in 2 files")


def test_a_new_file_that_was_rejected_keeps_its_row_and_its_place(project: Make, bench: Open) -> None:
    notebook = '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
    p = project({"m.txt": "one\n"})
    p.prompt()
    p.write("a.txt", "one\ntwo\nthree\n")
    p.write("b.ipynb", notebook)
    p.edit("m.txt", "one\n", "ONE\n")
    p.stop()
    b = bench(p)
    paths = [row.get_attribute("data-path") for row in b.at(".files-rail .row").all()]
    for path in ("a.txt", "b.ipynb"):
        b.choose(path)
        b.press("x")
        expect(b.at(".file-header h1")).not_to_have_text(path)
        assert not p.exists(path)
        assert [row.get_attribute("data-path") for row in b.at(".files-rail .row").all()] == paths
        b.choose(path)
        row = b.at(".decided-row.rejected")
        expect(row).to_contain_text("Rejected")
        expect(row.get_by_role("button", name="Why?")).to_be_visible()
    # What it was can still be read.
    b.choose("a.txt")
    expect(b.at(".rejected-text .diff-line ins")).to_have_text(["one", "two", "three"])
    assert violations(b.page) == []
    b.at(".decided-row").get_by_role("button", name="Undo").click()
    expect(b.at(".whole-file")).to_contain_text("New file")
    assert p.text("a.txt") == "one\ntwo\nthree\n"


def test_lines_of_a_new_file_that_were_rejected_keep_a_row_there(project: Make, bench: Open) -> None:
    p = project({"m.txt": "one\n"})
    p.prompt()
    p.write("a.txt", "one\ntwo\nthree\nfour\n")
    p.stop()
    b = bench(p)
    b.line("three").click()
    b.press("Shift+ArrowDown", "x")
    expect(b.line("three")).to_have_count(0)
    row = b.at(".cm-content .decided-row.rejected")
    expect(row).to_contain_text("Rejected 1 line")
    box, above = row.bounding_box(), b.line("two").bounding_box()
    assert box is not None
    assert above is not None
    assert abs(box["y"] - above["y"] - above["height"]) < 4


def test_a_deletion_that_was_rejected_keeps_a_row(project: Make, bench: Open) -> None:
    p = project({"old.txt": "going\n"})
    p.prompt()
    p.remove("old.txt")
    b = bench(p)
    b.press("x")
    row = b.at(".decided-row.rejected")
    expect(row).to_be_visible()
    row.get_by_role("button", name="Undo").click()
    expect(b.at(".whole-file.current")).to_contain_text("File deleted")
    assert not p.exists("old.txt")
