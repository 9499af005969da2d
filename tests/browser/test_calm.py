"""One pair of verbs for what is in focus; everything else is in quiet menus, in one bar."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.test_access import violations
from tests.support.bench import Bench
from tests.support.project import POEM, Make, Project

SHOWN_BUTTONS = """() => [...document.querySelectorAll('button:not(.twist)')].filter(one =>
    one.checkVisibility({checkOpacity: true, checkVisibilityCSS: true}) && !one.disabled).length"""

CUT = """() => [...document.querySelectorAll(
    '.top-bar *, .review-bar *, .rail-head *, .group-row .about, .origin > *')].filter(one =>
    one.checkVisibility() && !one.matches('.unshown') && one.scrollWidth > one.clientWidth + 1 &&
    getComputedStyle(one).overflow !== 'visible' && getComputedStyle(one).textOverflow !== 'ellipsis')
    .map(one => one.className + ': ' + one.textContent)"""
"""What is cut in the middle of a word."""

MOST_BUTTONS = 20
"""For three files with nine changes; it was 57. The arrows of the tree are part of its rows."""


def nine(project: Make) -> Project:
    p = project(dict.fromkeys(("a.txt", "b.txt", "c.txt"), POEM))
    for path in ("a.txt", "b.txt", "c.txt"):
        p.prompt(f"louder in {path}")
        for number, season in ((3, "spring"), (9, "summer"), (15, "autumn")):
            p.edit(path, f"line {number}\n", f"{season} in {path}\n")
        p.stop()
    return p


def shown_buttons(b: Bench) -> int:
    return int(b.page.evaluate(SHOWN_BUTTONS))


def test_a_screen_has_few_buttons_and_one_pair_of_verbs(project: Make, bench: Open) -> None:
    b = bench(nine(project))
    b.choose("a.txt")
    expect(b.at(".hunk-bar.current")).to_have_count(1)
    b.page.mouse.move(700, 880)
    assert shown_buttons(b) <= MOST_BUTTONS
    assert b.at(".review-bar .here-verbs button").count() == 2
    expect(b.at("footer")).to_have_count(1)
    # The other verbs of a change are one Tab or a pointer away.
    other = b.bars.nth(1).get_by_role("button", name="Accept")
    expect(other.locator("xpath=..")).to_have_css("opacity", "0")
    other.focus()
    expect(other.locator("xpath=..")).to_have_css("opacity", "1")
    # So is the pair at the change itself, unless the window is too narrow for another.
    here = b.at(".hunk-bar.current").get_by_role("button", name="Accept")
    expect(here).to_have_css("opacity", "0")
    b.page.set_viewport_size({"width": 700, "height": 768})
    expect(here).to_have_css("opacity", "1")
    expect(b.at(".review-bar .here-verbs")).to_have_count(0)
    b.page.set_viewport_size({"width": 1024, "height": 768})
    expect(b.at(".left-over")).to_have_text("9 changes in 3 files", use_inner_text=False)
    assert b.page.evaluate(CUT) == []
    # Turns that were there before are no news. One that comes is, and takes no further line.
    expect(b.at(".newer-turn")).to_have_count(0)
    before = b.at(".review-bar").bounding_box()
    b.p.prompt("louder once more")
    b.p.edit("c.txt", "line 18\n", "winter in c.txt\n")
    b.p.stop()
    expect(b.at(".newer-turn")).to_have_attribute("aria-label", "Turn 4 is newer")
    assert b.at(".review-bar").bounding_box() == before
    assert b.page.evaluate(CUT) == []


@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_messages_cover_nothing_and_move_no_button(project: Make, bench: Open, width: int) -> None:
    b = bench(nine(project), width=width, height=800)
    expect(b.at(".stream-card" if width < 700 else ".hunk-bar.current").first).to_be_visible()
    undo = b.at(".steps ~ .button[title^=Undo]")
    before = undo.bounding_box()
    b.page.get_by_role("button", name="Accept", exact=True).first.click()
    expect(b.at(".message")).to_contain_text("Accepted: line 3 of a.txt")
    expect(b.page.get_by_role("log", name="Messages")).to_contain_text("Accepted: line 3 of a.txt")
    said, desk = b.at(".message").bounding_box(), b.at(".desk").bounding_box()
    assert said is not None
    assert desk is not None
    assert said["y"] >= desk["y"] + desk["height"]
    assert undo.bounding_box() == before
    assert b.page.evaluate(CUT) == []
    assert violations(b.page) == []


def test_each_scope_has_one_menu(project: Make, bench: Open) -> None:
    b = bench(nine(project))
    b.choose("a.txt")
    for name, item in (("File", "Accept file: 3 changes"), ("All changes", "Accept all 9 changes")):
        b.at(f"[role=menu][aria-label='{name}']").locator("xpath=preceding-sibling::button[1]").click()
        opened = b.at("[role=menu]:popover-open")
        expect(opened.get_by_role("menuitem").first).to_contain_text(item)
        expect(opened.get_by_role("menuitem").first).to_be_focused()
        assert violations(b.page) == []
        b.press("Escape")
        expect(opened).to_have_count(0)
    b.at(".turn-control .menu-button").click()
    opened = b.at("[role=menu]:popover-open")
    expect(opened.get_by_role("menuitem").nth(1)).to_contain_text("Reject turn 1")
    expect(opened.get_by_role("menuitem").first).to_be_focused()
    b.press("ArrowDown")
    expect(opened.get_by_role("menuitem").nth(1)).to_be_focused()
    b.press("Enter")
    expect(b.left).to_have_text("6 changes in 2 files")


def test_a_menu_is_left_with_escape_also_before_the_focus_is_in_it(project: Make, bench: Open) -> None:
    b = bench(nine(project))
    b.choose("a.txt")
    button = b.page.get_by_role("button", name="File", exact=True)
    button.click()
    opened = b.at("[role=menu]:popover-open")
    expect(opened.get_by_role("menuitem").first).to_be_focused()
    button.focus()
    b.page.keyboard.press("x")
    b.page.keyboard.press("Escape")
    expect(opened).to_have_count(0)
    expect(b.bars).to_have_count(3)


def test_files_groups_and_turn_follow_the_change_that_is_read(project: Make, bench: Open) -> None:
    b = bench(nine(project))
    b.choose("a.txt")
    for number in (1, 2, 3):
        path = f"{'abc'[number - 1]}.txt"
        expect(b.at(".files-rail .row.current")).to_contain_text(path)
        expect(b.at(".turn-control")).to_contain_text(f"Turn {number}")
        expect(b.at(".group-row[aria-current=true]")).to_contain_text(
            f"Turn {number}" if number < 3 else path
        )
        b.press("n", "n", "n")
