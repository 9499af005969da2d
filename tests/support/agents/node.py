"""The Node that runs those agents which are no programs of their own."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.support.agents.agent import INSTALLED


def node() -> Path:
    """The one that was installed beside the agents, else the machine's."""
    for path in sorted((INSTALLED / "node_modules").glob("node-*/bin/node")):
        return path
    found = shutil.which("node")
    assert found, "Node is not installed: run `make test-agents`"
    return Path(found)
