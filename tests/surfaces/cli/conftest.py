"""What the tests of the command line share."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from blueline.surfaces.cli import main as command_line
from tests.gate.conftest import make, yard
from tests.support.command import Done, Run
from tests.support.fake_desk import FakeDesk
from tests.surfaces.web.conftest import browser, project, workbench

__all__ = ["browser", "make", "project", "workbench", "yard"]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Run]:
    """Runs one command in this process: the desk, then the words. The clock is in Greenwich."""
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("COLUMNS", "80")
    time.tzset()

    def run(desk: FakeDesk, *words: str) -> Done:
        monkeypatch.setattr(command_line, "open_desk", lambda start: desk)
        monkeypatch.setattr(command_line, "glance", lambda start: None)
        monkeypatch.setattr(command_line, "glance_at_all", lambda start: None)
        monkeypatch.setattr(command_line, "agents", lambda desk: [])
        code = command_line.main(words)
        return Done(code, *capsys.readouterr())

    yield run
    monkeypatch.undo()
    time.tzset()
