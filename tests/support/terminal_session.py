"""A whole review in a terminal, as docs/terminal.md shows it; to print it: run this as a module."""

from __future__ import annotations

import re
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from tests.support.home import environment
from tests.support.tmux import LONGEST_WAIT, Tmux

WIDTH, HEIGHT = 80, 200
PROMPTS = ("$", "accept, reject? [", "?", "all of them?")

TYPED = (
    "blueline demo >/dev/null && cd blueline-demo",
    "blueline status",
    "blueline diff --stat",
    "blueline",
    "a",
    "f",
    "a f",
    "x",
    "",
    "a",
    "a",
    "a",
    "n",
    "a",
    "x because nobody asked for that",
    "u",
    "x because nobody asked for that",
    "a",
    "blueline log --oneline",
    "blueline status",
    "git diff --stat",
)


def session(home: Path, environ: Mapping[str, str]) -> str:
    """What is typed and shown, with everything that differs from one run to the next left out."""
    with Tmux(home, {**environ, "TZ": "UTC"}, width=WIDTH, height=HEIGHT) as window:
        for typed in TYPED:
            before = _prompts(window)
            window.type(typed)
            _wait(window, before + 1)
        return neutral(window.shown(joined=True), home).removesuffix("$").rstrip() + "\n"


def _prompts(window: Tmux) -> int:
    return sum(line.startswith(PROMPTS) for line in window.shown().splitlines())


def _wait(window: Tmux, prompts: int) -> None:
    deadline = time.monotonic() + LONGEST_WAIT
    while _prompts(window) < prompts:
        if time.monotonic() > deadline:
            raise AssertionError(f"there was no prompt any more:\n{window.shown()}")
        time.sleep(0.05)


def neutral(text: str, home: Path) -> str:
    """Ids, times, names and places as they are for everybody."""
    text = text.replace(str(home.resolve()), "~")
    names: dict[str, str] = {}
    for name in re.findall(r"\bh[0-9a-f]{8}\b", text):
        text = text.replace(name, names.setdefault(name, f"h5e1a07{len(names):02d}"))
    text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "2026-11-16 12:00", text)
    return "\n".join(line.rstrip() for line in text.splitlines())


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        place = Path(folder).resolve()
        sys.stdout.write(session(place, {"PATH": "/usr/local/bin:/usr/bin:/bin", **environment(place)}))
