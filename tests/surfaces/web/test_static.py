"""The files of the page, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from blueline.surfaces import web
from tests.support.workbench import Browser


@pytest.mark.parametrize(
    "name",
    [
        "../server.py",
        "..%2fserver.py",
        "%2e%2e/server.py",
        "/etc/passwd",
        "index.html%00.js",
        "a/../../guard.py",
        ".hidden.js",
        "x.py",
    ],
)
def test_no_file_but_ours_is_served(browser: Browser, name: str) -> None:
    assert browser.ask("GET", f"/static/{name}").status == 404


def test_the_page_stays_light() -> None:
    """What `make frontend` built is downloaded by everybody who opens the page for the first time."""
    folder = Path(web.__file__).parent / "_static"
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 800_000
