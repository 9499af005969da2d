"""Which processes there are, where they come from, and which of them a command left running."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from blueline.kernel import processes
from tests.support.systems import needs_proc

pytestmark = needs_proc


def test_a_process_comes_from_its_parents_the_nearest_first() -> None:
    line = processes.line(os.getpid())
    assert line[:2] == [os.getpid(), os.getppid()]
    assert 1 not in line


def test_the_words_that_a_process_was_started_with_are_known() -> None:
    assert processes.words(os.getpid()) == [os.fsencode(word) for word in sys.orig_argv]
    with subprocess.Popen(["true"]) as gone:
        gone.wait()
    assert processes.words(gone.pid) == []


def test_another_process_with_the_same_number_is_not_the_one_that_was_there() -> None:
    found = processes.stat(os.getpid())
    assert found is not None
    assert processes.is_alive(os.getpid(), found[2])
    assert not processes.is_alive(os.getpid(), found[2] + 1)


def test_what_a_command_left_running_in_the_project_is_found(tmp_path: Path) -> None:
    before = processes.newest()
    with subprocess.Popen(["sleep", "60"], cwd=tmp_path) as sleeper:
        try:
            left = processes.started_since(before, os.fsencode(tmp_path))
            assert [pid for pid, _ in left] == [sleeper.pid]
        finally:
            sleeper.kill()
    assert processes.started_since(before, os.fsencode(tmp_path)) == []
