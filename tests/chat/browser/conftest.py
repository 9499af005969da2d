"""The chat in a real browser: collected only with `--browser`."""

from __future__ import annotations

from tests.browser.conftest import bench, chromium, pytest_ignore_collect, pytest_runtest_makereport

__all__ = ["bench", "chromium", "pytest_ignore_collect", "pytest_runtest_makereport"]
