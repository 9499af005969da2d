"""One vocabulary, the command line's: accept, reject, undo, redo, note, viewed, turn, call, change."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.support.project import POEM, Make, Project

OTHER_WORDS = re.compile(
    r"take[sn]? back|took back|bring back|\bread\b|\bapply\b|\brevert\b|as at first|letters do"
    r"|done again|\bd\d+\b",
    re.IGNORECASE,
)
"""Of the same things, and ids of decisions, which say nothing to a person."""


def two(project: Make) -> Project:
    p = project({"a.txt": POEM, "b.txt": POEM})
    p.prompt("first wish")
    p.edit("a.txt", "line 3\n", "LINE 3\n")
    p.edit("b.txt", "line 3\n", "LINE 3\n")
    p.edit("b.txt", "line 9\n", "LINE 9\n")
    p.stop()
    return p


def test_the_same_word_for_the_same_thing_everywhere(project: Make, bench: Open) -> None:
    b = bench(two(project))
    b.choose("a.txt")
    said = [b.page.locator("body").inner_text()]
    b.press("x")
    expect(b.left).to_have_text("2 changes in 1 file")
    b.press("u")
    expect(b.left).to_have_text("3 changes in 2 files")
    b.press("U")
    expect(b.left).to_have_text("2 changes in 1 file")
    b.press("g", "t")
    expect(b.at(".entry.decision")).to_have_count(3)
    said.append(b.page.locator("body").inner_text())
    for keys in (["?"], ["Control+k"], ["b"], ["c"]):
        b.press(*keys)
        expect(b.dialog).to_be_visible()
        expect(b.dialog).not_to_contain_text("Looking …")
        said.append(b.dialog.inner_text())
        b.press("Escape")
        expect(b.dialog).to_have_count(0)
    found = [line for text in said for line in text.splitlines() if OTHER_WORDS.search(line)]
    assert found == []


def test_messages_name_file_and_place(project: Make, bench: Open) -> None:
    b = bench(two(project))
    b.choose("a.txt")
    b.press("x")
    expect(b.at(".message")).to_contain_text("Rejected: line 3 of a.txt")
    b.press("u")
    expect(b.at(".message")).to_contain_text("Undone: line 3 of a.txt")
    # What was said of the decision before is not true any more.
    expect(b.at(".message")).to_have_count(1)
    b.choose("b.txt")
    b.press("X")
    expect(b.at(".message")).to_contain_text("Rejected: 2 changes in b.txt")
    b.press("u")
    expect(b.at(".message")).to_contain_text("Undone: 2 changes in b.txt")


def test_the_palette_offers_the_smallest_thing_first(project: Make, bench: Open) -> None:
    b = bench(two(project))
    for word, smallest in (("accept", "Accept the change"), ("reject", "Reject the change")):
        b.press("Control+k")
        b.page.keyboard.type(word)
        expect(b.dialog.get_by_role("option").first).to_contain_text(smallest)
        b.press("Escape")
        expect(b.dialog).to_have_count(0)
