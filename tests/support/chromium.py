"""The browser of the distribution."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

USUAL = ("chromium", "chromium-browser")
# A window without pages of its own takes half the processor time to open a page, which it shows the same.
LIGHT = ("chromium-headless-shell",)


class NoChromium(Exception):
    """There is no browser on this machine."""

    def __init__(self) -> None:
        super().__init__("there is no Chromium: `make chromium` installs it")


@contextmanager
def chromium(*, light: bool = False) -> Iterator[Browser]:
    """A browser without windows; the usual one, or the light one where there are both."""
    names = LIGHT + USUAL if light else USUAL + LIGHT
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        raise NoChromium
    # In a container, root has no other sandbox than the container.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=arguments)
        try:
            yield browser
        finally:
            browser.close()
