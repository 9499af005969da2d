"""Runs one command of a loop: in a process group of its own, bounded in time and in output."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

MOST_OUTPUT = 2 << 20
"""Of more than this, the beginning and the end are kept."""
CHUNK = 64 << 10
GRACE_SECONDS = 5.0
"""How long a command may take to end when it is asked to."""
TICK_SECONDS = 0.5

# Set for the program that started us; a command of the project must not inherit them.
WITHHELD = ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY")


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    """What it gave; negative for the signal that ended it."""
    seconds: float
    output: str
    cut: bool = False
    """Whether the middle of the output is left out."""
    why: str = ""
    """Why it did not come to its own end: it took too long, could not be started, or was stopped."""

    @property
    def passed(self) -> bool:
        return self.code == 0 and not self.why


class Output:
    """The beginning and the end of what was printed."""

    def __init__(self, most: int = MOST_OUTPUT) -> None:
        self._half = most // 2
        self._head = bytearray()
        self._tail = bytearray()
        self._left_out = 0

    def add(self, data: bytes) -> None:
        room = self._half - len(self._head)
        self._head += data[:room] if room > 0 else b""
        self._tail += data[max(room, 0) :]
        over = len(self._tail) - self._half
        if over > 0:
            del self._tail[:over]
            self._left_out += over

    @property
    def is_cut(self) -> bool:
        return self._left_out > 0

    def text(self) -> str:
        """All that was kept."""
        middle = b"\n[%d bytes left out]\n" % self._left_out if self._left_out else b""
        return bytes(self._head + middle + self._tail).decode("utf-8", "replace")


def run(
    command: str,
    folder: str,
    seconds: float,
    *,
    environ: Mapping[str, str],
    tell: Callable[[str], None] = lambda line: None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Ended:
    """Run a command to its end. `tell` hears each line as it is printed."""
    began = time.monotonic()
    # A program in the project's own folder is not the one that is meant by a bare name.
    path = os.pathsep.join(
        one for one in environ.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(one)
    )
    try:
        process = subprocess.Popen(
            ["/bin/sh", "-c", command],
            cwd=folder,
            env={**{k: v for k, v in environ.items() if k not in WITHHELD}, "PATH": path},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            # A group of its own, so that all of it can be ended at once.
            start_new_session=True,
        )
    except OSError as error:
        return Ended(127, 0.0, "", why=f"it could not be started: {error.strerror}")
    output, why = Output(), ""
    try:
        why = _followed(process, output, began + seconds, tell, is_stopped)
    finally:
        # Whatever happened to us, nothing that was started is left behind.
        code = _end(process) if why or process.poll() is None else process.returncode
        _end_group(process.pid)
        if process.stdout is not None:
            process.stdout.close()
    took = time.monotonic() - began
    reason = f"it took longer than {seconds:g} seconds" if why == "late" else why
    return Ended(code, took, output.text(), output.is_cut, reason)


def _followed(
    process: subprocess.Popen[bytes],
    output: Output,
    until: float,
    tell: Callable[[str], None],
    is_stopped: Callable[[], bool],
) -> str:
    assert process.stdout is not None
    os.set_blocking(process.stdout.fileno(), False)
    line = b""
    with selectors.DefaultSelector() as waiting:
        waiting.register(process.stdout, selectors.EVENT_READ)
        while True:
            if time.monotonic() >= until:
                return "late"
            if is_stopped():
                return "it was stopped"
            ready = waiting.select(min(TICK_SECONDS, max(until - time.monotonic(), 0)))
            data = os.read(process.stdout.fileno(), CHUNK) if ready else None
            if data:
                output.add(data)
                *whole, line = (line + data).split(b"\n")
                for one in whole:
                    tell(one.decode("utf-8", "replace").rstrip("\r"))
                line = line[-CHUNK:]
            elif data == b"":
                break
            elif process.poll() is not None:
                # Something it left behind may hold the pipe open for ever.
                break
    if line:
        tell(line.decode("utf-8", "replace"))
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(max(until - time.monotonic(), 0))
        return ""
    return "late"


def _end(process: subprocess.Popen[bytes]) -> int:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGTERM)
    try:
        return process.wait(GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        _end_group(process.pid)
        return process.wait()


def _end_group(group: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
