"""Git itself, for what changes a repository: committing, pushing, signing. Looking is done with libgit2."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from blueline.errors import BluelineError

SECONDS = 600
WITHHELD = ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY", "GIT_CONFIG")


class GitCommandFailed(BluelineError):
    """Git did not do it."""


def one_line(said: bytes) -> str:
    """What a program complains of, on one line; its own advice is about its own options, and left out."""
    lines = [line.strip() for line in said.decode("utf-8", "replace").splitlines()]
    found = [line for line in lines if line and not line.startswith(("hint:", "warning:"))]
    return "; ".join(found or [line for line in lines if line])


def program(name: str, environ: Mapping[str, str]) -> str | None:
    """Where a program is; never one that the project itself brings along."""
    folders = [one for one in environ.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(one)]
    return shutil.which(name, path=os.pathsep.join(folders))


class Git:
    """The repository of one folder."""

    def __init__(self, folder: Path, environ: Mapping[str, str]) -> None:
        self.folder = folder
        self._environ = {k: v for k, v in environ.items() if k not in WITHHELD} | {"GIT_TERMINAL_PROMPT": "0"}
        self._program = program("git", environ)

    def run(
        self, *words: str, given: bytes | None = None, more: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        """Run git; how it ended, whatever that is."""
        if self._program is None:
            raise GitCommandFailed("git is not installed", hint="install git")
        try:
            return subprocess.run(
                [self._program, *words],
                cwd=self.folder,
                env={**self._environ, **(more or {})},
                input=b"" if given is None else given,
                capture_output=True,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise GitCommandFailed(f"git {words[0]} took longer than {SECONDS} seconds") from error
        except OSError as error:
            raise GitCommandFailed(f"git cannot be run: {error.strerror}") from error

    def ask(self, *words: str, given: bytes | None = None, more: Mapping[str, str] | None = None) -> str:
        """What git says; fails if it does."""
        done = self.run(*words, given=given, more=more)
        if done.returncode:
            said = one_line(done.stderr or done.stdout)
            raise GitCommandFailed(
                f"git {words[0]} failed: {said or done.returncode}", hint="put that right, then try again"
            )
        return done.stdout.decode("utf-8", "surrogateescape").rstrip("\n")

    def config(self, key: str) -> str:
        """A setting; empty if there is none."""
        done = self.run("config", "--get", key)
        return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else ""

    def tree_of(self, revision: str) -> str:
        """The name of a commit's tree."""
        return self.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{tree}}")
