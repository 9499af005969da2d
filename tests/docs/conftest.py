"""What every test of the documentation gets."""

from __future__ import annotations

import os
import posix

import pytest

from blueline.kernel import disk


@pytest.fixture(autouse=True)
def unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing waits for the disk: no test could see the difference, and all would wait."""
    for module, name in ((os, "fsync"), (posix, "fsync"), (disk, "flush")):
        monkeypatch.setattr(module, name, lambda fd: None)
