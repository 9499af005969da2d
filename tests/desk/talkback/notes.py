"""Notes as the page writes them."""

from __future__ import annotations

from typing import Any

from tests.support.workbench import Browser


def write(
    browser: Browser, target: dict[str, Any], kind: str = "change", text: str = "why?"
) -> dict[str, Any]:
    found = browser.post("/api/notes", target=target, kind=kind, text=text, key=browser.key())
    assert found.status == 200, found.body
    return found.json


def change(browser: Browser, note: dict[str, Any], **fields: str) -> dict[str, Any]:
    found = browser.post(f"/api/notes/{note['id']}", **fields)
    assert found.status == 200, found.body
    return found.json


def only(browser: Browser) -> dict[str, Any]:
    (note,) = browser.document("/api/notes")["notes"]
    return dict(note)


LINES = {"kind": "line", "path": "poem.txt", "line": 5, "end_line": 6}
