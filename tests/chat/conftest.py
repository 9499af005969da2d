"""A project, and an agent that does what a script says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chat.place import Place


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A project with three files."""
    return Place(tmp_path)
