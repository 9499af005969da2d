"""A real terminal of a size of one's choice: tmux, driven from outside."""

from __future__ import annotations

import shlex
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from tests.support.systems import program

LONGEST_WAIT = 60


class Tmux:
    """One window, in which commands of a shell are typed."""

    def __init__(
        self, folder: Path, environ: Mapping[str, str], *, width: int = 80, height: int = 50
    ) -> None:
        self._base = [program("tmux"), "-S", str(Path(environ["HOME"]) / "tmux"), "-f", "/dev/null"]
        bin_folder = Path(sys.executable).parent
        settings = {**environ, "PATH": f"{bin_folder}:{environ['PATH']}", "PS1": "$ ", "LC_ALL": "C.UTF-8"}
        settings["TERM"] = "screen"
        words = ["env", "-i", *(f"{name}={value}" for name, value in settings.items())]
        shell = shlex.join([*words, "bash", "--norc", "--noprofile"])
        self._run("new-session", "-d", "-x", str(width), "-y", str(height), "-c", str(folder), shell)
        self.wait_for("$")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        subprocess.run([*self._base, "kill-server"], check=False, capture_output=True)

    def _run(self, *words: str) -> str:
        return subprocess.run([*self._base, *words], check=True, capture_output=True, text=True).stdout

    def type(self, text: str, *, then: str = "Enter") -> None:
        """Type a text, then a key."""
        if text:
            self._run("send-keys", "-l", "--", text)
        if then:
            self._run("send-keys", then)

    def resize(self, width: int, height: int = 50) -> None:
        self._run("resize-window", "-x", str(width), "-y", str(height))

    def shown(self, *, joined: bool = False) -> str:
        """All that was on the screen, as it was wrapped or as it was printed, without blanks at the ends."""
        lines = self._run("capture-pane", "-p", *(["-J"] if joined else []), "-S", "-5000").splitlines()
        return "\n".join(line.rstrip() for line in lines).rstrip()

    def wait_for(self, text: str, *, times: int = 1) -> str:
        """All that was shown, as soon as a text is among it, so many times."""
        deadline = time.monotonic() + LONGEST_WAIT
        while (shown := self.shown()).count(text) < times:
            if time.monotonic() > deadline:
                raise AssertionError(f"{text!r} was not shown {times} times:\n{shown}")
            time.sleep(0.05)
        return shown
