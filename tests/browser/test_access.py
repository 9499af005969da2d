"""Everybody can use it: axe finds nothing, every screen can be reached and left with the keyboard."""

from __future__ import annotations

from importlib import resources

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.support.project import Make, Project

THEMES = ["light", "dark", "contrast"]


CHECK = """async themes => {
  const root = document.documentElement, shown = root.dataset.theme, found = [];
  const colours = {type: "rule", values: ["color-contrast", "link-in-text-block"]};
  for (const theme of [shown, ...themes.filter(theme => theme !== shown)]) {
    if (theme !== undefined) root.dataset.theme = theme;
    const options = {resultTypes: ["violations"], ...(theme === shown ? {} : {runOnly: colours})};
    for (const one of (await axe.run(document, options)).violations)
      for (const node of one.nodes) found.push(`${theme}: ${one.id}: ${node.target} ${node.failureSummary}`);
  }
  if (shown === undefined) delete root.dataset.theme; else root.dataset.theme = shown;
  return found;
}"""
"""A theme is an attribute of the page and what the style makes of it, which can be colours alone."""


def violations(page: Page) -> list[str]:
    """What axe has against the page as it is now, and against its colours in every theme, in words."""
    axe = resources.files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
    page.evaluate(axe)
    found: list[str] = page.evaluate(CHECK, THEMES)
    return found


@pytest.mark.parametrize("theme", THEMES)
def test_a_theme_that_was_chosen_is_there_at_once(project: Make, bench: Open, theme: str) -> None:
    b = bench(project())
    b.page.evaluate("theme => localStorage.setItem('blueline.theme', JSON.stringify(theme))", theme)
    b.page.reload()
    expect(b.at(f"html[data-theme={theme}]")).to_have_count(1)


def test_axe_finds_nothing_on_the_main_screens(demo: Project, bench: Open) -> None:
    b = bench(demo)
    expect(b.bars.first).to_be_visible()
    assert violations(b.page) == []
    b.press("a")
    expect(b.at(".message")).to_be_visible()
    b.press("g", "t")
    expect(b.at(".entry").first).to_be_visible()
    b.press("m")
    expect(b.at(".cm-mergeView")).to_be_visible()
    assert violations(b.page) == []
    b.press("c")
    b.page.keyboard.type("is that so?")
    b.press("Control+Enter")
    b.press("g", "n")
    expect(b.at(".notes .note-card")).to_be_visible()
    assert violations(b.page) == []
    b.press("2", "m", "l")
    expect(b.at(".stream-card .diff-line").first).to_be_visible()
    assert violations(b.page) == []


def test_axe_finds_nothing_in_dialogs(demo: Project, bench: Open) -> None:
    b = bench(demo)
    expect(b.bars.first).to_be_visible()
    for keys in (["?"], ["Control+k"], ["g", "s"], ["b"], ["c"]):
        b.press(*keys)
        expect(b.dialog).to_be_visible()
        expect(b.dialog).not_to_contain_text("Looking …")
        assert violations(b.page) == []
        b.press("Escape")
        expect(b.dialog).to_have_count(0)


def test_axe_finds_nothing_on_a_phone(demo: Project, bench: Open) -> None:
    b = bench(demo, width=390, height=844, has_touch=True, is_mobile=True)
    expect(b.at(".stream-card .diff-line").first).to_be_visible()
    assert violations(b.page) == []
    card = b.at(".stream-card").first
    for name in ("Note", "Why"):
        card.get_by_role("button", name=name, exact=True).tap()
        expect(b.dialog).to_be_visible()
        expect(b.dialog).not_to_contain_text("Looking …")
        assert violations(b.page) == []
        b.press("Escape")
        expect(b.dialog).to_have_count(0)
    b.page.get_by_role("button", name="Files, groups, timeline, notes").tap()
    for name in ("Timeline", "Notes", "Files", "Groups"):
        b.dialog.get_by_role("tab", name=name).tap()
        expect(b.dialog.get_by_role("tabpanel", name=name)).to_be_visible()
        assert violations(b.page) == []
    b.press("Escape")
    b.at(".stream-file h2").get_by_role("button", name="pantry/report.py", exact=True).tap()
    expect(b.bars.first).to_be_visible()
    assert violations(b.page) == []


def test_axe_finds_nothing_where_there_is_nothing(project: Make, bench: Open) -> None:
    for size in ({"width": 1440, "height": 900}, {"width": 390, "height": 844}):
        b = bench(project(), **size)
        expect(b.at(".empty h1")).to_have_text("Nothing to review yet")
        assert violations(b.page) == []


def test_the_focus_comes_back_after_a_dialog_and_is_not_lost_by_a_decision(
    demo: Project, bench: Open
) -> None:
    b = bench(demo)
    button = b.bars.first.get_by_role("button", name="Why is this here?")
    button.focus()
    b.press("Enter")
    expect(b.dialog).to_be_visible()
    b.press("Escape")
    expect(button).to_be_focused()
    b.bars.first.get_by_role("button", name="Accept").focus()
    b.press("Enter")
    expect(b.at(".progress-words")).to_have_text("1 of 9 decided")
    expect(b.at("[data-home]")).to_be_focused()


def test_decisions_are_read_out(demo: Project, bench: Open) -> None:
    b = bench(demo)
    b.press("n")
    expect(b.at("[role=status].unshown")).to_contain_text("Change 2 of 8")
    b.press("a")
    expect(b.at("[role=status].unshown")).to_contain_text("Change 2 of 8")
    said = b.page.locator(".message").first
    expect(said).to_contain_text("Accepted: lines 11 to 15 of pantry/__main__.py")


def test_the_rails_can_be_walked_through_with_arrow_keys(demo: Project, bench: Open) -> None:
    b = bench(demo)
    b.press("1")
    expect(b.at('[data-path="pantry/__main__.py"]')).to_be_focused()
    b.press("ArrowDown", "Enter")
    expect(b.at(".file-header h1")).to_have_text("pantry/alarm.py")
    b.press("1", "ArrowLeft")
    expect(b.at('[data-path="pantry"]')).to_be_focused()
    b.press("ArrowLeft")
    expect(b.at('[data-path="pantry"]')).to_have_attribute("aria-expanded", "false")
    expect(b.at('[data-path="pantry/alarm.py"]')).to_have_count(0)
    b.press("3", "ArrowDown", "ArrowRight")
    expect(b.at(".group-row.hunk")).to_have_count(1)


def test_letters_can_be_turned_off(demo: Project, bench: Open) -> None:
    b = bench(demo)
    b.press("?")
    b.dialog.get_by_label("Single-letter keys").uncheck()
    b.press("Escape", "a")
    expect(b.at(".progress-words")).to_have_text("0 of 9 decided")
    b.press("Control+k")
    expect(b.dialog).to_be_visible()
