"""A hub is kept up to date by whatever stays or stops: `watch`, the workbench, the end of a turn."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from blueline.hook import recorder
from blueline.sync.sending_turn import standing
from tests.support.hub_process import TEXT, Hub, project_of
from tests.support.processes import PATIENCE_SECONDS, ended
from tests.support.project import Project


@contextmanager
def running(machine: Project, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "blueline", *words],
        cwd=machine.root,
        env=machine.environ,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        ended(process, words[0])
        assert process.stderr is not None
        process.stderr.close()


def until(is_so: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def length(hub: Hub, project: str) -> object:
    ((found, _),) = hub.pairs(f"SELECT length, copy FROM journal WHERE project = '{project}'")
    return found


def size(machine: Project) -> int:
    return os.stat(machine.state / "journal").st_size


@pytest.mark.parametrize("words", [("watch",), ("ui", "--no-open")])
def test_what_stays_sends_what_is_recorded_and_carries_out_what_people_ask_for(
    machine: Project, hub: Hub, words: tuple[str, ...]
) -> None:
    project, anna = project_of(machine), hub.person("Anna")
    (hunk,) = machine.hunks()
    with machine.desk() as desk:
        digests = dict(desk.workbench.digests([hunk["id"]]))
    with running(machine, *words):
        machine.write("b.txt", "new\n")
        until(lambda: length(hub, project) == size(machine), "what was recorded is there")
        hub.ask(
            project,
            anna,
            "r1",
            {"verb": "reject", "hunks": digests, "decision": "", "dependents": "ask", "reason": ""},
        )
        until(lambda: [one.state for one in hub.asked(project)] == ["done"], "and what was asked for, here")
        assert machine.text("a.txt") == TEXT
        assert recorder.is_waiting(os.fsencode(machine.state)), "hooks need not start anything"


def test_without_a_hub_that_answers_it_goes_on_and_says_so_once(machine: Project, hub: Hub) -> None:
    hub.stop()
    with running(machine, "watch") as process:
        assert process.stderr is not None
        said = b""
        while b"cannot be reached" not in said:
            said = process.stderr.readline()
            assert said, "it ended"
        assert process.poll() is None
    hub.again()


def test_the_end_of_a_turn_starts_a_sync_and_does_not_wait_for_it(machine: Project, hub: Hub) -> None:
    project = project_of(machine)
    machine.prompt("more")
    machine.edit("a.txt", "three", "THREE")
    before = length(hub, project)
    assert before != size(machine), "no hook but the last speaks to anybody"
    assert machine.hook(machine.event("Stop", stop_hook_active=False))[0] == 0
    until(lambda: length(hub, project) != before, "it was sent by a process that the hook started")


def test_a_sync_that_a_hook_starts_leaves_it_to_one_that_waits_already(machine: Project, hub: Hub) -> None:
    project = project_of(machine)
    machine.prompt("more")
    machine.edit("a.txt", "three", "THREE")
    before = length(hub, project)
    with standing(machine.state):
        assert machine.command("sync", "--queued").returncode == 0
        assert length(hub, project) == before
    assert machine.command("sync", "--queued").returncode == 0
    assert length(hub, project) == size(machine)


def test_a_hub_that_is_away_keeps_no_hook(machine: Project, hub: Hub) -> None:
    hub.stop()
    machine.prompt("more")
    machine.edit("a.txt", "three", "THREE")
    assert machine.hook(machine.event("Stop", stop_hook_active=False)) == (0, b"", b"")
    assert [turn for turn in machine.log("turn") if turn["ended"]], "the turn is over, and recorded"
    hub.again()
