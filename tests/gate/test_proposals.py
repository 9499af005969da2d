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
            {"pyproject.toml": "ruff mypy pytest"},
            ("Python",),
            ["mypy .", "ruff check .", "python -m pytest -q"],
        ),
        (
            {"package.json": json.dumps({"scripts": {"lint": "x", "test": "y"}}), "tsconfig.json": "{}"},
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
        assert command in commands(tmp_path)
