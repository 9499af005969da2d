"""Reviewing and typing are two states: in the first keys decide and nothing can be typed."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import FloatRect, expect

from tests.browser.conftest import Open
from tests.support.bench import Bench
from tests.support.project import Make
from tests.support.waiting import wait_until

POEM = "".join(f"line {number}\n" for number in range(1, 10))


def changed(project: Make, bench: Open) -> Bench:
    p = project({"a.txt": POEM})
    p.prompt()
    p.edit("a.txt", "line 3\nline 4\nline 5\n", "LINE 3\nLINE 4\nLINE 5\n")
    b = bench(p)
    expect(b.line("LINE 4")).to_be_visible()
    return b


def drag(b: Bench, first: str, last: str) -> None:
    """Select from one line to another with the mouse."""
    start, end = b.line(first).bounding_box(), b.line(last).bounding_box()
    assert start is not None
    assert end is not None
    b.page.mouse.move(start["x"] + 10, start["y"] + start["height"] / 2)
    b.page.mouse.down()
    b.page.mouse.move(end["x"] + 30, end["y"] + end["height"] / 2, steps=4)
    b.page.mouse.up()


def test_lines_that_are_selected_with_the_mouse_are_decided_and_not_typed_over(
    project: Make, bench: Open
) -> None:
    b = changed(project, bench)
    drag(b, "LINE 3", "LINE 4")
    expect(b.at(".here-verbs")).to_contain_text("Accept 2 lines")
    b.press("a")
    with_five = POEM.replace("line 3\nline 4\nline 5", "LINE 3\nLINE 4\nLINE 5")
    # The cursor goes on to the rest of the same change.
    expect(b.at(".here-verbs")).to_contain_text("Accept change")
    b.press("a")
    expect(b.left).to_have_text("Nothing undecided")
    assert b.p.text("a.txt") == with_five


def test_a_click_and_a_letter_do_not_type(project: Make, bench: Open) -> None:
    b = changed(project, bench)
    b.line("line 8").click()
    for key in ("y", "Backspace", "Delete", "Control+x", "Control+v"):
        b.press(key)
    b.line("LINE 4").click()
    b.press("a")
    expect(b.left).to_have_text("Nothing undecided")
    assert b.p.text("a.txt") == POEM.replace("line 3\nline 4\nline 5", "LINE 3\nLINE 4\nLINE 5")


def test_four_ways_lead_to_typing_and_escape_leads_back(project: Make, bench: Open) -> None:
    b = changed(project, bench)
    state = b.at(".review-bar .state")
    pane = b.at(".editor-pane.typing")
    ways: dict[str, Callable[[], None]] = {
        "one": lambda: b.press("e"),
        "two": lambda: b.press("Enter"),
        "three": lambda: b.line("line 8").dblclick(),
        "four": lambda: b.click("Type here"),
        "five": lambda: state.click(),
    }
    for word, begin in ways.items():
        expect(state).to_have_text("Reviewing · e to type")
        b.line("line 8").click()
        begin()
        expect(state).to_have_text("Typing · Esc to review")
        expect(pane).to_have_count(1)
        b.press("End")
        b.page.keyboard.type(f" {word}")
        b.press("Escape")
        expect(pane).to_have_count(0)
    wait_until(lambda: "line 8 one two three four five\n" in b.p.text("a.txt"))
    b.press("n", "a")
    expect(b.left).to_have_text("Nothing undecided")


def test_another_file_is_reviewed_and_not_typed_in(project: Make, bench: Open) -> None:
    p = project({"a.txt": POEM, "b.txt": POEM})
    p.prompt()
    p.edit("a.txt", "line 3\n", "LINE 3\n")
    p.edit("b.txt", "line 3\n", "LINE 3\n")
    b = bench(p)
    b.choose("a.txt")
    b.line("LINE 3").click()
    b.press("e", "End")
    b.page.keyboard.type(" mine")
    b.choose("b.txt")
    expect(b.at(".review-bar .state")).to_have_text("Reviewing · e to type")
    b.line("LINE 3").click()
    b.press("a")
    expect(b.left).to_have_text("1 change in 1 file")
    wait_until(lambda: "LINE 3 mine\n" in p.text("a.txt"))
    assert "LINE 3\n" in p.text("b.txt")


def test_a_selection_is_seen_on_added_lines_in_every_theme(project: Make, bench: Open) -> None:
    b = changed(project, bench)
    for theme in ("light", "dark", "contrast"):
        b.page.evaluate("name => document.documentElement.dataset.theme = name", theme)
        at = b.line("LINE 4")
        box = at.bounding_box()
        assert box is not None
        # Right of the words, where nothing but the line's own colour is drawn.
        spot: FloatRect = {"x": box["x"] + 300, "y": box["y"] + 3, "width": 4, "height": 4}
        b.line("line 8").click()
        before = b.page.screenshot(clip=spot)
        drag(b, "LINE 3", "LINE 5")
        assert b.page.screenshot(clip=spot) != before, theme


def test_a_selection_is_seen_on_removed_lines_in_every_theme(project: Make, bench: Open) -> None:
    b = changed(project, bench)
    for theme in ("light", "dark", "contrast"):
        b.page.evaluate("name => document.documentElement.dataset.theme = name", theme)
        b.line("line 8").click()
        box = b.at(".removed-line").nth(1).bounding_box()
        assert box is not None
        spot: FloatRect = {"x": box["x"] + 300, "y": box["y"] + 3, "width": 4, "height": 4}
        before = b.page.screenshot(clip=spot)
        drag(b, "line 2", "LINE 5")
        assert b.page.screenshot(clip=spot) != before, theme
