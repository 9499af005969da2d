"""The timeline: what people did is in it, two moments can be compared, and one can go back to each."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.test_access import violations
from tests.support.bench import Bench
from tests.support.project import POEM, Make, Project


@pytest.fixture
def mixed(project: Make) -> Project:
    p = project({"a.txt": POEM})
    p.prompt()
    p.edit("a.txt", "line 2\n", "LINE 2\n")
    p.stop()
    p.sub("a.txt", "line 9\n", "line 9, by an editor\n")
    p.prompt("again")
    p.edit("a.txt", "line 12\n", "LINE 12\n")
    p.stop()
    return p


def test_what_was_typed_is_in_the_timeline_and_can_be_rejected(mixed: Project, bench: Open) -> None:
    b = bench(mixed)
    b.press("e")
    b.page.keyboard.press("Home")
    b.page.keyboard.type("typed ")
    b.press("Escape", "g", "t")
    edits = b.at(".entry.edit")
    expect(edits).to_have_count(2)
    expect(edits.first).to_contain_text("You typed in a.txt")
    expect(edits.last).to_contain_text("Outside, in a.txt")
    assert violations(b.page) == []
    edits.last.get_by_role("button", name="Reject").click()
    expect(edits.last.get_by_role("button", name="Accept")).to_be_visible()
    assert "line 9\n" in mixed.text("a.txt")
    b.press("2", "u")
    expect(edits.last.get_by_role("button", name="Reject")).to_be_visible()
    assert "line 9, by an editor\n" in mixed.text("a.txt")


def test_any_two_moments_can_be_compared(mixed: Project, bench: Open) -> None:
    b = bench(mixed)
    expect(b.bars.first).to_be_visible()
    b.press("g", "h")
    rows = b.dialog.locator(".moments tbody tr")
    expect(rows).to_have_count(4)
    expect(rows.nth(0)).to_contain_text("Edit, turn 2")
    expect(rows.nth(1)).to_contain_text("Outside")
    expect(rows.nth(3)).to_contain_text("Before anybody changed it")
    difference = b.dialog.get_by_role("region", name="Difference")
    expect(difference).to_contain_text("3 differences")
    rows.nth(2).get_by_role("radio", name="From Edit").check()
    rows.nth(1).get_by_role("radio", name="To Outside").check()
    expect(difference).to_contain_text("1 difference")
    expect(difference.locator("del")).to_have_text("line 9")
    expect(difference.locator("ins")).to_have_text("line 9, by an editor")
    assert violations(b.page) == []


def test_one_goes_back_to_a_moment_by_one_decision_that_can_be_undone(mixed: Project, bench: Open) -> None:
    before = mixed.text("a.txt")
    b = bench(mixed)
    expect(b.bars.first).to_be_visible()
    b.press("g", "h")
    row = b.dialog.locator(".moments tbody tr").nth(2)
    row.get_by_role("button", name="Go back").click()
    expect(b.dialog).to_contain_text("2 changes")
    b.dialog.locator("button[type=submit]").click()
    expect(b.bars).to_have_count(1)
    assert mixed.text("a.txt") == POEM.replace("line 2\n", "LINE 2\n", 1)
    b.press("u")
    expect(b.bars).to_have_count(2)
    assert mixed.text("a.txt") == before


def test_one_goes_back_to_a_step_that_shows_no_more_and_takes_what_was_typed_along(
    project: Make, bench: Open
) -> None:
    p = project({"a.txt": "limit = 30\nretries = 3\n"})
    p.prompt()
    for before, after in ((30, 45), (45, 60), (60, 90)):
        p.edit("a.txt", f"limit = {before}\n", f"limit = {after}\n")
    p.stop()
    p.sub("a.txt", "retries = 3\n", "retries = 4\n")
    b = bench(p)
    b.pick("File", "Moments of the file")
    rows = b.dialog.locator(".moments tbody tr")
    expect(rows).to_have_count(5)
    # A moment's name shows what it changed.
    rows.nth(2).get_by_role("button", name="Edit, turn 1").click()
    difference = b.dialog.get_by_role("region", name="Difference")
    expect(difference).to_contain_text("limit = 45")
    expect(difference.locator("del")).to_have_text("limit = 45")
    expect(difference.locator("ins")).to_have_text("limit = 60")
    assert violations(b.page) == []
    rows.nth(2).get_by_role("button", name="Go back").click()
    b.dialog.locator("button[type=submit]").click()
    expect(b.line("limit = 60")).to_be_visible()
    assert p.text("a.txt") == "limit = 60\nretries = 3\n"
    expect(b.at(".message")).to_contain_text("changes in a.txt")
    b.press("u")
    expect(b.line("limit = 90")).to_be_visible()
    assert p.text("a.txt") == "limit = 90\nretries = 4\n"
    expect(b.at(".review-bar").get_by_role("button", name="Accept")).to_be_enabled()


def test_you_and_outside_have_the_verbs_of_every_group(mixed: Project, bench: Open) -> None:
    b = bench(mixed)
    row = b.at('.group-row[data-group="outside"]')
    expect(row).to_contain_text("1 edit")
    row.hover()
    row.get_by_role("button", name="Hide").click()
    b.press("g", "t")
    expect(b.at(".entry.call").first).to_be_visible()
    expect(b.at(".entry.edit")).to_have_count(0)
    b.press("g", "g")
    row.hover()
    row.get_by_role("button", name="Show").click()
    row.hover()
    row.get_by_role("button", name="Reject").click()
    expect(row).to_contain_text("1 rejected")
    assert "line 9\n" in mixed.text("a.txt")
    row.hover()
    row.get_by_role("button", name="Accept").click()
    expect(row).not_to_contain_text("rejected")
    assert "line 9, by an editor\n" in mixed.text("a.txt")
    row.hover()
    row.get_by_role("button", name="Clear").click()
    expect(row).to_have_count(0)
    # Nothing was decided, and what comes later is shown.
    mixed.sub("a.txt", "line 15\n", "line 15, by an editor\n")
    expect(row).to_contain_text("1 edit")
    row.hover()
    assert violations(b.page) == []
    b.page.reload()
    expect(row).to_contain_text("1 edit")
    b.click("Show everything")
    expect(row).to_contain_text("2 edits")
    b.click("Clear")
    expect(row).to_have_count(0)
    assert "line 9, by an editor\n" in mixed.text("a.txt")
    assert len(mixed.hunks()) == 2


def test_a_decision_names_file_and_place(mixed: Project, bench: Open) -> None:
    b = bench(mixed)
    b.press("a")
    expect(b.left).to_have_text("1 change in 1 file")
    b.press("g", "t")
    entry = b.at(".entry.decision").first
    expect(entry).to_contain_text("Accepted 1 change in a.txt, line 2")
    entry.get_by_role("button", name="a.txt, line 2").click()
    expect(b.at(".cm-activeLine")).to_have_text("LINE 2")
    mixed.prompt("a new one")
    mixed.write("new.txt", "one\n")
    mixed.edit("new.txt", "one\n", "one, loud\n")
    mixed.stop()
    expect(b.left).to_have_text("3 changes in 2 files")
    b.choose("new.txt")
    b.press("a")
    expect(b.at(".entry.decision").first).to_contain_text("Accepted 2 changes, the first in new.txt")


def tops(b: Bench, first: int) -> list[float]:
    """Where five entries stand."""
    found = [b.at(".timeline .entry").nth(first + at).bounding_box() for at in range(5)]
    return [box["y"] for box in found if box]


def test_news_moves_no_entry(mixed: Project, bench: Open) -> None:
    b = bench(mixed)
    b.press("g", "t")
    entries = b.at(".timeline .entry")
    expect(entries).to_have_count(5)
    before = tops(b, 0)
    mixed.prompt("and now?")
    mixed.edit("a.txt", "line 18\n", "LINE 18\n")
    mixed.stop()
    expect(entries).to_have_count(7)
    assert tops(b, 2) == pytest.approx(before, abs=0.5)
    assert violations(b.page) == []
    b.page.get_by_role("button", name="2 new").click()
    expect(entries.first).to_be_in_viewport(ratio=1)
    # What one does oneself is shown at once.
    b.press("2", "a")
    expect(b.at(".entry.decision")).to_be_in_viewport(ratio=1)
