"""A real agent in a real browser: only with `--browser` and `--agents`."""

from __future__ import annotations

from pathlib import Path

import pytest


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return None if config.getoption("browser") and config.getoption("agents") else True
