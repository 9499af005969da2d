"""Notes on lines, hunks, files and turns."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.support.project import POEM, Make, Project


@pytest.fixture
def poem(project: Make) -> Project:
    p = project({"poem.txt": POEM})
    p.prompt("make it louder")
    p.edit("poem.txt", "line 5\n", "LINE 5\n")
    p.stop()
    return p


def test_a_note_on_a_line_stands_below_it_and_follows_it(poem: Project, bench: Open) -> None:
    b = bench(poem)
    expect(b.bars).to_have_count(1)
    b.press("j", "c")
    b.page.keyboard.type("is this one right?")
    b.dialog.get_by_role("button", name="Question").click()
    b.dialog.get_by_label("Note", exact=True).press("Control+Enter")
    expect(b.at(".note-card.in-text")).to_contain_text("is this one right?")
    expect(b.at(".note-card.in-text .note-state")).to_have_text("draft")
    poem.sub("poem.txt", "line 1\n", "line 0\nline 1\n")
    b.press("g", "n")
    expect(b.at(".notes .note-card")).to_contain_text("poem.txt:7")
    expect(b.at('[data-path="poem.txt"] .notes-count')).to_have_text("1")


def test_a_must_fix_note_closes_the_gate_until_it_is_resolved(poem: Project, bench: Open) -> None:
    poem.looked_at()
    b = bench(poem)
    expect(b.bars).to_have_count(1)
    b.press("a")
    expect(b.at(".gate-light")).to_contain_text("Gate open")
    b.press("C")
    b.dialog.get_by_role("button", name="Must fix").click()
    b.dialog.get_by_label("Note", exact=True).fill("no licence")
    b.dialog.get_by_role("button", name="Save Ctrl+Enter").click()
    expect(b.at(".gate-light")).to_contain_text("Gate closed")
    b.press("g", "n")
    b.at(".notes .note-card").get_by_role("button", name="Resolve").click()
    expect(b.at(".gate-light")).to_contain_text("Gate open")


def test_notes_are_sent_one_by_one_or_all_at_once(poem: Project, bench: Open) -> None:
    b = bench(poem)
    b.bars.first.get_by_role("button", name="Note").click()
    b.page.keyboard.type("softer, please")
    b.press("Control+Shift+Enter")
    expect(b.at(".message").last).to_contain_text("Note sent")
    b.press("g", "n")
    expect(b.at(".notes .note-state")).to_have_text("sent")
    b.at(".group-row.turn, #tab-groups").first.click()
    turn = b.at(".group-row.turn").first
    turn.hover()
    turn.get_by_role("button", name="Note on turn 1").click()
    b.page.keyboard.type("thank you")
    b.press("Control+Enter")
    b.page.get_by_role("button", name="Send 1 note").click()
    b.press("g", "n")
    expect(b.at(".notes .note-state")).to_have_text(["sent", "sent"])


def test_a_note_is_edited_and_removed(poem: Project, bench: Open) -> None:
    b = bench(poem)
    expect(b.bars).to_have_count(1)
    b.press("c")
    b.page.keyboard.type("first words")
    b.press("Control+Enter", "g", "n")
    card = b.at(".notes .note-card")
    card.get_by_role("button", name="Edit").click()
    b.dialog.get_by_label("Note", exact=True).fill("second thoughts")
    b.press("Control+Enter")
    expect(card).to_contain_text("second thoughts")
    card.get_by_role("button", name="Remove").click()
    expect(card).to_have_count(0)


def test_n_and_p_with_shift_go_from_note_to_note(poem: Project, bench: Open) -> None:
    b = bench(poem)
    expect(b.bars).to_have_count(1)
    for words in ("one", "two"):
        b.press("j", "c")
        b.page.keyboard.type(words)
        b.press("Control+Enter")
        expect(b.at(".note-card.in-text", has_text=words)).to_have_count(1)
    b.press("N")
    expect(b.at("[role=status].unshown")).to_contain_text("one")
    b.press("P")
    expect(b.at("[role=status].unshown")).to_contain_text("two")
