"""Cells as the page shows them."""

from __future__ import annotations

from typing import Any

from tests.support.notebooks import NAME
from tests.support.workbench import Browser


def page_of(browser: Browser) -> dict[str, Any]:
    return dict(browser.document("/api/file", path=NAME))
