"""What a person corrected in an agent's text: shown as it is, and asked about before it goes (rule D1)."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.support.project import Make


@pytest.mark.parametrize(
    ("button", "text"), [("Back to the original", "timeout = 30\n"), ("Keep mine", "timeout = 45\n")]
)
def test_d1_both_texts_are_shown_and_either_can_be_had(
    project: Make, bench: Open, button: str, text: str
) -> None:
    p = project({"a.py": "timeout = 30\n"})
    p.prompt("wait longer")
    p.edit("a.py", "30", "60")
    p.stop()
    p.sub("a.py", "60", "45")
    b = bench(p)
    b.choose("a.py")
    expect(b.at(".removed-block")).to_have_text(["timeout = 30"])
    b.press("x", "Enter")
    expect(b.dialog).to_contain_text("timeout = 45")
    expect(b.dialog).to_contain_text("timeout = 30")
    assert p.text("a.py") == "timeout = 45\n"
    b.dialog.get_by_role("button", name=button).click()
    expect(b.bars).to_have_count(0)
    assert p.text("a.py") == text
    b.press("u")
    expect(b.bars).to_have_count(1)
    assert p.text("a.py") == "timeout = 45\n"
