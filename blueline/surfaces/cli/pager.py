"""Long answers through a pager, as git has it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping

from blueline.surfaces.cli.git_settings import setting
from blueline.surfaces.cli.terminal import columns

USUAL = {"LESS": "FRX", "LV": "-c"}
"""What git sets for pagers, where the person has set nothing."""


def shown(text: str, environ: Mapping[str, str]) -> bool:
    """Show a text with the pager, if somebody looks and it is more than fits the screen; whether it was."""
    command = _pager(environ) if is_long(text) else ""
    return bool(command) and _paged(text, command, environ)


def is_long(text: str) -> bool:
    """Whether a text would scroll away."""
    if sys.stdout is None or not sys.stdout.isatty():
        return False
    try:
        size = os.get_terminal_size(sys.stdout.fileno())
    except OSError:
        return False
    lines = text.split("\n")
    return sum(max(-(-columns(line) // max(size.columns, 1)), 1) for line in lines) > size.lines


def _pager(environ: Mapping[str, str]) -> str:
    """The person's pager; nothing if they want none."""
    wish = environ.get("GIT_PAGER")
    if wish is None:
        wish = setting("core.pager", environ)
    if wish is None:
        wish = environ.get("PAGER")
    if wish is None:
        wish = "less" if shutil.which("less") else ""
    return "" if wish.strip() in ("", "cat") else wish


def _paged(text: str, command: str, environ: Mapping[str, str]) -> bool:
    """Whether a pager took the text."""
    settings = {**USUAL, **environ}
    try:
        # Through a shell, as git does: it is a command line that the person wrote.
        process = subprocess.Popen(["sh", "-c", command], stdin=subprocess.PIPE, env=settings)
    except OSError:
        return False
    # Ctrl+C is the pager's as long as it runs.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process.communicate(text.encode("utf-8", "backslashreplace"))
    except BrokenPipeError:
        pass  # it was left before its end
    finally:
        signal.signal(signal.SIGINT, before)
    return process.returncode != 127
