"""A real agent, headless, in a home of its own, talking to a scripted model."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

from tests.support.home import environment
from tests.support.scripted_model import Answer, ScriptedModel, says
from tests.support.wires import Block

TURN_SECONDS = 120
INSTALLED = Path(__file__).parents[3] / ".agents"


class Agent(ABC):
    """One conversation in one project.

    The hands say what the model has to call so that this agent does something; paths are relative to the
    project.
    """

    NAME: ClassVar[str]
    """As `blueline init --agent` knows it."""

    def __init__(self, project: Path, home: Path, model: ScriptedModel) -> None:
        self.project = project
        self.home = home
        self._model = model
        self._turns = 0
        self.furnish(model)

    def turn(self, prompt: str) -> str:
        """Give a prompt and wait for the agent to stop; what it printed."""
        command, variables = self._next(prompt)
        return run(command, self.project, variables)

    @contextmanager
    def start(self, prompt: str) -> Iterator[subprocess.Popen[bytes]]:
        """Give a prompt, and leave the agent to it; in the end it is gone."""
        command, variables = self._next(prompt)
        null = subprocess.DEVNULL
        process = subprocess.Popen(
            command,
            cwd=self.project,
            env=variables,
            stdin=null,
            stdout=null,
            stderr=null,
            start_new_session=True,
        )
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def _next(self, prompt: str) -> tuple[list[str], dict[str, str]]:
        self._turns += 1
        command = [str(word) for word in self.command(prompt, resumed=self._turns > 1)]
        # Nothing is inherited but the search path: what the caller runs in must not reach the agent.
        inherited = {"PATH": os.environ["PATH"], **environment(self.home)}
        return command, {**inherited, **self.variables(self._model)}

    def furnish(self, model: ScriptedModel) -> None:
        """Put into the home what a person has there who uses this agent."""
        return

    @abstractmethod
    def command(self, prompt: str, *, resumed: bool) -> Sequence[str | Path]: ...

    @abstractmethod
    def variables(self, model: ScriptedModel) -> dict[str, str]: ...

    @abstractmethod
    def reads(self, path: str) -> Block: ...

    # whole lines, each of them once in the file
    @abstractmethod
    def edits(self, path: str, old: str, new: str) -> Block: ...

    @abstractmethod
    def creates(self, path: str, text: str) -> Block: ...

    @abstractmethod
    def runs(self, command: str) -> Block: ...

    # the answers with which it starts a sub-agent and waits for it
    @abstractmethod
    def delegates(self, task: str) -> Iterator[Answer]: ...

    # how a sub-agent ends
    def reports(self, text: str) -> Block:
        return says(text)

    def deletes(self, path: str) -> Block:
        return self.runs(f"rm {shlex.quote(path)}")


def run(command: Sequence[str], folder: Path, variables: dict[str, str]) -> str:
    """Run a program to its end; what it printed. Fails with all of its output."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Of its own, so that nothing it started outlives it.
        start_new_session=True,
    )
    try:
        output, errors = process.communicate(timeout=TURN_SECONDS)
        ended = f"gave {process.returncode}"
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, errors = process.communicate()
        ended = f"was not done after {TURN_SECONDS} seconds"
    assert process.returncode == 0, f"{shlex.join(command)} {ended}\n{output}\n{errors}"
    return output


def installed(*candidates: str) -> Path:
    """The first of some programs below the installed packages; its absence is a failure, never a skip."""
    for candidate in candidates:
        for path in sorted((INSTALLED / "node_modules").glob(candidate)):
            if os.access(path, os.X_OK):
                return path
    raise AssertionError(f"{candidates[0]} is not installed: run `make test-agents`")
