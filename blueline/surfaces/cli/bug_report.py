"""A report of a bug: what is needed to find it, and nothing from anybody's files."""

from __future__ import annotations

import os
import platform
import tempfile
import time
import traceback
from pathlib import Path

import blueline
from blueline.surfaces.cli.terminal import visible

FREE_TEXT = "--reason"


def report(words: list[str], error: BaseException) -> str:
    """Write the report; where it is, or why it could not be written."""
    text = "\n".join([*_about(words), *_trace(error)]) + "\n"
    name = f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.txt"
    for place in (_reports, lambda: Path(tempfile.gettempdir())):
        try:
            folder = place()
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            path = folder / name
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(text)
            return str(path)
        except (OSError, RuntimeError):  # the latter when nobody knows where home is
            continue
    return f"{type(error).__name__}, and no report could be written"


def _reports() -> Path:
    wish = os.environ.get("XDG_STATE_HOME", "")
    home = Path(wish) if wish.startswith("/") else Path.home() / ".local" / "state"
    return home / "blueline" / "reports"


def _about(words: list[str]) -> list[str]:
    return [
        f"blueline {blueline.__version__}",
        f"python {platform.python_version()} on {platform.platform()}",
        f"words: {[visible(word) for word in _without_text(words)]}",
        "",
    ]


def _without_text(words: list[str]) -> list[str]:
    """The words without what the person wrote about their code."""
    kept: list[str] = []
    for word in words:
        if kept and kept[-1] == FREE_TEXT:
            word = "…"
        elif word.startswith(FREE_TEXT + "="):
            word = FREE_TEXT + "=…"
        kept.append(word)
    return kept


def _trace(error: BaseException | None) -> list[str]:
    """Where it happened. Of the message only what cannot be from a file: the kind, and the system's words."""
    lines: list[str] = []
    while error is not None:
        said = f": {error.strerror}" if isinstance(error, OSError) and error.strerror else ""
        lines.append(f"{type(error).__name__}{said}")
        lines += [
            f"  {frame.filename}:{frame.lineno} in {frame.name}"
            for frame in traceback.extract_tb(error.__traceback__)
        ]
        error = error.__cause__ or error.__context__
    return lines
