"""A project that a hook records."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.hook_process import HookProject


@pytest.fixture
def project(tmp_path: Path) -> HookProject:
    return HookProject.make(tmp_path)
