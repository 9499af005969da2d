"""One command of a loop: bounded in time and in output, and nothing of it is left behind."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from blueline.gate import command_run
from blueline.gate.command_run import Output, run
from tests.gate.yard import Yard


def test_what_is_printed_is_heard_line_by_line(tmp_path: Path) -> None:
    heard: list[str] = []
    ended = run(
        "echo one; echo two >&2; printf three", str(tmp_path), 60, environ=os.environ, tell=heard.append
    )
    assert (ended.passed, ended.output, heard) == (True, "one\ntwo\nthree", ["one", "two", "three"])


def test_the_middle_of_too_much_is_left_out() -> None:
    output = Output(most=10)
    for number in range(100):
        output.add(b"%d," % number)
    assert output.text().startswith("0,1,2")
    assert output.text().endswith("8,99,")
    assert output.is_cut
    assert len(output.text()) < 60


def test_what_holds_the_pipe_open_does_not_hold_us_up(tmp_path: Path) -> None:
    ended = run("sleep 300 & echo started", str(tmp_path), 60, environ=os.environ)
    assert (ended.passed, ended.output) == (True, "started\n")


def test_somebody_can_stop_it(tmp_path: Path) -> None:
    ended = run("sleep 300", str(tmp_path), 60, environ=os.environ, is_stopped=lambda: True)
    assert (ended.passed, ended.why) == (False, "it was stopped")


def test_one_that_ignores_being_asked_to_end_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_run, "GRACE_SECONDS", 0.1)
    ended = run("trap '' TERM; while :; do sleep 1; done", str(tmp_path), 0.2, environ=os.environ)
    assert (ended.passed, ended.why) == (False, "it took longer than 0.2 seconds")


def test_a_folder_that_is_gone_is_no_success(tmp_path: Path) -> None:
    ended = run("true", str(tmp_path / "gone"), 60, environ=os.environ)
    assert (ended.passed, "could not be started" in ended.why) == (False, True)


def test_git_of_somebody_elses_is_not_inherited(yard: Yard) -> None:
    ended = run("echo $GIT_DIR$GIT_INDEX_FILE", str(yard.root), 60, environ={**os.environ, "GIT_DIR": "/x"})
    assert ended.output == "\n"
