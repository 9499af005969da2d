"""Loops that are proposed for a project."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from blueline.gate.proposals import proposed
from tests.gate.yard import commands


@pytest.mark.parametrize(
    ("files", "languages", "some"),
    [
        (
            {
                "pyproject.toml": "[tool.ruff]\nline-length = 90\n[tool.ruff.format]\n"
                "[tool.mypy]\nfiles = ['src*']\n"
                "[tool.pytest.ini_options]\n[tool.bandit]\nskips = []\n",
                "a_test.py": "",
            },
            ("Python",),
            [
                "mypy",
                "ruff check --no-fix .",
                "ruff format --check .",
                "bandit -q -c pyproject.toml -r .",
                "python -m pytest -q",
            ],
        ),
        (
            {
                "setup.cfg": "[mypy]\nfiles = a.py\n[flake8]\nmax-line-length = 90\n",
                "pytest.ini": "",
                "test_a.py": "",
                "a.py": "",
            },
            ("Python",),
            ["mypy", "flake8", "python -m pytest -q"],
        ),
        (
            {
                "package.json": json.dumps(
                    {"scripts": {"lint": "x", "test": "y"}, "devDependencies": {"typescript": "5"}}
                ),
                "tsconfig.json": "{}",
            },
            ("JavaScript or TypeScript",),
            ["npx --no-install tsc --noEmit", "npm run lint", "npm run test"],
        ),
        ({"go.mod": "module m"}, ("Go",), ["go build ./...", "go vet ./...", "go test ./..."]),
        ({"Cargo.toml": ""}, ("Rust",), ["cargo check --all-targets", "cargo test"]),
        ({"pom.xml": ""}, ("Java",), ["mvn -q -B compile", "mvn -q -B verify"]),
        ({"build.gradle": "", "gradlew": ""}, ("Java",), ["./gradlew --quiet check"]),
        ({"package.json": "{"}, (), []),
        ({"README.md": ""}, (), []),
    ],
)
def test_loops_are_proposed_for_the_projects_languages(
    tmp_path: Path, files: dict[str, str], languages: tuple[str, ...], some: list[str]
) -> None:
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    assert proposed(tmp_path).languages == languages
    for command in some:
        assert command in commands(tmp_path).split(" | ")


@pytest.mark.parametrize(
    "files",
    [
        # Named, and not told what to do: they would look at everything, or at nothing.
        {"pyproject.toml": "[project]\ndependencies = ['mypy', 'ruff', 'flake8', 'bandit']\n"},
        {"pyproject.toml": "[tool.mypy]\nstrict = true\n", "a.py": ""},
        {"pyproject.toml": "[tool.mypy]\nfiles = ['src', 'examples']\n", "src/a.py": ""},
        {"setup.cfg": "[mypy]\nfiles = src,\n  examples\n", "src/a.py": ""},
        {"pyproject.toml": "[tool.mypy\n", "setup.cfg": "[mypy\n", "tests/a.py": ""},
        {"pyproject.toml": "tool = 3\n", "tox.ini": "[flake8]\n[flake8]\n"},
        # In a file that the tool does not read.
        {"pyproject.toml": "[tool.flake8]\nmax-line-length = 99\n", "setup.cfg": "[bandit]\nskips = a\n"},
        # Sources without their tests: pytest fails where there are none.
        {"pyproject.toml": "[project]\ndependencies = ['pytest']\n", "src/a.py": "", ".venv/test_a.py": ""},
    ],
)
def test_a_tool_without_settings_is_not_proposed(tmp_path: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    assert [one.split()[0] for one in commands(tmp_path).split(" | ")] == ["python"]
    assert "compileall" in commands(tmp_path)


def test_what_npm_writes_for_missing_tests_is_no_test(tmp_path: Path) -> None:
    scripts = {"test": 'echo "Error: no test specified" && exit 1', "build": "x"}
    (tmp_path / "package.json").write_text(json.dumps({"scripts": scripts}))
    (tmp_path / "tsconfig.json").write_text("{}")
    assert commands(tmp_path) == "npm run build"


def test_a_formatter_is_proposed_where_it_is_used(tmp_path: Path) -> None:
    (tmp_path / "ruff.toml").write_text("line-length = 90\n")
    (tmp_path / "a.py").write_text("")
    assert "format" not in commands(tmp_path)
    (tmp_path / ".pre-commit-config.yaml").write_text("    - id: ruff-format\n")
    assert "ruff format --check ." in commands(tmp_path)


@pytest.mark.parametrize(
    "files",
    [
        {"tests/unit/test_a.py": ""},
        {"src/a/tests/a_test.py": ""},
        {"checks/tests_a.py": "", "tox.ini": "[pytest]\ntestpaths = nowhere checks\n"},
        {"checks/tests_a.py": "", "setup.cfg": "[tool:pytest]\ntestpaths = checks\n"},
        {"checks/tests_a.py": "", "pyproject.toml": "[tool.pytest.ini_options]\ntestpaths = ['checks']\n"},
        {"checks/tests_a.py": "", "pyproject.toml": "[tool.pytest]\ntestpaths = 'checks'\n"},
    ],
)
def test_pytest_is_proposed_where_there_are_tests(tmp_path: Path, files: dict[str, str]) -> None:
    for name, content in {"requirements-dev.txt": "pytest\n", **files}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    assert "python -m pytest -q" in commands(tmp_path).split(" | ")
