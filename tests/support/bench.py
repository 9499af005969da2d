"""The workbench as a person has it: a page in a browser, with a server of its own behind it."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, expect

from tests.support.project import Project
from tests.support.workbench import Workbench

PATIENCE_MILLISECONDS = 30_000

ALLOWED = (
    "401 (Unauthorized)",
    "409 (Conflict)",
    "404 (Not Found)",
    "ERR_CONNECTION_",
    "ERR_CONTENT_LENGTH_MISMATCH",
    "ERR_INCOMPLETE",
    "ERR_INTERNET",
)
"""What the browser notes of answers that the page expects, and of one in whose middle a server was killed."""
READY = ".hunk-bar.current, .place-bar.current, .whole-file.current, .stream-card, .empty h1, .empty h2"
"""What a page shows that has come to the first change, or knows that there is none."""


class Bench:
    """A person at the workbench of a project."""

    def __init__(self, p: Project, server: Workbench, context: BrowserContext) -> None:
        self.p = p
        self.server = server
        self.context = context
        self.complaints: list[str] = []
        """Errors on the page."""
        self.page = self._new_page()
        self.page.goto(server.address)
        expect(self.page.locator(".review-bar")).to_be_visible()
        expect(self.page.locator(".connection.live")).to_be_visible()
        expect(self.page.locator(READY).first).to_be_visible()

    def _new_page(self) -> Page:
        page = self.context.new_page()
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not any(known in message.text for known in ALLOWED):
            self.complaints.append(message.text)

    def another_tab(self) -> Page:
        page = self._new_page()
        page.goto(f"http://127.0.0.1:{self.server.port}/")
        expect(page.locator(".review-bar")).to_be_visible()
        return page

    def picture(self, path: Path) -> None:
        """What is on the page, for whoever wants to know why a test failed."""
        if self.page.is_closed():
            return
        self.page.screenshot(path=path)
        print(f"the page: {path}")
        print(self.page.locator("body").aria_snapshot())

    def close(self) -> None:
        self.context.close()

    # What is on the page

    def at(self, selector: str, has_text: str | None = None) -> Locator:
        return self.page.locator(selector, has_text=has_text)

    @property
    def text(self) -> Locator:
        """The open file."""
        return self.page.locator(".cm-content[data-text=open]")

    @property
    def bars(self) -> Locator:
        """The bars above the hunks of the open file."""
        return self.page.locator(".hunk-bar")

    @property
    def left(self) -> Locator:
        """How much is undecided, in words."""
        return self.page.locator(".left-over")

    @property
    def dialog(self) -> Locator:
        return self.page.locator("dialog[open]")

    def line(self, text: str) -> Locator:
        """The line of the editor that has this text."""
        return self.page.locator(".cm-content[data-text=open] .cm-line", has_text=text)

    # What the person does

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def choose(self, path: str) -> None:
        """Open a file from the rail."""
        self.page.locator(f'[data-path="{path}"]').click()
        expect(self.page.locator(".file-header h1")).to_have_text(path)

    def pick(self, menu: str, item: str) -> None:
        """Choose from a menu."""
        self.page.locator(f'[aria-label="{menu}"][role=menu]').locator(
            "xpath=preceding-sibling::button[1]"
        ).click()
        self.page.locator("[role=menu]:popover-open [role^=menuitem]", has_text=item).first.click()

    def click(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).first.click()
