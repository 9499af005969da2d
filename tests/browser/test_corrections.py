"""What a person corrected in an agent's text: shown as it is, and asked about before it goes (rule D1)."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.support.project import Make, Project


@pytest.fixture
def corrected(project: Make) -> Project:
    """An agent's line with a person's word in it."""
    p = project({"a.py": "one = 1\ntimeout = 30\ntwo = 2\n"})
    p.prompt("wait longer")
    p.edit("a.py", "30", "60")
    p.stop()
    p.sub("a.py", "60", "45")
    return p


@pytest.mark.parametrize(
    ("button", "line"), [("Back to the original", "timeout = 30\n"), ("Keep yours", "timeout = 45\n")]
)
def test_d1_it_is_asked_in_place_with_both_results(
    corrected: Project, bench: Open, button: str, line: str
) -> None:
    p = corrected
    b = bench(p)
    b.choose("a.py")
    expect(b.at(".removed-block")).to_have_text(["timeout = 30"])
    b.press("x")
    asked = b.at(".decision-question")
    expect(asked).to_contain_text("You changed this line")
    expect(asked.locator(".question-answer")).to_have_text(
        ["Keep yourstimeout = 45", "Back to the originaltimeout = 30"]
    )
    expect(b.dialog).to_have_count(0)
    expect(asked).to_be_focused()
    # The text below it has made room.
    below = b.at(".cm-line").filter(has_text="two = 2").bounding_box()
    box = asked.bounding_box()
    assert below is not None
    assert box is not None
    assert below["y"] >= box["y"] + box["height"] - 1
    assert p.text("a.py") == "one = 1\ntimeout = 45\ntwo = 2\n"
    asked.get_by_role("button", name=button).click()
    expect(b.bars).to_have_count(0)
    assert p.text("a.py") == f"one = 1\n{line}two = 2\n"
    b.press("u")
    expect(b.bars).to_have_count(1)
    assert p.text("a.py") == "one = 1\ntimeout = 45\ntwo = 2\n"


def test_d1_who_cancels_has_decided_nothing(corrected: Project, bench: Open) -> None:
    b = bench(corrected)
    b.choose("a.py")
    for leave in ("Escape", "Cancel"):
        b.press("x")
        asked = b.at(".decision-question")
        expect(asked).to_be_focused()
        if leave == "Escape":
            b.press("Escape")
        else:
            asked.get_by_role("button", name="Cancel").click()
        expect(asked).to_have_count(0)
        expect(b.bars).to_have_count(1)
    assert corrected.text("a.py") == "one = 1\ntimeout = 45\ntwo = 2\n"


def test_d1_of_a_whole_file_it_is_asked_in_place(corrected: Project, bench: Open) -> None:
    p = corrected
    b = bench(p)
    b.choose("a.py")
    b.press("Shift+X")
    asked = b.at(".decision-question")
    expect(asked).to_contain_text("timeout = 45")
    expect(b.dialog).to_have_count(0)
    asked.get_by_role("button", name="Back to the original").click()
    expect(b.bars).to_have_count(0)
    assert p.text("a.py") == "one = 1\ntimeout = 30\ntwo = 2\n"
