"""The sample project of `blueline demo`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from tests.support.project import Project


def sample(base: Path) -> Project:
    """A project in which an agent has worked for two turns, in a folder that is not there yet."""
    p = Project(base)
    shutil.rmtree(p.root)
    p.root = base / "pantry"
    subprocess.run(
        [sys.executable, "-m", "blueline", "demo", str(p.root)],
        env={**p.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONSAFEPATH": "1"},
        check=True,
        capture_output=True,
    )
    return p
