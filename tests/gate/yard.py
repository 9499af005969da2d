"""A project with a repository, a bare one as its remote, loops, and the command line in this process."""

from __future__ import annotations

import json
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from blueline.gate.proposals import proposed
from blueline.review.loop_config import policy_of
from blueline.surfaces.cli import main as command_line
from tests.support import typed as support
from tests.support.project import Project

Document = dict[str, Any]

LOOPS = """
[review.loops.1]
commands = ["test ! -e BROKEN-1"]
[review.loops.2]
commands = ["test ! -e BROKEN-2"]
[review.loops.3]
commands = ["test ! -e BROKEN-3"]
[review.loops.4]
commands = ["test ! -e BROKEN-4"]
"""

TOUCHING = "".join(f'[review.loops.{n}]\ncommands = ["touch out/{n}"]\n' for n in "1234")
"""Loops that leave a trace of having run."""


class Said(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def document(self) -> Document:
        found: Document = json.loads(self.out)
        return found


class Yard:
    """Where things are reviewed and shipped."""

    def __init__(
        self, base: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], loops: str
    ) -> None:
        self.project = Project(base, {"a.md": "one\n", ".gitignore": "out/\n"})
        self._capsys = capsys
        self._monkeypatch = monkeypatch
        for name, value in self.project.environ.items():
            monkeypatch.setenv(name, value)
        self.configure(loops)
        self.git("init", "-q", "-b", "main")
        self.commit("first")
        self.remote = base / "remote.git"
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(self.remote)], check=True)
        self.git("remote", "add", "origin", str(self.remote))
        self.git("push", "-q", "-u", "origin", "main")

    @property
    def root(self) -> Path:
        return self.project.root

    @property
    def state(self) -> Path:
        return self.project.state

    def configure(self, loops: str) -> None:
        self.project.put(".blueline/config.toml", f"format = 1\n{loops}")

    def put(self, path: str, content: str | bytes) -> None:
        self.project.put(path, content)

    def git(self, *words: str) -> str:
        return self.project.git(*words)

    def commit(self, message: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "--no-verify", "--allow-empty", "-m", message)

    def there(self, ref: str = "refs/heads/main") -> str:
        """The commit that the remote has."""
        return self.git("ls-remote", "origin", ref).partition("\t")[0].strip()

    def run(self, *words: str, **environ: str) -> Said:
        """A command, in this process."""
        self._capsys.readouterr()
        with self._monkeypatch.context() as there:
            there.chdir(self.root)
            for name, value in environ.items():
                there.setenv(name, value)
            code = command_line.main([*words])
        found = self._capsys.readouterr()
        return Said(code, found.out, found.err)

    def gate(self, *words: str) -> Document:
        said = self.run("gate", "--json", *words)
        assert said.code == (0 if said.document["open"] else 10), said
        return said.document

    def codes(self, *words: str) -> list[str]:
        return [reason["code"] for reason in self.gate(*words)["reasons"]]

    def trust(self) -> None:
        digest = self.run("review", "--preview", "--json").document["config"]
        assert self.run("trust", digest).code == 0

    def review(self, *words: str) -> Said:
        return self.run("review", "--yes", "--json", *words)

    def open(self) -> None:
        """Trust, review, and be let through."""
        self.trust()
        said = self.review()
        assert said.code == 0, said
        assert self.gate()["open"]


Make = Callable[..., Yard]


def commands(root: Path) -> str:
    found = proposed(root)
    policy = policy_of(tomllib.loads(found.toml()))
    return " | ".join(command.run for command in policy.commands)


def typed(yard: Yard, answers: str, *words: str) -> tuple[int, str]:
    """Run a command on a terminal of its own; its exit code and all that was on the screen."""
    return support.typed(yard.root, yard.project.environ, answers, *words)
