"""Plays an example from the documentation for real.

An example is a block of lines. A line that is not indented is a step; the indented lines below it are the
content of a file, or lines that the command printed, in this order and perhaps with others between them.

    file PATH:                  the file, before anything happens
    turn: PROMPT                somebody asks the agent for something
    agent: OLD -> NEW           the agent's Edit; `in PATH` when there are several files
    agent writes PATH:          the agent's Write
    agent deletes PATH
    agent runs: COMMAND         the agent's shell
    two agents run: COMMAND     two commands were running while this was done
    you: OLD -> NEW             a person types, in an editor
    you write PATH:             and `you delete PATH`, `you rename PATH to PATH`
    you run: COMMAND            in a terminal
    $ blueline WORDS            a command; `<words>` is the id of the hunk with these words
    exit CODE                   of the command above, when it is not 0
    PATH is now:                what the file holds; and `PATH is gone`

In an edit, ` / ` is the end of a line. In what is printed, `…` stands for anything.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tests.support.conversations import conversation
from tests.support.project import Project

INDENT = "  "
_FENCE = re.compile(r"^```blueline\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NAMED = re.compile(r"<([^>]+)>")


class Printed(NamedTuple):
    code: int
    text: str


Run = Callable[[Project, list[str]], Printed]
"""Runs a command in a project."""


class Step(NamedTuple):
    line: str
    below: list[str]
    """The indented lines, without their indentation."""

    @property
    def content(self) -> str:
        return "".join(f"{line}\n" for line in self.below)


def examples(page: str) -> list[str]:
    """The examples of a page."""
    return [found[1] for found in _FENCE.finditer(page)]


def steps(example: str) -> list[Step]:
    found: list[Step] = []
    for line in example.splitlines():
        if line.startswith(INDENT):
            found[-1].below.append(line.removeprefix(INDENT))
        elif line:
            found.append(Step(line, []))
    return found


class Player:
    """One example, step by step."""

    def __init__(self, project: Project, run: Run) -> None:
        self._project = project
        self._run = run
        self._in_turn = False
        self._printed: Printed | None = None

    def play(self, example: str) -> None:
        """Play it to its end. An assertion fails where something else happens than it says."""
        for step in steps(example):
            if self._printed is not None and not step.line.startswith("exit "):
                self._ended(0)
            self._step(step)
        if self._printed is not None:
            self._ended(0)

    def _step(self, step: Step) -> None:
        for pattern, act in self._meanings():
            if found := re.fullmatch(pattern, step.line):
                act(step, *found.groups())
                return
        raise AssertionError(f"what does this mean: {step.line!r}")

    def _meanings(self) -> Iterator[tuple[str, Callable[..., object]]]:
        p = self._project
        yield r"file (\S+):", lambda step, path: p.put(path, step.content)
        yield r"turn: (.+)", lambda step, prompt: self._begin(prompt)
        yield r"agent(?: in (\S+))?: (.+) -> (.+)", self._agent
        yield r"agent writes (\S+):", lambda step, path: self._agent_writes(path, step.content)
        yield r"agent deletes (\S+)", lambda step, path: self._agent_deletes(path)
        yield r"agent runs: (.+)", lambda step, command: self._agent_runs(command)
        yield r"two agents run: (.+)", lambda step, command: self._two_agents_run(command)
        yield r"you(?: in (\S+))?: (.+) -> (.+)", self._you
        yield r"you write (\S+):", lambda step, path: p.put(path, step.content)
        yield r"you delete (\S+)", lambda step, path: (p.root / path).unlink()
        yield r"you rename (\S+) to (\S+)", lambda step, old, new: (p.root / old).rename(p.root / new)
        yield r"you run: (.+)", lambda step, command: p.shell(command)
        yield r"\$ blueline (.+)", self._command
        yield r"exit (\d+)", lambda step, code: self._ended(int(code))
        yield r"(\S+) is now:", self._is_now
        yield r"(\S+) is gone", self._is_gone

    def _begin(self, prompt: str) -> None:
        if self._in_turn:
            self._project.stop()
        self._project.prompt(prompt)
        self._in_turn = True

    def _be_in_turn(self) -> None:
        if not self._in_turn:
            self._begin("please")

    def _agent(self, step: Step, path: str | None, old: str, new: str) -> None:
        self._be_in_turn()
        self._project.edit(path or self._only_file(), spelled(old), spelled(new))

    def _agent_writes(self, path: str, content: str) -> None:
        self._be_in_turn()
        self._project.write(path, content)

    def _agent_deletes(self, path: str) -> None:
        self._be_in_turn()
        self._project.remove(path)

    def _agent_runs(self, command: str) -> None:
        self._be_in_turn()
        self._project.bash(command)

    def _two_agents_run(self, command: str) -> None:
        self._be_in_turn()
        one = self._project.begin_bash("one")
        with conversation(self._project, "another"):
            self._project.prompt("please, too")
            two = self._project.begin_bash("two")
        self._project.shell(command)
        self._project.end(one)
        self._project.end(two)

    def _you(self, step: Step, path: str | None, old: str, new: str) -> None:
        self._project.sub(path or self._only_file(), spelled(old), spelled(new))

    def _only_file(self) -> str:
        (path,) = (path for path in self._project.on_disk() if not path.startswith(".blueline"))
        return path

    def _command(self, step: Step, words: str) -> None:
        typed = shlex.split(_NAMED.sub(lambda found: self._hunk(found[1]), words))
        self._printed = self._run(self._project, typed)
        lines = iter(line.strip() for line in self._printed.text.splitlines())
        for wanted in step.below:
            pattern = ".*".join(map(re.escape, wanted.strip().split("…")))
            assert any(re.fullmatch(pattern, line) for line in lines), (
                f"{words!r} does not print {wanted!r} there, but:\n{self._printed.text}"
            )

    def _hunk(self, words: str) -> str:
        """The id of the one hunk with these words in what it brings, or else in what it takes away."""
        known = self._project.hunks() or self._project.hunks(status="all")
        for side in ("new", "old"):
            found = [str(hunk["id"]) for hunk in known if words in (hunk[side] or "")]
            if found:
                (identifier,) = found
                return identifier
        raise AssertionError(f"no hunk has the words {words!r}")

    def _ended(self, code: int) -> None:
        assert self._printed is not None
        assert self._printed.code == code, self._printed.text
        self._printed = None

    def _is_now(self, step: Step, path: str) -> None:
        assert self._project.text(path) == step.content

    def _is_gone(self, step: Step, path: str) -> None:
        assert not self._project.exists(path)


def spelled(text: str) -> str:
    return text.replace(" / ", "\n")
