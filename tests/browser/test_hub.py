"""The workbench through a hub: an inbox over machines, and decisions that their machines carry out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_access import violations
from tests.support.hub_process import Hub, join, project_of, serving, sync
from tests.support.postgresql import Server
from tests.support.project import POEM, Project

PICTURES = os.environ.get("BLUELINE_PICTURES", "")


@pytest.fixture
def hub(postgresql: Server, tmp_path: Path) -> Iterator[Hub]:
    home = tmp_path / "hub"
    home.mkdir()
    with serving(postgresql.database(), home) as hub:
        yield hub


@pytest.fixture
def machines(tmp_path: Path, hub: Hub) -> list[Project]:
    """Two, each with a change that is undecided. The first is then left alone."""
    found = []
    for number, name in enumerate(("poem", "<b>song</b>")):
        machine = Project(tmp_path / f"{number}", {"a.txt": POEM})
        join(machine, hub)
        machine.prompt("louder, " + name)
        machine.edit("a.txt", "line 2\n", f"LINE {number}\n")
        sync(machine)
        found.append(machine)
    return found


def entered(browser: Browser, link: str, **options: object) -> Page:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, **options)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(link)
    page.get_by_role("link", name="Sign in on this browser").click()
    return page


def picture(page: Page, name: str) -> None:
    if PICTURES:
        page.screenshot(path=f"{PICTURES}/{name}.png")


def test_a_reviewer_goes_from_the_inbox_to_a_machine_that_is_off_and_sees_what_it_does_then(
    browser: Browser, machines: list[Project], hub: Hub
) -> None:
    page = entered(browser, hub.link("Anna", "reviewer"))
    expect(page.locator(".waiting-project")).to_have_count(2)
    assert violations(page) == []
    picture(page, "inbox")
    page.locator(".waiting-project").first.click()
    expect(page.locator(".file-header h1")).to_have_text("a.txt")
    expect(page.locator(".connection.live")).to_be_visible()
    expect(page.locator(".hunk-bar")).to_be_visible()

    page.get_by_role("button", name="Reject change").click()

    expect(page.get_by_text("Asked for:").first).to_be_visible()
    assert "LINE 0" in machines[0].text("a.txt"), "it waits"
    picture(page, "asked")
    page.reload()
    expect(page.get_by_text("1 decision waits for").first).to_be_visible()
    picture(page, "waits")
    sync(machines[0])
    expect(page.locator(".review-bar")).to_contain_text("Nothing undecided")
    picture(page, "done")
    assert machines[0].text("a.txt") == POEM
    (made, *_) = machines[0].log("decision")
    assert (made["by"], made["verdict"]) == ("Anna", "reject")
    page.context.close()


def test_a_reader_looks_and_is_told_why_nothing_else(
    browser: Browser, machines: list[Project], hub: Hub
) -> None:
    project = project_of(machines[0])
    page = entered(browser, hub.link("Rita", "reader", project), color_scheme="dark")
    expect(page.locator(".waiting-project")).to_have_count(1)
    page.locator(".waiting-project").click()
    expect(page.locator(".hunk-bar")).to_be_visible()

    page.get_by_role("button", name="Accept change").click()

    expect(page.get_by_text("a reader may look, and not do this").first).to_be_visible()
    picture(page, "reader")
    page.set_viewport_size({"width": 390, "height": 800})
    picture(page, "reader-narrow")
    page.context.close()
