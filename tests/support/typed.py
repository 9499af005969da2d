"""A command on a terminal of its own, with somebody who types."""

from __future__ import annotations

import os
import pty
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path


def typed(
    root: Path, environ: Mapping[str, str], answers: str, *words: str, below: Path | None = None
) -> tuple[int, str]:
    """Run a command, if wished below a shell; its exit code and all that was on the screen."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "blueline", *words]
    process = subprocess.Popen(
        # Not the last command of the shell, which it would become.
        command if below is None else [below, "-c", f"{shlex.join(command)}; exit $?"],
        cwd=root,
        env={**environ, "TERM": "dumb", "PYTHONSAFEPATH": "1"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    os.write(ours, answers.encode())
    shown = b""
    while True:
        try:
            more = os.read(ours, 65536)
        except OSError:  # the other side is closed
            break
        if not more:
            break
        shown += more
    os.close(ours)
    return process.wait(), shown.decode()
