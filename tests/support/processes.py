"""Waiting for processes that a test has started, with an end to it."""

from __future__ import annotations

import os
import select
import subprocess
import time

PATIENCE_SECONDS = 60


def ended(process: subprocess.Popen[bytes], what: str) -> None:
    """Wait for the end of a process that was told to end."""
    try:
        process.wait(PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise AssertionError(f"{what} did not end within {PATIENCE_SECONDS} seconds") from None


def first_line(process: subprocess.Popen[bytes], what: str) -> bytes:
    """What a process says first."""
    assert process.stdout is not None
    found, until = b"", time.monotonic() + PATIENCE_SECONDS
    while not found.endswith(b"\n"):
        ready, _, _ = select.select([process.stdout], [], [], max(until - time.monotonic(), 0))
        piece = os.read(process.stdout.fileno(), 4096) if ready else b""
        if not piece:
            process.kill()
            ended(process, what)
            raise AssertionError(f"{what} {'ended' if ready else 'waited'} and said nothing")
        found += piece
    return found
