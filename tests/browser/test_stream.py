"""On a narrow screen the changes come one below the other."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.browser.conftest import Open
from tests.browser.test_calm import CUT
from tests.support.bench import Bench
from tests.support.project import Make, Project


def test_a_phone_gets_the_stream_with_large_buttons(demo: Project, bench: Open) -> None:
    b = bench(demo, width=390, height=844, has_touch=True, is_mobile=True)
    cards = b.at(".stream-card")
    expect(cards).to_have_count(8)
    expect(cards.first.locator(".diff-line").first).to_be_visible()
    for name in ("Accept", "Reject"):
        box = cards.first.get_by_role("button", name=name).bounding_box()
        assert box is not None
        assert box["height"] >= 44
    assert b.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert b.page.evaluate(CUT) == []
    # With lines of the file around it, in its colours.
    modified = b.at(".stream-card:has(.removed-line)").first
    expect(modified.locator(".same-line").first).to_be_visible()
    expect(modified.locator("[class*=tok-]").first).to_be_visible()
    cards.first.get_by_role("button", name="Accept").tap()
    expect(cards).to_have_count(7)
    expect(b.at(".message")).to_contain_text("Accepted")
    b.at(".review-bar").get_by_role("button", name="Undo", exact=True).tap()
    expect(cards).to_have_count(8)
    swipe(b, cards.first, 60)
    swipe(b, cards.first, 160)
    expect(cards).to_have_count(7)
    expect(b.at(".message")).to_contain_text("Accepted")
    swipe(b, cards.first, -160)
    expect(cards).to_have_count(6)
    expect(b.at(".message")).to_contain_text("Rejected")


def swipe(b: Bench, card: Locator, by: int) -> None:
    """As a finger does."""
    card.scroll_into_view_if_needed()
    box = card.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + 20
    touch = b.context.new_cdp_session(b.page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 9):
        moved = {"x": x + by * step / 8, "y": y}
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [moved]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_what_a_person_typed_into_a_new_file_is_not_drawn_as_the_agents(project: Make, bench: Open) -> None:
    p = project()
    p.prompt()
    p.write("new.txt", "one\ntwo\n")
    p.put("new.txt", "one\nmine\ntwo\n")
    b = bench(p, width=390, height=844, has_touch=True, is_mobile=True)
    card = b.at(".stream-card")
    expect(card.locator(".added-line ins")).to_have_text(["one", "two"])
    expect(card.locator(".same-line > :last-child")).to_have_text(["mine"])


def test_a_file_is_opened_from_the_stream_and_left_again(demo: Project, bench: Open) -> None:
    b = bench(demo, width=390, height=844, has_touch=True, is_mobile=True)
    b.at(".stream-file", has_text="pantry/report.py").get_by_role(
        "button", name="pantry/report.py", exact=True
    ).tap()
    expect(b.bars).to_have_count(3)
    b.page.get_by_role("button", name="Back to all changes").tap()
    expect(b.at(".stream-card")).to_have_count(8)


def test_on_a_phone_files_and_groups_are_in_a_drawer(demo: Project, bench: Open) -> None:
    b = bench(demo, width=390, height=844, has_touch=True, is_mobile=True)
    b.page.get_by_role("button", name="Files, groups, timeline, notes").tap()
    turn = b.dialog.locator(".group-row.turn", has_text="Turn 2")
    turn.get_by_role("button", name="Accept 4 changes of turn 2").tap()
    expect(b.dialog).to_contain_text("1 more change that they build on goes along")
    b.dialog.get_by_role("button", name="Accept 4 changes", exact=True).tap()
    expect(b.left).to_have_text("4 changes")
    b.page.get_by_role("button", name="Files, groups, timeline, notes").tap()
    b.dialog.get_by_role("tab", name="Files").tap()
    b.dialog.locator('[data-path="pantry/report.py"]').tap()
    expect(b.dialog).to_have_count(0)
    expect(b.at(".stream-card.current")).to_contain_text("Write")


def test_on_a_wide_screen_the_list_is_one_key_away(demo: Project, bench: Open) -> None:
    b = bench(demo)
    b.press("l")
    expect(b.at(".stream-card")).to_have_count(8)
    b.press("n", "a")
    expect(b.at(".stream-card")).to_have_count(7)
    b.press("l")
    expect(b.at(".file-header h1")).to_have_text("pantry/alarm.py")
    expect(b.at(".whole-file.current")).to_be_visible()


def test_the_change_in_hand_is_on_the_screen_in_list_and_editor(demo: Project, bench: Open) -> None:
    b = bench(demo)
    b.press("p")  # the last one
    expect(b.at("[aria-current=true][data-hunk]")).to_be_in_viewport()
    b.press("l")
    expect(b.at(".stream-card.current")).to_be_in_viewport()
    b.press("p", "p")
    read = b.at(".stream-card.current")
    expect(read).to_be_in_viewport()
    name = (read.get_attribute("id") or "").removeprefix("card-")
    b.press("l")
    expect(b.at(f'.current[data-hunk="{name}"]')).to_be_in_viewport()
