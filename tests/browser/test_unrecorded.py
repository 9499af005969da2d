"""Where nobody watches, the page gives no all-clear (rule D6)."""

from __future__ import annotations

import shutil

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.test_access import violations
from tests.support.project import Make


@pytest.mark.parametrize("width", [1440, 390], ids=["wide", "narrow"])
def test_a_project_without_hooks_says_so_and_what_to_do(project: Make, bench: Open, width: int) -> None:
    p = project({"a.md": "one\n"})
    p.prompt()
    p.edit("a.md", "one", "ONE")
    p.accept()
    (p.home / ".claude" / "settings.json").unlink()
    b = bench(p, width=width)
    empty = b.at(".empty", has_text="Not recorded here")
    expect(empty.get_by_role("heading", name="Not recorded here")).to_be_visible()
    expect(empty).to_contain_text("no agent has hooks in this folder")
    expect(empty).to_contain_text("To do: blueline init")
    expect(b.page.get_by_text("All reviewed")).to_have_count(0)
    expect(b.page.get_by_text("Everything is decided")).to_have_count(0)
    assert violations(b.page) == []
    # Nothing is cut off, and nothing has to be scrolled to sideways.
    assert b.page.evaluate("document.documentElement.scrollWidth") <= width
    b.picture(p.root.parent / f"unrecorded-{width}.png")


@pytest.mark.parametrize("width", [1440, 390], ids=["wide", "narrow"])
def test_where_records_are_lost_nothing_is_called_reviewed(project: Make, bench: Open, width: int) -> None:
    p = project({"a.md": "one\n"})
    p.prompt()
    p.edit("a.md", "one", "ONE")
    shutil.rmtree(p.state)
    p.is_damaged = True
    b = bench(p, width=width)
    empty = b.at(".empty", has_text="Nothing that is known of")
    expect(empty).to_contain_text("records are lost, and nobody can say of which files")
    expect(empty).to_contain_text("blueline accept --all")
    expect(b.page.get_by_text("All reviewed")).to_have_count(0)
    assert violations(b.page) == []
    assert b.page.evaluate("document.documentElement.scrollWidth") <= width
    b.picture(p.root.parent / f"lost-{width}.png")


def test_it_goes_when_somebody_watches_again(project: Make, bench: Open) -> None:
    p = project({"a.md": "one\n"})
    settings = p.home / ".claude" / "settings.json"
    kept = settings.read_text()
    settings.unlink()
    b = bench(p)
    expect(b.page.get_by_role("heading", name="Not recorded here")).to_be_visible()
    settings.write_text(kept)
    p.prompt()
    p.edit("a.md", "one", "ONE")
    expect(b.page.get_by_role("heading", name="Choose a file")).to_be_visible()
    expect(b.page.get_by_text("Not recorded here")).to_have_count(0)
