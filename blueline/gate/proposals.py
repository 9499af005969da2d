"""Loops that suit a project, by the languages and tools it shows. Nothing in it is run to find out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from blueline.model.loop import LOOPS, NAMES
from blueline.plain_file import read_plain

LARGEST = 1 << 20


class Proposal(NamedTuple):
    """Commands for the loops."""

    languages: tuple[str, ...]
    commands: dict[int, tuple[str, ...]]

    def toml(self) -> str:
        """As it stands in the config."""
        parts = []
        for n in LOOPS:
            parts.append(f"[review.loops.{n}]  # {NAMES[n]}")
            if found := self.commands.get(n):
                parts += ["commands = [", *(f"    {json.dumps(one)}," for one in found), "]"]
            else:
                parts.append('commands = []  # none: an agent\'s report is asked for; or: skip = "why not"')
            parts.append("")
        return "\n".join(parts)


def proposed(root: Path) -> Proposal:
    """What could be run here."""
    commands: dict[int, list[str]] = {n: [] for n in LOOPS}
    languages = []
    for language, look in LANGUAGES.items():
        found = list(look(root))
        if found:
            languages.append(language)
        for number, command in found:
            if command not in commands[number]:
                commands[number].append(command)
    return Proposal(tuple(languages), {n: tuple(found) for n, found in commands.items()})


def _text(path: Path) -> str:
    try:
        if path.is_symlink() or path.stat().st_size > LARGEST:
            return ""
        return read_plain(path).decode(errors="replace")
    except OSError:
        return ""


def _python(root: Path) -> Iterator[tuple[int, str]]:
    said = "".join(
        _text(root / name)
        for name in ("pyproject.toml", "setup.cfg", "tox.ini", "requirements.txt", "requirements-dev.txt")
    )
    if not said and not (root / "setup.py").exists() and not any(root.glob("*.py")):
        return
    yield 1, r"python -m compileall -q -x '/(\.venv|venv|node_modules|\.git)/' ."
    if "mypy" in said:
        yield 1, "mypy ."
    elif "pyright" in said:
        yield 1, "pyright"
    if "ruff" in said or (root / "ruff.toml").exists():
        yield 2, "ruff check ."
        yield 2, "ruff format --check ."
    elif "flake8" in said:
        yield 2, "flake8"
    if "bandit" in said:
        yield 3, "bandit -q -r ."
    if "pip-audit" in said:
        yield 3, "pip-audit"
    if "pytest" in said or (root / "tests").is_dir():
        yield 4, "python -m pytest -q"


def _javascript(root: Path) -> Iterator[tuple[int, str]]:
    text = _text(root / "package.json")
    if not text:
        return
    try:
        document = json.loads(text)
        scripts = document.get("scripts", {})
    except (ValueError, AttributeError, RecursionError):
        return
    scripts = scripts if isinstance(scripts, dict) else {}
    program = "npm"
    for lock, name in (("pnpm-lock.yaml", "pnpm"), ("yarn.lock", "yarn"), ("bun.lockb", "bun")):
        if (root / lock).exists():
            program = name
    if (root / "tsconfig.json").exists():
        yield 1, "npx --no-install tsc --noEmit"
    for number, names in ((1, ("build",)), (2, ("lint", "format:check")), (4, ("test", "test:e2e", "e2e"))):
        for name in names:
            if name in scripts:
                yield number, f"{program} run {name}"
    if (root / "package-lock.json").exists():
        yield 3, "npm audit --audit-level=high"


def _go(root: Path) -> Iterator[tuple[int, str]]:
    if not (root / "go.mod").exists():
        return
    yield 1, "go build ./..."
    yield 2, "go vet ./..."
    yield 2, 'test -z "$(gofmt -l .)"'
    yield 4, "go test ./..."


def _rust(root: Path) -> Iterator[tuple[int, str]]:
    if not (root / "Cargo.toml").exists():
        return
    yield 1, "cargo check --all-targets"
    yield 2, "cargo fmt --check"
    yield 2, "cargo clippy --all-targets -- -D warnings"
    yield 4, "cargo test"


def _java(root: Path) -> Iterator[tuple[int, str]]:
    if (root / "pom.xml").exists():
        program = "./mvnw" if (root / "mvnw").exists() else "mvn"
        yield 1, f"{program} -q -B compile"
        yield 4, f"{program} -q -B verify"
    elif (root / "build.gradle").exists() or (root / "build.gradle.kts").exists():
        program = "./gradlew" if (root / "gradlew").exists() else "gradle"
        yield 1, f"{program} --quiet classes"
        yield 4, f"{program} --quiet check"


LANGUAGES = {
    "Python": _python,
    "JavaScript or TypeScript": _javascript,
    "Go": _go,
    "Rust": _rust,
    "Java": _java,
}
