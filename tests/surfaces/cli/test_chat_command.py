"""`blueline chat` in a terminal and without one, and turns that other commands take back."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from blueline.chat.conversation_files import path_of
from blueline.chat.turn_lock import TurnLock
from tests.chat.place import FILES, TWO_TURNS, Place, say, texts

PATIENCE_SECONDS = 60
SOURCES = Path(__file__).parents[3]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


class Terminal:
    """A person at a terminal, with the command running in it."""

    def __init__(self, place: Place, *words: str) -> None:
        self._master, slave = pty.openpty()
        environ = {**place.project.environ, "PYTHONPATH": str(SOURCES), "TERM": "dumb"}
        command = [
            sys.executable,
            "-m",
            "blueline",
            "-C",
            str(place.root),
            "chat",
            "--agent",
            "scripted",
            *words,
        ]
        self.process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environ,
            start_new_session=True,
            cwd=place.root,
        )
        os.close(slave)
        self.said = ""
        self._read_to = 0

    def until(self, text: str) -> str:
        """Wait until something is printed that was not before; all that was printed up to there."""
        while text not in self.said[self._read_to :]:
            ready, _, _ = select.select([self._master], [], [], PATIENCE_SECONDS)
            assert ready, f"{text!r} did not come: {self.said}"
            try:
                chunk = os.read(self._master, 4096)
            except OSError:
                chunk = b""
            assert chunk, f"it ended before {text!r}: {self.said}"
            self.said += chunk.decode()
        start = self._read_to
        self._read_to = self.said.index(text, start) + len(text)
        return self.said[start : self._read_to]

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def leave(self) -> int:
        self.type("\x04")
        code = self.process.wait(PATIENCE_SECONDS)
        os.close(self._master)
        return code


def piped(place: Place, *words: str, lines: str = "") -> subprocess.CompletedProcess[str]:
    environ = {**place.project.environ, "PYTHONPATH": str(SOURCES)}
    command = [sys.executable, "-m", "blueline", "-C", str(place.root), "chat", *words]
    return subprocess.run(
        command, input=lines, env=environ, capture_output=True, text=True, check=False, timeout=120
    )


def test_a_conversation_in_a_terminal(place: Place) -> None:
    place.script({**TWO_TURNS, "ask": [["edit", "c.md", "c.md two", "c.md TWO", "ask"], ["say", "Thanks."]]})
    terminal = Terminal(place)
    terminal.until("> ")
    terminal.type("first\n")
    shown = terminal.until("/accept or /reject")
    assert "Done one." in shown
    assert "t1: 2 edits in 2 files (a.md, b.md)" in shown
    terminal.until("> ")
    terminal.type("/reject\n")
    shown = terminal.until("> ")
    assert "Rejected 2 edits in 2 files." in shown
    assert "  first" in shown
    assert place.text("a.md") == FILES["a.md"]
    terminal.type("/undo\n")
    terminal.until("as they were.")
    assert "a.md ONE" in place.text("a.md")
    terminal.until("> ")
    terminal.type("ask\n")
    shown = terminal.until("allow? ")
    assert "-c.md two" in shown
    assert "+c.md TWO" in shown
    assert "1  Allow" in shown
    terminal.type("n\n")
    terminal.until("Thanks.")
    terminal.until("> ")
    assert terminal.leave() == 0
    assert place.text("c.md") == FILES["c.md"]


def test_ctrl_c_stops_the_turn_and_not_the_command(place: Place) -> None:
    place.script({"go": [["say", "thinking"], ["wait", "for ever"]], "next": [["say", "fine"]]})
    terminal = Terminal(place, "go")
    terminal.until("thinking")
    terminal.interrupt()
    terminal.until("Stopped.")
    terminal.until("> ")
    terminal.type("next\n")
    terminal.until("fine")
    terminal.until("> ")
    assert terminal.leave() == 0
    assert place.log("cancel")


def test_without_a_terminal_nobody_is_asked(place: Place) -> None:
    place.script({"go": [["edit", "a.md", "a.md one", "a.md ONE", "ask"], ["say", "\x1b[31mred\x1b[0m"]]})
    done = piped(place, "--agent", "scripted", "go")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\x1b[31mred" in done.stdout
    assert "\x1b" not in done.stdout
    assert place.log("answer")[0]["answer"] == "no"
    found = json.loads(piped(place, "--list", "--json").stdout)
    (one,) = found["conversations"]
    said = piped(place, "--resume", one["id"], "--json", "hello")
    document: dict[str, Any] = json.loads(said.stdout)
    assert texts(document, "agent")[-1] == "You said: hello"


def test_a_turn_that_a_command_rejects_leaves_the_conversation(place: Place) -> None:
    place.script(TWO_TURNS)

    async def work(conversations: Any) -> str:
        talk = await conversations.create("scripted")
        await say(conversations, talk, "first")
        done = place.project.command("reject", "t1", "--json")
        assert json.loads(done.stdout)["conversations"] == [talk.id]
        found = await conversations.document(talk.id)
        assert (texts(found, "user"), found["composer"]["text"]) == ([], "first")
        place.project.command("undo")
        assert texts(await conversations.document(talk.id), "user") == ["first"]
        return str(talk.id)

    place.run(work)


@pytest.mark.parametrize("asks", [True, False])
def test_h11_a_turn_that_runs_here_and_is_rejected_elsewhere_is_stopped(place: Place, asks: bool) -> None:
    last: list[Any] = ["edit", "b.md", "b.md", "B", "ask"] if asks else ["wait", "for ever"]
    place.script({"go": [["edit", "a.md", "a.md one", "a.md ONE"], ["say", "Now b."], last]})
    terminal = Terminal(place, "go")
    terminal.until("allow? " if asks else "Now b.")
    assert place.project.command("reject", "t1").returncode == 0
    terminal.until("Stopped.")
    terminal.until("> ")
    assert terminal.leave() == 0
    assert place.log("cancel")
    assert {name: place.text(name) for name in FILES} == FILES
    assert place.project.hunks() == []


def test_for_claude_code_in_its_own_terminal_it_is_said_how_to_rewind(place: Place) -> None:
    p = place.project
    p.prompt("make  it\nlouder, please")
    p.edit("a.md", "a.md one", "a.md ONE")
    p.stop()
    done = p.command("reject", "t1")
    assert 'In its terminal: /rewind, choose the message "make it louder, please", then' in done.stdout
    assert f"claude --resume {p.conversation}" in done.stdout
    assert p.text("a.md") == FILES["a.md"]


def test_a_conversation_that_somebody_else_is_in_is_not_gone_on_with(place: Place) -> None:
    async def begin(conversations: Any) -> str:
        talk = await conversations.create("scripted")
        await say(conversations, talk, "first")
        return str(talk.id)

    name = place.run(begin)
    lock = TurnLock(path_of(place.project.state, name), "the workbench")
    lock.take()
    terminal = Terminal(place, "--resume", name)
    shown = terminal.until("begin another conversation")
    assert f"at work in this conversation, in the workbench (process {os.getpid()})" in shown
    assert terminal.process.wait(PATIENCE_SECONDS) == 1
    lock.release()
    terminal = Terminal(place, "--resume", name)
    terminal.until("> ")
    assert terminal.leave() == 0
