"""Each button does what it says; the same as its key does."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from blueline.desk import state_folder
from tests.browser.conftest import Open
from tests.support.bench import Bench
from tests.support.project import POEM, Make, Project


@pytest.fixture
def poem(project: Make) -> Project:
    """Two turns in two files."""
    p = project({"a.txt": POEM, "b.txt": POEM})
    p.prompt("make it louder")
    p.edit("a.txt", "line 5\n", "LINE 5\n")
    p.edit("a.txt", "line 12\n", "LINE 12\n")
    p.stop()
    p.prompt("and this one")
    p.edit("b.txt", "line 7\n", "LINE 7\n")
    p.stop()
    return p


def bar(b: Bench, name: str) -> Locator:
    """A button of the review bar."""
    return b.at(".review-bar").get_by_role("button", name=name, exact=True)


def test_the_review_bar_goes_through_changes_and_decides_about_them(poem: Project, bench: Open) -> None:
    b = bench(poem)
    expect(b.at(".place")).to_have_text("1 / 3")
    bar(b, "Next").click()
    expect(b.at(".place")).to_have_text("2 / 3")
    bar(b, "Previous").click()
    expect(b.at(".place")).to_have_text("1 / 3")
    bar(b, "Accept change").click()
    expect(b.at(".progress-words")).to_have_text("1 of 3 decided")
    bar(b, "Reject change").click()
    expect(b.left).to_have_text("1 change in 1 file")
    bar(b, "Undo").click()
    expect(b.left).to_have_text("2 changes in 2 files")
    b.pick("All changes", "Redo")
    expect(b.left).to_have_text("1 change in 1 file")
    assert poem.text("a.txt") == POEM.replace("line 5\n", "LINE 5\n")


def test_all_is_accepted_or_rejected_after_the_count_was_said(poem: Project, bench: Open) -> None:
    b = bench(poem)
    b.pick("All changes", "Reject all")
    expect(b.dialog).to_contain_text("This rejects 3 changes in 2 files")
    b.dialog.get_by_label("Reason, for the agent (optional)").fill("not today")
    b.dialog.get_by_role("button", name="Reject 3 changes").click()
    expect(b.left).to_have_text("Nothing undecided")
    assert (poem.text("a.txt"), poem.text("b.txt")) == (POEM, POEM)
    assert poem.log("decision")[0]["reason"] == "not today"
    bar(b, "Undo").click()
    expect(b.left).to_have_text("3 changes in 2 files")
    b.pick("All changes", "Accept all")
    b.dialog.get_by_role("button", name="Accept 3 changes").click()
    expect(b.left).to_have_text("Nothing undecided")
    expect(b.at(".progress-words")).to_have_text("3 of 3 decided")


def test_a_call_and_a_hunk_are_decided_from_the_groups(poem: Project, bench: Open) -> None:
    b = bench(poem)
    b.at(".group-row.turn", has_text="Turn 1").get_by_role("button", name="Open").click()
    call = b.at(".group-row.call", has_text="a.txt").first
    call.hover()
    call.get_by_role("button", name="Accept 1 change of call").click()
    expect(call.locator(".tally")).to_have_text("1 accepted")
    other = b.at(".group-row.call", has_text="b.txt")
    other.get_by_role("button", name="Open").click()
    hunk = b.at(".group-row.hunk")
    expect(hunk).to_contain_text("line 7 · +1")
    hunk.hover()
    hunk.get_by_role("button", name="Reject").click()
    expect(other.locator(".tally")).to_have_text("1 rejected")
    assert poem.text("b.txt") == POEM


def test_revert_all_and_clear(poem: Project, bench: Open) -> None:
    b = bench(poem)
    b.pick("All changes", "Reject all")
    b.dialog.get_by_role("button", name="Reject 3 changes").click()
    expect(b.left).to_have_text("Nothing undecided")
    expect(b.at(".group-row.turn")).to_have_count(2)
    b.at(".panel-verbs").get_by_role("button", name="Clear").click()
    expect(b.at(".group-row")).to_have_count(0)
    expect(b.at(".side-rail")).to_contain_text("All groups are decided.")
    b.at(".panel-verbs").get_by_role("button", name="Show decided").click()
    expect(b.at(".group-row.turn")).to_have_count(2)


def test_what_a_group_is_built_on_by_is_said_before_it_is_rejected(project: Make, bench: Open) -> None:
    p = project({"a.txt": "one\n"})
    p.prompt("begin")
    p.edit("a.txt", "one\n", "one\ntwo\nthree\n")
    p.stop()
    p.prompt("go on")
    p.edit("a.txt", "two\n", "2\n")
    p.stop()
    b = bench(p)
    first = b.at(".group-row.turn", has_text="Turn 1")
    first.get_by_role("button", name="Open").click()
    b.at(".group-row.call").last.get_by_role("button", name="Open").click()
    expect(b.at(".group-row.hunk").last).to_contain_text("1 change on top")
    first.hover()
    first.get_by_role("button", name="Reject 1 change of turn 1").click()
    expect(b.dialog).to_contain_text("1 later change builds on it")
    expect(b.dialog.locator(".dependents li")).to_contain_text("a.txt:2 · Edit · turn 2")
    b.dialog.get_by_role("button", name="Leave that, reject only this").click()
    expect(b.left).to_have_text("1 change in 1 file")
    assert p.text("a.txt") == "one\n2\n"


def test_accepting_what_builds_on_another_says_what_goes_along(project: Make, bench: Open) -> None:
    p = project({"a.txt": "one\n"})
    p.prompt("begin")
    p.edit("a.txt", "one\n", "one\ntwo\nthree\n")
    p.stop()
    p.prompt("go on")
    p.edit("a.txt", "two\n", "2\n")
    p.stop()
    b = bench(p)
    second = b.at(".group-row.turn", has_text="Turn 2")
    second.hover()
    second.get_by_role("button", name="Accept 1 change of turn 2").click()
    expect(b.dialog).to_contain_text("This accepts 1 change in 1 file")
    b.dialog.get_by_role("button", name="Accept 1 change").click()
    expect(b.at(".message").first).to_contain_text("Accepted")
    assert p.text("a.txt") == "one\n2\nthree\n"


def test_lines_are_selected_with_the_mouse_and_decided_noted_and_asked_about(
    project: Make, bench: Open
) -> None:
    p = project({"a.txt": "top\nend\n"})
    p.prompt()
    p.edit("a.txt", "top\n", "top\none\ntwo\nthree\n")
    b = bench(p)
    start, end = b.line("two").bounding_box(), b.line("three").bounding_box()
    assert start is not None
    assert end is not None
    b.page.mouse.move(start["x"] + 2, start["y"] + 8)
    b.page.mouse.down()
    b.page.mouse.move(end["x"] + 20, end["y"] + 8, steps=4)
    b.page.mouse.up()
    bar(b, "Accept 2 lines").click()
    expect(b.at(".message")).to_contain_text("Accepted")
    (left,) = p.hunks()
    assert left["new"] == "one\n"
    assert p.text("a.txt") == "top\none\ntwo\nthree\nend\n"


def test_the_text_is_looked_at_from_each_side_and_arranged_with_buttons(poem: Project, bench: Open) -> None:
    b = bench(poem)
    b.pick("File", "Final")
    expect(b.at(".removed-block")).to_have_count(0)
    b.pick("File", "Original")
    expect(b.at(".reading")).to_contain_text("line 5")
    b.pick("File", "Diff")
    expect(b.at(".removed-block")).to_have_count(2)
    b.pick("File", "Split")
    expect(b.at(".cm-mergeView")).to_be_visible()
    b.pick("File", "Unified")
    expect(b.at(".cm-mergeView")).to_have_count(0)
    b.pick("File", "Reject file")
    # All of it was on the page.
    expect(b.dialog).to_have_count(0)
    expect(b.left).to_have_text("1 change in 1 file")
    assert poem.text("a.txt") == POEM


def test_a_decided_change_keeps_a_row_from_which_it_is_taken_back(poem: Project, bench: Open) -> None:
    b = bench(poem)
    b.press("a")
    row = b.at(".decided-row.accepted")
    expect(row).to_contain_text("Accepted 1 line")
    row.get_by_role("button", name="Reject").click()
    expect(b.at(".decided-row.rejected")).to_have_count(1)
    assert "line 5\n" in poem.text("a.txt")
    b.at(".decided-row.rejected").get_by_role("button", name="Accept").click()
    expect(b.at(".decided-row.accepted")).to_have_count(1)
    b.at(".decided-row.accepted").get_by_role("button", name="Undo").click()
    # What was decided before stands again.
    expect(b.at(".decided-row.rejected")).to_have_count(1)
    assert "LINE 5\n" not in poem.text("a.txt")


def test_where_to_go_after_a_decision_is_a_setting(poem: Project, bench: Open) -> None:
    b = bench(poem)
    b.pick("Workbench", "Settings")
    b.dialog.get_by_label("After a decision").select_option("Next in this file")
    b.press("Escape")
    b.press("a")
    expect(b.at(".place")).to_have_text("1 / 2")
    b.press("a")
    expect(b.left).to_have_text("1 change in 1 file")
    expect(b.at(".file-header h1")).to_have_text("a.txt")


def test_rails_can_be_put_away(poem: Project, bench: Open) -> None:
    b = bench(poem)
    b.pick("Workbench", "Files")
    expect(b.at(".files-rail")).to_have_count(0)
    b.pick("Workbench", "Groups")
    expect(b.at(".side-rail")).to_have_count(0)
    b.press("g", "t")
    expect(b.at("#tab-timeline")).to_have_attribute("aria-selected", "true")
    b.press("t")
    expect(b.at(".filter")).to_be_focused()


def test_a_second_proposal_for_the_same_words_says_that_the_text_moved_on(project: Make, bench: Open) -> None:
    """C3: what cannot be carried out is said, and nothing is written."""
    p = project({"a.txt": POEM})
    p.set_mode("hold")
    p.prompt()
    p.edit("a.txt", "line 3\n", "drei\n")
    p.edit("a.txt", "line 3\n", "trois\n")
    b = bench(p)
    expect(b.at(".proposed")).to_have_count(2)
    b.bars.first.get_by_role("button", name="Accept").click()
    expect(b.bars).to_have_count(1)
    text = p.text("a.txt")
    b.bars.first.get_by_role("button", name="Accept").click()
    expect(b.at(".message.warning")).to_be_visible()
    assert p.text("a.txt") == text


def test_several_projects_in_one_workbench(project: Make, bench: Open) -> None:
    p, other = project({"a.txt": POEM}), project({"z.txt": POEM})
    other.environ = p.environ
    other.state = state_folder.create(other.root, p.environ)
    p.prompt()
    p.edit("a.txt", "line 5\n", "LINE 5\n")
    other.prompt()
    other.edit("z.txt", "line 9\n", "LINE 9\n")
    b = bench(p, "--project", str(p.root), "--project", str(other.root))
    expect(b.at(".file-header h1")).to_have_text("a.txt")
    with b.page.expect_navigation():
        b.page.get_by_label("Project").select_option(index=1)
    expect(b.at(".file-header h1")).to_have_text("z.txt")
    b.press("x")
    expect(b.left).to_have_text("Nothing undecided")
    assert (other.text("z.txt"), "LINE 5" in p.text("a.txt")) == (POEM, True)
