"""Processes that go on when the command that started them has ended, and waiting for what they do."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests.support.project import Project

PATIENCE_SECONDS = 60


def wait_until(happened: Callable[[], object]) -> None:
    """Wait for something that another process does."""
    until = time.monotonic() + PATIENCE_SECONDS
    while not happened():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.005)


def wait_while_it_runs(process: subprocess.Popen[bytes], happened: Callable[[], object]) -> None:
    """Wait for what an agent does, however busy the machine is: the time that a test has ends it."""
    while not happened():
        assert process.poll() is None, "it ended before that"
        time.sleep(0.02)


class Worker:
    """A shell in the background that does what it is told, until it is told to end."""

    def __init__(self, p: Project) -> None:
        self._told = p.root.parent / "told"
        self._done = p.root.parent / "done"
        self._told.mkdir()
        self._done.mkdir()
        self._orders = 0
        told, done = self._told, self._done
        loop = (
            "n=1; while :; do "
            f"if [ -e {told}/$n ]; then . {told}/$n; : > {done}/$n; n=$((n+1)); else sleep 0.01; fi; done"
        )
        self.command = f"({loop}) >/dev/null 2>&1 & echo $! > {told}/pid"
        """Leaves the worker behind."""

    @property
    def pid(self) -> int:
        return int((self._told / "pid").read_text())

    def do(self, order: str) -> None:
        """Have a shell command carried out, and wait for that."""
        self._order(order)
        wait_until((self._done / str(self._orders)).exists)

    def end(self) -> None:
        """Have it end by itself, so that nothing that it has started is left, and wait for that."""
        self._order("exit")
        wait_until(lambda: not is_running(self.pid))

    def _order(self, order: str) -> None:
        self._orders += 1
        (self._told / "new").write_text(order + "\n")
        (self._told / "new").rename(self._told / str(self._orders))


def is_running(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] not in (b"Z", b"X")
    except OSError:
        return False


@contextmanager
def working(p: Project) -> Iterator[Worker]:
    """A worker that is gone in the end, whatever happens."""
    worker = Worker(p)
    try:
        yield worker
    finally:
        if (worker._told / "pid").exists() and is_running(worker.pid):
            worker.end()
