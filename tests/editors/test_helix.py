"""Helix with its own client, in a terminal: a real person sees no more of it."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator

import pytest

from tests.editors.real_editors import NEWER, configuration, with_blueline
from tests.support.project import Project
from tests.support.systems import program

PATIENCE_SECONDS = 60.0


class Terminal:
    """A program in a terminal of its own."""

    def __init__(self, p: Project, *command: str) -> None:
        self._tmux = [program("tmux"), "-S", str(p.home / "tmux"), "-f", "/dev/null"]
        self._environ = {**with_blueline(p), "TERM": "screen-256color", "SHELL": "/bin/sh"}
        self._run("new-session", "-d", "-x", "100", "-y", "40", "-c", str(p.root), *command)

    def _run(self, *words: str) -> str:
        done = subprocess.run(
            [*self._tmux, *words], env=self._environ, check=True, capture_output=True, text=True
        )
        return done.stdout

    def press(self, *keys: str) -> None:
        self._run("send-keys", *keys)

    @property
    def screen(self) -> str:
        return self._run("capture-pane", "-p")

    def until(self, what: str, happened: Callable[[str], bool]) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while not happened(self.screen):
            assert time.monotonic() < end, f"it never happened: {what}\n{self.screen}"
            time.sleep(0.05)

    def close(self) -> None:
        self._run("kill-server")


@pytest.fixture
def helix(p: Project) -> Iterator[Terminal]:
    folder = p.home / "config" / "helix"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "languages.toml").write_text(configuration("toml"))
    (folder / "config.toml").write_text(configuration("ini", "Helix"))
    terminal = Terminal(p, str(NEWER / "hx"), "sub/a.md")
    yield terminal
    terminal.close()


def test_a_review(p: Project, helix: Terminal) -> None:
    helix.until("marks", lambda screen: "claude-code removed 2 lines" in screen)
    assert "- line 10" in helix.screen  # what was taken away stands below its place
    helix.press("2j")
    helix.until("there", lambda screen: "3:1" in screen)
    helix.press("Space", "a")
    helix.until("actions", lambda screen: "Reject: claude-code changed 1 line" in screen)
    helix.press("Down", "Enter")
    helix.until("rejected", lambda screen: "line three" not in screen)
    helix.press(":w", "Enter")
    helix.until("one mark", lambda screen: "changed 1 line" not in screen)
    assert "line three" not in p.text("sub/a.md")
    helix.press("u")
    helix.until("undone", lambda screen: "line three" in screen)
    helix.press(":w", "Enter")
    helix.until("two marks", lambda screen: "claude-code changed 1 line" in screen)
    assert [one["verdict"] for one in p.log("decision")] == ["by-hand", "reject"]
