"""What the tests of reviews and the gate share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gate.yard import LOOPS, Make, Yard
from tests.support.unsynced import patches


@pytest.fixture(autouse=True)
def unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    for patch in patches():
        monkeypatch.setattr(*patch)


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Make:
    def make(loops: str = LOOPS) -> Yard:
        return Yard(tmp_path / "yard", monkeypatch, capsys, loops)

    return make


@pytest.fixture
def yard(make: Make) -> Yard:
    return make()
