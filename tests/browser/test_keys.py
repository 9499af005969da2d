"""The palette, the help, and keys of one's own."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.support.project import POEM, Make, Project


@pytest.fixture
def poem(project: Make) -> Project:
    p = project({"a.txt": POEM, "b.txt": POEM})
    p.prompt("make it louder")
    p.edit("a.txt", "line 5\n", "LINE 5\n")
    p.edit("b.txt", "line 5\n", "LINE 5\n")
    p.stop()
    return p


def test_the_palette_runs_commands_and_opens_files(poem: Project, bench: Open) -> None:
    b = bench(poem)
    b.press("Control+k")
    b.page.keyboard.type("b.txt")
    b.press("Enter")
    expect(b.at(".file-header h1")).to_have_text("b.txt")
    b.press("Control+k")
    b.page.keyboard.type("split")
    b.press("Enter")
    expect(b.at(".cm-mergeView")).to_be_visible()


def test_the_palette_can_be_opened_while_typing(poem: Project, bench: Open) -> None:
    b = bench(poem)
    b.press("e")
    expect(b.text).to_be_focused()
    b.press("Control+k")
    expect(b.dialog).to_be_visible()
    b.press("Escape")
    expect(b.text).to_be_focused()
    b.press("Escape")
    expect(b.at("[data-home]")).to_be_focused()


def test_a_key_can_be_changed_and_the_help_shows_it(poem: Project, bench: Open) -> None:
    b = bench(poem)
    b.press("?")
    row = b.dialog.locator(".keys li", has_text="Next undecided change")
    row.get_by_role("button").click()
    b.press("h")
    expect(row.locator("kbd")).to_have_text("h")
    b.press("Escape")
    b.page.reload()
    expect(b.at(".place")).to_have_text("1 / 2")
    b.press("n")
    expect(b.at(".place")).to_have_text("1 / 2")
    b.press("h")
    expect(b.at(".place")).to_have_text("2 / 2")


def test_the_terminal_preset(poem: Project, bench: Open) -> None:
    b = bench(poem)
    b.press("?")
    b.dialog.get_by_label("Preset").select_option("Terminal")
    b.press("Escape", "]")
    expect(b.at(".place")).to_have_text("2 / 2")
    b.press(" ")
    expect(b.left).to_have_text("1 change in 1 file")


def test_keys_go_between_the_parts_of_the_page(poem: Project, bench: Open) -> None:
    b = bench(poem)
    expect(b.bars).to_have_count(1)
    b.press("1")
    expect(b.at(".files-rail :focus")).to_have_count(1)
    b.press("3")
    expect(b.at(".side-rail :focus")).to_have_count(1)
    b.press("2")
    expect(b.at("[data-home]")).to_be_focused()
    b.press("}")
    expect(b.at(".group-row.turn.current")).to_have_count(1)
    b.press("g", "a")
    expect(b.dialog).to_contain_text("Accept turn 1?")
    b.press("Escape", "g", "x")
    expect(b.dialog).to_contain_text("Reject turn 1?")
