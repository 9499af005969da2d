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
    b.page.keyboard.type("unified")
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


KEYS = {
    "Next line": "j ↓",
    "Previous line": "k ↑",
    "Next undecided change": "n",
    "Previous undecided change": "p",
    "Next note": "N",
    "Previous note": "P",
    "Next file": "]",
    "Previous file": "[",
    "Next turn": "}",
    "Previous turn": "{",
    "Accept the change or the selected lines": "a",
    "Reject the change or the selected lines": "x",
    "Accept all in the file": "A",
    "Reject all in the file": "X",
    "Accept the group": "g a",
    "Reject the group": "g x",
    "Accept the turn": "Ctrl+Shift+Enter",
    "Reject the turn": "Ctrl+Shift+Backspace",
    "Undo the last decision": "u",
    "Redo what was undone": "U",
    "Split: decide about this line by itself": "s",
    "Mark the file as viewed, or not": "v",
    "Mark as viewed and go on to the next file": "V",
    "Select to the next line": "J Shift+↓",
    "Select to the previous line": "K Shift+↑",
    "Fold what is unchanged": "z",
    "Show the whole file": "Z",
    "Fold the file, or open it": "o",
    "Show all that was decided": "O",
    "Go to files": "1",
    "Go to the editor": "2",
    "Go to groups": "3 g g",
    "Go to the timeline": "g t",
    "Go to notes": "g n",
    "Gate": "g s Ctrl+Enter",
    "Bring the cursor to the middle": ".",
    "Show what is new in this file": "r",
    "Note on the line or the selected lines": "c",
    "Note on the file": "C",
    "Why is this here? Who wrote it?": "b",
    "Type here": "e Enter",
    "Unified or split": "m",
    "Diff, final, original": "f",
    "Wrap long lines": "w",
    "Mark changed words": "W",
    "Hide changes in blanks": "\\",
    "Search in the file": "/",
    "Filter files": "t",
    "All commands": "Ctrl+K",
    "Keys": "?",
    "Back": "q Esc",
}


def test_the_sheet_has_every_key(poem: Project, bench: Open) -> None:
    b = bench(poem)
    b.press("?")
    found = b.dialog.locator(".keys li").evaluate_all(
        "rows => rows.map(row => [row.querySelector('span').textContent,"
        " [...row.querySelectorAll('kbd')].map(key => key.textContent).join(' ')])"
    )
    sheet = dict(found)
    assert {title: sheet.get(title) for title in KEYS} == KEYS


def test_a_line_is_split_off_and_decided_by_itself(project: Make, bench: Open) -> None:
    p = project({"a.txt": "top\nend\n"})
    p.prompt()
    p.edit("a.txt", "top\n", "top\none\ntwo\n")
    b = bench(p)
    b.press("j", "s")
    expect(b.at(".review-bar")).to_contain_text("Accept 1 line")
    b.press("x")
    expect(b.line("two")).to_have_count(0)
    assert p.text("a.txt") == "top\none\nend\n"


def test_files_and_lines_are_folded_with_keys(poem: Project, bench: Open) -> None:
    b = bench(poem)
    expect(b.at(".fold")).to_have_count(1)
    b.press("o")
    expect(b.at(".fold")).to_have_count(0)
    b.press("o")
    expect(b.at(".fold")).to_have_count(1)
    b.press("l", "n")
    expect(b.at(".stream-card")).to_have_count(2)
    b.press("o")
    expect(b.at(".stream-card")).to_have_count(1)


def test_decided_changes_come_back_into_sight_with_a_key(poem: Project, bench: Open) -> None:
    poem.accept("a.txt")
    b = bench(poem)
    b.choose("a.txt")
    expect(b.at(".decided-row")).to_have_count(0)
    b.press("O")
    expect(b.at(".decided-row.accepted")).to_have_count(1)


def test_the_gate_is_one_chord_away_and_the_cursor_can_be_centred(poem: Project, bench: Open) -> None:
    b = bench(poem)
    b.press("Control+Enter")
    expect(b.dialog).to_contain_text("gate")
    b.press("Escape")
    expect(b.dialog).to_have_count(0)
    b.press("j", ".", "e")
    expect(b.text).to_be_focused()
    b.press("Escape", "q")
    expect(b.at("[data-home]")).to_be_focused()
