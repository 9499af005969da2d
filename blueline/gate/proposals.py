"""Loops that suit a project, by the languages and tools it shows. Nothing in it is run to find out."""

from __future__ import annotations

import configparser
import contextlib
import json
import os
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from blueline.kernel.plain_file import read_plain
from blueline.model.loop import LOOPS, NAMES

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
    files = ("pyproject.toml", "setup.cfg", "tox.ini", "requirements.txt", "requirements-dev.txt")
    said = "".join(_text(root / name) for name in files)
    if not said and not (root / "setup.py").exists() and not any(root.glob("*.py")):
        return
    has = _Settings(root)
    # Among tests there is often something that is not meant to compile.
    yield 1, r"python -m compileall -q -x '/(\.venv|venv|\.tox|node_modules|\.git|tests?|testing)/' ."
    # Without a list of its own mypy checks nothing, and with a dot whatever lies about: manuals, copies.
    if has.of("mypy").keys() & {"files", "packages", "modules"} and _are_there(
        root, has.of("mypy").get("files")
    ):
        yield 1, "mypy"
    elif has.of("pyright") or (root / "pyrightconfig.json").exists():
        yield 1, "pyright"
    if has.of("ruff") or any((root / name).exists() for name in ("ruff.toml", ".ruff.toml")):
        # Its settings may ask for files to be put right, and a review changes none.
        yield 2, "ruff check --no-fix ."
        if _FORMATS.search(said + "".join(_text(root / name) for name in WORKFLOWS)):
            yield 2, "ruff format --check ."
    # flake8 does not read pyproject.toml, unless it has help.
    elif has.in_ini("flake8") or (has.in_toml("flake8") and "flake8-pyproject" in said.lower()):
        yield 2, "flake8"
    if has.in_toml("bandit"):
        yield 3, "bandit -q -c pyproject.toml -r ."
    if "pip-audit" in said:
        yield 3, "pip-audit"
    is_named = "pytest" in said or any((root / name).exists() for name in ("pytest.ini", "tests/conftest.py"))
    # An archive of sources may come without its tests, and pytest fails where there are none.
    if is_named and (_any_there(root, has.test_folders()) or _has_tests(root)):
        yield 4, "python -m pytest -q"
    elif (root / "tests" / "__init__.py").exists():
        yield 4, "python -m unittest discover -q"


def _are_there(root: Path, files: object) -> bool:
    """Whether the files that mypy is told to check are there: an archive may come without some."""
    names = files.replace("\n", ",").split(",") if isinstance(files, str) else files
    wanted = [one.strip() for one in names if isinstance(one, str)] if isinstance(names, list) else []
    return all((root / one).exists() for one in wanted if one and "*" not in one)


def _any_there(root: Path, names: Iterable[str]) -> bool:
    return any((root / name).is_dir() for name in names)


def _has_tests(root: Path) -> bool:
    """Whether there is a file with the name of a test; of a large project the beginning is looked at."""
    looked = 0
    for _, folders, files in os.walk(root):
        if any(_TEST.fullmatch(name) for name in files):
            return True
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in NOT_OURS)
        looked += len(files) + len(folders)
        if looked > MOST_LOOKED_AT:
            return True
    return False


_TEST = re.compile(r"test_.*\.py|.*_test\.py")
NOT_OURS = ("venv", "node_modules")
MOST_LOOKED_AT = 20_000

WORKFLOWS = (".pre-commit-config.yaml", "Makefile", "justfile", "noxfile.py", "ruff.toml", ".ruff.toml")
_FORMATS = re.compile(r"ruff[- ]format|tool\.ruff\.format|^\[format\]", re.MULTILINE)


class _Settings:
    """What a project's files say to tools: a tool that is only named somewhere may well fail on it."""

    def __init__(self, root: Path) -> None:
        self._tools: dict[str, Any] = {}
        try:
            found = tomllib.loads(_text(root / "pyproject.toml")).get("tool", {})
            self._tools = found if isinstance(found, dict) else {}
        except (tomllib.TOMLDecodeError, RecursionError):
            self._tools = {}
        self._ini = configparser.ConfigParser(strict=False, interpolation=None, allow_no_value=True)
        for name in ("setup.cfg", "tox.ini", "pytest.ini", "mypy.ini", ".mypy.ini", ".flake8"):
            with contextlib.suppress(configparser.Error):
                self._ini.read_string(_text(root / name))

    def of(self, tool: str) -> dict[str, Any]:
        """The settings of a tool; empty if there are none."""
        return self.in_toml(tool) or self.in_ini(tool)

    def in_toml(self, tool: str) -> dict[str, Any]:
        found = self._tools.get(tool)
        return found if isinstance(found, dict) else {}

    def in_ini(self, tool: str) -> dict[str, Any]:
        return dict(self._ini[tool]) if tool in self._ini else {}

    def test_folders(self) -> list[str]:
        """Where pytest is told to look."""
        options = self.in_toml("pytest").get("ini_options", self.in_toml("pytest"))
        found = options.get("testpaths", []) if isinstance(options, dict) else []
        for table in ("tool:pytest", "pytest"):
            found = found or self.in_ini(table).get("testpaths") or []
        return found.split() if isinstance(found, str) else [one for one in found if isinstance(one, str)]


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
    # What npm writes where nobody has thought of tests yet.
    scripts = {name: run for name, run in scripts.items() if "no test specified" not in str(run)}
    program = "npm"
    for lock, name in (("pnpm-lock.yaml", "pnpm"), ("yarn.lock", "yarn"), ("bun.lockb", "bun")):
        if (root / lock).exists():
            program = name
    if (root / "tsconfig.json").exists() and '"typescript"' in text:
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
