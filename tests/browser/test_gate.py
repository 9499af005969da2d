"""The sheet of the gate: what is missing, a review as it runs, and shipping."""

from __future__ import annotations

import subprocess

from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.test_access import violations
from tests.support.project import Make, Project

LOOPS = """
[review.loops.1]
commands = ["echo building; test ! -e BROKEN || { echo 'a.md:1: error: it is broken'; exit 1; }"]
[review.loops.2]
commands = ["true"]
[review.loops.3]
skip = "nothing to attack here"
[review.loops.4]
commands = ["true"]
"""


def yard(project: Make) -> Project:
    """A project with a repository, a remote and loops, in which an agent has changed something."""
    p = project({"a.md": "one\n", "b.md": "two\n", ".blueline/config.toml": f"format = 1\n{LOOPS}"})
    remote = p.root.parent / "remote.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(remote)], check=True)
    for words in (
        ["init", "-q", "-b", "main"],
        ["add", "-A"],
        ["commit", "-qm", "first"],
        ["remote", "add", "origin", str(remote)],
        ["push", "-q", "-u", "origin", "main"],
    ):
        p.git(*words)
    p.prompt("make it louder")
    p.edit("a.md", "one", "ONE")
    return p


def test_from_a_closed_gate_to_what_has_landed(project: Make, bench: Open) -> None:
    p = yard(project)
    p.put("BROKEN", "")
    b = bench(p)
    b.at(".gate-light").click()
    expect(b.dialog).to_contain_text("The gate is closed")
    expect(b.dialog).to_contain_text("1 change in 1 file is undecided")
    expect(b.dialog).to_contain_text("no review has been run")
    # Nothing runs before a person has read the commands.
    expect(b.dialog.get_by_role("button", name="Run review")).to_be_disabled()
    expect(b.dialog.get_by_role("button", name="Ship…")).to_be_disabled()
    b.dialog.get_by_role("button", name="Trust these commands").click()
    b.dialog.get_by_role("button", name="Run review").click()
    expect(b.dialog.locator(".loop.failed")).to_contain_text("it is broken")
    expect(b.dialog).to_contain_text("not run for these bytes")
    # The way to what is missing.
    b.dialog.locator(".loop.failed .link").click()
    expect(b.dialog).to_have_count(0)
    b.at(".gate-light").click()
    b.dialog.get_by_role("button", name="Go to the first").click()
    b.press("a")
    (p.root / "BROKEN").unlink()
    b.press("g", "s")
    expect(b.dialog).to_contain_text("Every change by an agent is decided")
    b.dialog.get_by_role("button", name="Run review").click()
    expect(b.dialog).to_contain_text("The gate is open")
    expect(b.dialog).to_contain_text("nothing to attack here")
    b.dialog.get_by_role("button", name="Ship…").click()
    expect(b.dialog.get_by_label("Message of the commit")).to_have_value(
        "make it louder\n\nReviewed with Blueline: 1 change of claude-code kept.\n"
    )
    b.dialog.get_by_label("Message of the commit").fill("Louder")
    b.dialog.get_by_role("button", name="Ship to origin/main").click()
    expect(b.dialog.locator(".landed")).to_contain_text("what landed is what was approved")
    assert p.git("log", "-1", "--format=%s", "origin/main").strip() == "Louder"
    assert p.git("rev-parse", "HEAD") == p.git("rev-parse", "origin/main")
    b.press("Escape")
    expect(b.at(".gate-light")).to_contain_text("Gate open")
    # One byte, and it is closed. No agent ever touched that file: it is seen when the person comes back.
    p.put("b.md", "twp\n")
    b.page.evaluate("dispatchEvent(new Event('focus'))")
    expect(b.at(".gate-light")).to_contain_text("Gate closed")
    b.press("g", "s")
    expect(b.dialog).to_contain_text("b.md changed since")


def test_an_override_is_seen_by_everybody(project: Make, bench: Open) -> None:
    p = yard(project)
    b = bench(p)
    b.press("g", "s")
    b.dialog.get_by_text("Override…").click()
    expect(b.dialog.get_by_role("button", name="Override the gate")).to_be_disabled()
    b.dialog.get_by_label("Reason for the override").fill("<b>the site is down</b>")
    b.dialog.get_by_role("button", name="Override the gate").click()
    expect(b.dialog.locator(".override")).to_contain_text("<b>the site is down</b>")
    b.press("Escape")
    expect(b.at(".gate-light")).to_contain_text("overridden")
    assert p.status()["gate"]["override"]["reason"] == "<b>the site is down</b>"


def test_a_review_can_be_stopped_and_another_page_sees_it_run(project: Make, bench: Open) -> None:
    p = yard(project)
    p.put(".blueline/config.toml", "format = 1\n[review.loops.1]\ncommands = ['echo waiting; sleep 300']\n")
    b = bench(p)
    b.press("g", "s")
    b.dialog.get_by_role("button", name="Trust these commands").click()
    b.dialog.get_by_role("button", name="Run review").click()
    expect(b.dialog.locator(".under-way")).to_contain_text("waiting")
    b.page.reload()
    b.press("g", "s")
    expect(b.dialog).to_contain_text("Loop 1 is running")
    b.dialog.get_by_role("button", name="Stop the review").click()
    expect(b.dialog.get_by_role("button", name="Run review")).to_be_enabled()
    assert p.shell("pgrep -f 'sleep 30[0]' || true").stdout == ""


def test_axe_finds_nothing_in_the_sheet(project: Make, bench: Open) -> None:
    p = yard(project)
    p.put("BROKEN", "")
    b = bench(p)
    b.press("g", "s")
    expect(b.dialog).to_contain_text("no review has been run")
    b.dialog.get_by_text("Override…").click()
    assert violations(b.page) == []
    b.dialog.get_by_role("button", name="Trust these commands").click()
    b.dialog.get_by_role("button", name="Run review").click()
    expect(b.dialog.locator(".loop.failed")).to_contain_text("it is broken")
    assert violations(b.page) == []


def test_the_sheet_fits_a_phone(project: Make, bench: Open) -> None:
    p = yard(project)
    p.put("BROKEN", "")
    b = bench(p, width=390, height=844)
    b.at(".gate-light").click()
    b.dialog.get_by_role("button", name="Trust these commands").click()
    b.dialog.get_by_role("button", name="Run review").click()
    expect(b.dialog.locator(".loop.failed")).to_contain_text("it is broken")
    assert b.dialog.evaluate("sheet => sheet.scrollWidth <= sheet.clientWidth")
