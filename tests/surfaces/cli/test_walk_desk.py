"""The desk, a moment at a time."""

from __future__ import annotations

import argparse
import os
import signal
from pathlib import Path

import pytest

from blueline.adapters import interpret
from blueline.desk import Desk
from blueline.surfaces.cli.request import Request
from blueline.surfaces.cli.walk_desk import WalkDesk
from tests.support.project import POEM, Project


@pytest.fixture
def p(tmp_path: Path) -> Project:
    made = Project(tmp_path, {"poem.txt": POEM})
    made.prompt()
    made.edit("poem.txt", "line 5\n", "LINE 5\n")
    return made


def walked(p: Project) -> WalkDesk:
    given = argparse.Namespace(selectors=[], directory=str(p.root), json=False, color="never")

    def opened(start: Path) -> Desk:
        desk = Desk.open(start, environ=p.environ, interpret=interpret)
        desk.warnings.append("something is odd")
        return desk

    return WalkDesk(Request(given, opened, lambda start: None, lambda desk: []))


def test_ctrl_c_waits_until_something_has_been_done_to_its_end(p: Project) -> None:
    desk = walked(p)
    done = []
    before = signal.getsignal(signal.SIGINT)

    def interrupted() -> None:
        with desk.open() as opened:
            os.kill(os.getpid(), signal.SIGINT)
            opened.decide("reject", ["poem.txt"])
            done.append("whole")

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert done == ["whole"]
    assert p.text("poem.txt") == POEM
    assert signal.getsignal(signal.SIGINT) is before


def test_what_is_new_is_news_once(p: Project) -> None:
    desk = walked(p)
    assert desk.news() == []
    p.edit("poem.txt", "line 15\n", "LINE 15\n")
    assert [hunk["new_start"] for hunk in desk.news()] == [15]
    assert desk.news() == []


def test_a_warning_is_said_once(p: Project, capsys: pytest.CaptureFixture[str]) -> None:
    desk = walked(p)
    for _ in range(3):
        with desk.open():
            pass
    assert capsys.readouterr().err.count("something is odd") == 1


def test_somebody_who_thinks_is_not_thrown_out_because_the_project_is_busy(p: Project) -> None:
    desk = walked(p)
    p.edit("poem.txt", "line 15\n", "LINE 15\n")
    known = (p.state / "format").read_bytes()
    (p.state / "format").write_bytes(b"being written")
    assert desk.news() == []
    (p.state / "format").write_bytes(known)
    assert len(desk.news()) == 1


def test_of_a_rename_and_a_mode_just_that_is_shown_with_from_and_to(tmp_path: Path) -> None:
    p = Project(tmp_path, {"old.py": POEM, "run.sh": "#!/bin/sh\n"})
    p.prompt()
    p.bash("mv old.py new.py; chmod 755 run.sh")
    desk = walked(p)
    found = {
        item.hunk["kind"]: [(row.sign, row.text) for row in desk.rows(item)] for item in desk.queue.items
    }
    assert found == {
        "rename": [("-", "old.py\n"), ("+", "new.py\n")],
        "mode": [("-", "mode 644\n"), ("+", "mode 755\n")],
    }
