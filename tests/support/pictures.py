"""Pictures of the workbench with the sample project, for the README: `make screenshots`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, ViewportSize, expect

from tests.support.bench import Bench
from tests.support.chromium import chromium
from tests.support.project import Project
from tests.support.sample import sample
from tests.support.workbench import running

WIDE: ViewportSize = {"width": 1360, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 780}


def light(browser: Browser, p: Project, path: Path) -> None:
    """One change decided, one with a note on it, the rest to come."""
    with running(p) as server:
        b = Bench(p, server, browser.new_context(viewport=WIDE, color_scheme="light"))
        b.choose("pantry/report.py")
        b.press("a")
        expect(b.at(".decided-row.accepted")).to_have_count(1)
        b.press("c")
        b.page.keyboard.type("Say “today” when it is none.")
        b.press("Control+Enter")
        expect(b.at(".note-card.in-text")).to_be_visible()
        for message in b.at(".message").get_by_role("button", name="Dismiss").all()[::-1]:
            message.click()
        b.page.screenshot(path=path)
        b.close()


def dark(browser: Browser, p: Project, path: Path) -> None:
    """Side by side, with the timeline."""
    with running(p) as server:
        b = Bench(p, server, browser.new_context(viewport=WIDE, color_scheme="dark"))
        b.choose("pantry/report.py")
        b.press("m")
        expect(b.at(".cm-mergeView")).to_be_visible()
        b.press("g", "t")
        expect(b.at(".entry.decision")).to_have_count(1)
        b.press("2")
        b.page.screenshot(path=path)
        b.close()


def phone(browser: Browser, p: Project, path: Path) -> None:
    with running(p) as server:
        context = browser.new_context(viewport=PHONE, device_scale_factor=2, has_touch=True, is_mobile=True)
        b = Bench(p, server, context)
        for card in b.at(".stream-card").all()[:3]:
            expect(card.locator(".diff-line").first).to_be_visible()
        b.page.screenshot(path=path)
        b.close()


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as base, chromium() as browser:
        p = sample(Path(base).resolve() / "demo")
        for draw in (light, dark, phone):
            draw(browser, p, folder / f"workbench-{draw.__name__}.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
