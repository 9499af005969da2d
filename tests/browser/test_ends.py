"""The end says what was accepted and rejected, and leads on; what the gate waits for did not fail."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.test_access import violations
from tests.support.project import POEM, Make, Project


def two(project: Make) -> Project:
    p = project({"a.txt": POEM, "b.txt": POEM})
    p.prompt("make it louder")
    p.edit("a.txt", "line 5\n", "LINE 5\n")
    p.edit("b.txt", "line 7\n", "LINE 7\n")
    p.stop()
    return p


def test_the_end_says_what_was_accepted_and_rejected_and_leads_on(project: Make, bench: Open) -> None:
    b = bench(two(project))
    b.choose("a.txt")
    b.press("a")
    expect(b.left).to_have_text("1 change in 1 file")
    b.press("x")
    expect(b.left).to_have_text("Nothing undecided")
    b.click("Finish")
    expect(b.dialog).to_contain_text("1 change accepted, 1 rejected")
    expect(b.dialog).to_contain_text("Turn 1 make it louder: 1 accepted, 1 rejected")
    assert violations(b.page) == []
    b.dialog.get_by_role("button", name="Show the gate").click()
    expect(b.dialog).to_contain_text("The gate is closed")


def test_what_the_gate_waits_for_has_not_failed(project: Make, bench: Open) -> None:
    b = bench(two(project))
    expect(b.at(".gate-light.waiting")).to_have_count(1)
    count = int(b.at(".gate-light .why").inner_text().split()[0])
    b.at(".gate-light").click()
    reasons = b.dialog.get_by_role("list", name="Requirements").locator("li.reason")
    expect(reasons).to_have_count(count)
    expect(reasons.locator(".lamp.waiting")).to_have_count(count)
    expect(b.dialog.locator(".lamp.failed")).to_have_count(0)
    assert violations(b.page) == []
