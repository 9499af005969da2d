"""What was not seen is not decided, and what was typed is not lost."""

from __future__ import annotations

from playwright.sync_api import Dialog, expect

from tests.browser.conftest import Open
from tests.browser.test_notebooks import button, cell
from tests.support.bench import Bench
from tests.support.notebooks import NAME, dumped, notebook_edit, sources, three
from tests.support.project import POEM, Make, Project
from tests.support.waiting import wait_until


def two_turns(project: Make) -> Project:
    p = project({"a.txt": POEM, "b.txt": POEM})
    p.prompt("first wish")
    p.edit("a.txt", "line 3\n", "LINE 3\n")
    p.stop()
    p.prompt("second wish")
    p.edit("b.txt", "line 3\n", "LINE 3\n")
    p.stop()
    return p


# The turn in hand


def test_the_turn_in_hand_stays_when_a_newer_one_ends(project: Make, bench: Open) -> None:
    p = project({"a.txt": POEM, "b.txt": POEM})
    p.prompt("first wish")
    p.edit("a.txt", "line 3\n", "LINE 3\n")
    p.stop()
    b = bench(p)
    control = b.at(".turn-control")
    expect(control).to_contain_text("Turn 1")
    p.prompt("second wish")
    p.edit("b.txt", "line 3\n", "LINE 3\n")
    p.stop()
    expect(control).to_contain_text("Turn 2 is newer")
    expect(control.locator(".menu-button")).to_contain_text("Turn 1")
    b.press("Control+Shift+Enter")
    expect(b.at(".messages")).to_contain_text("Accepted turn 1: 1 edit in a.txt")
    expect(b.left).to_have_text("1 change in 1 file")


def test_the_turn_that_was_taken_in_hand_stays_whatever_else_is_told(project: Make, bench: Open) -> None:
    p = two_turns(project)
    b = bench(p)
    b.choose("a.txt")
    shown = b.at(".turn-control .menu-button")
    expect(shown).to_contain_text("Turn 1")
    shown.click()
    b.page.get_by_role("menuitem", name="Newer turn").click()
    expect(shown).to_contain_text("Turn 2")
    p.prompt("third wish")
    p.edit("b.txt", "line 20\n", "LINE 20\n")
    expect(b.left).to_have_text("3 changes in 2 files")
    expect(shown).to_contain_text("Turn 2")


def test_a_turn_that_was_never_shown_is_asked_about_by_its_name_and_files(project: Make, bench: Open) -> None:
    b = bench(two_turns(project))
    b.choose("a.txt")
    # It was there before the page, so that it is no news.
    expect(b.at(".newer-turn")).to_have_count(0)
    b.at(".turn-control .menu-button").click()
    b.page.get_by_role("menuitem", name="Newer turn").click()
    b.press("Control+Shift+Enter")
    expect(b.dialog).to_contain_text("Accept turn 2?")
    expect(b.dialog).to_contain_text("1 file you have not opened")
    expect(b.dialog).to_contain_text("b.txt")
    expect(b.left).to_have_text("2 changes in 2 files")
    b.dialog.get_by_role("button", name="Accept turn 2").click()
    expect(b.left).to_have_text("1 change in 1 file")


def test_everything_names_the_files_that_were_not_opened(project: Make, bench: Open) -> None:
    b = bench(two_turns(project))
    b.choose("a.txt")
    b.pick("All changes", "Accept all")
    expect(b.dialog).to_contain_text("1 file you have not opened")
    expect(b.dialog.locator(".unseen-files li")).to_have_text(["b.txt"])


# What is hidden


def hide(b: Bench, turn: int) -> None:
    row = b.at(".group-row.turn", f"Turn {turn}")
    row.hover()
    row.get_by_role("button", name=f"Hide turn {turn}").click()


def test_what_is_hidden_is_neither_visited_nor_decided(project: Make, bench: Open) -> None:
    p = two_turns(project)
    p.prompt("third wish")
    p.edit("a.txt", "line 7\n", "LINE 7\n")
    p.stop()
    b = bench(p)
    b.choose("a.txt")
    hide(b, 3)
    expect(b.left).to_have_text("3 changes in 2 files · 1 hidden")
    for _ in range(3):
        b.press("n")
        expect(b.at(".place")).to_contain_text("/ 2")
    row = b.at('.group-row[data-group="t3"]')
    row.hover()
    expect(row.get_by_role("button", name="Show turn 3")).to_be_visible()
    expect(row.get_by_role("button", name="Accept")).to_have_count(0)
    b.choose("a.txt")
    b.line("LINE 7").click()
    b.press("a")
    expect(b.at(".message")).to_contain_text("hidden")
    expect(b.left).to_have_text("3 changes in 2 files · 1 hidden")
    b.pick("All changes", "Accept all")
    expect(b.dialog).to_contain_text("everything but for 1 hidden change")
    b.dialog.get_by_role("button", name="Accept 2 changes").click()
    expect(b.left).to_have_text("1 change in 1 file · 1 hidden")


# What was typed in a cell


def notebook_and_text(project: Make) -> Project:
    p = project({NAME: dumped(three()), "z.txt": POEM})
    p.prompt()
    notebook_edit(p, "load", "import csv\n")
    p.edit("z.txt", "line 3\n", "LINE 3\n")
    p.stop()
    return p


def type_in_cell(b: Bench, words: str) -> None:
    button(b, "about", "Edit").click()
    cell(b, "about").locator(".cm-content[contenteditable=true]").click()
    b.press("Control+End")
    b.page.keyboard.type(words)


def test_typing_in_a_cell_is_saved_on_the_way_to_another_file(project: Make, bench: Open) -> None:
    p = notebook_and_text(project)
    b = bench(p)
    b.choose(NAME)
    type_in_cell(b, " Mine.")
    b.choose("z.txt")
    wait_until(lambda: any("Mine." in source for source in sources(p)))


def test_typing_in_a_cell_survives_a_reload(project: Make, bench: Open) -> None:
    p = notebook_and_text(project)
    b = bench(p)
    b.choose(NAME)
    type_in_cell(b, " Mine.")
    b.page.on("dialog", lambda asked: _leave(asked))
    b.page.reload()
    b.choose(NAME)
    expect(cell(b, "about").locator(".cm-content[contenteditable=true]")).to_contain_text("Mine.")
    button(b, "about", "Save").click()
    wait_until(lambda: any("Mine." in source for source in sources(p)))


def _leave(asked: Dialog) -> None:
    asked.accept()
