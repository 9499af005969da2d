"""What the tests of the server share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.project import POEM, Project
from tests.surfaces.mcp.playing import IPYNB


@pytest.fixture
def p(tmp_path: Path) -> Project:
    return Project(tmp_path, {"a.md": POEM, "n.ipynb": IPYNB})
