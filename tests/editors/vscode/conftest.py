"""One VS Code for all tests; each has a project of its own at a path of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.editors.vscode.real_vscode import VSCode
from tests.support.chromium import chromium


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="session")
def vscode(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[VSCode]:
    found = VSCode(tmp_path_factory.mktemp("vscode"), browser)
    yield found
    found.stop()


@pytest.fixture(autouse=True)
def picture(request: pytest.FixtureRequest, vscode: VSCode, tmp_path: Path) -> Iterator[None]:
    """What was to be seen at the end, for whoever looks into a test that failed."""
    yield
    vscode.page.screenshot(path=tmp_path / "end.png")
