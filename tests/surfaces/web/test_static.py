"""The files of the page, and no others."""

from __future__ import annotations

import pytest

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
