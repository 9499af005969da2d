"""What `init` brings for reviews: files for Claude Code, and loops that suit the project."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from blueline.gate import project_files
from blueline.gate.proposals import proposed
from blueline.review.loop_config import policy_of
from tests.gate.yard import Make, Yard


def commands(root: Path) -> str:
    found = proposed(root)
    policy = policy_of(tomllib.loads(found.toml()))
    return " | ".join(command.run for command in policy.commands)


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


def test_without_a_terminal_init_only_says_how(make: Make) -> None:
    yard = make("")
    yard.put("go.mod", "module m\n")
    before = yard.project.text(".blueline/config.toml")
    said = yard.run("init", "--agent", "claude-code")
    assert "blueline init --loops" in said.out
    assert yard.project.text(".blueline/config.toml") == before
    assert yard.run("init", "--agent", "claude-code", "--loops", "--json").document["loops"]["written"]
    assert "go build" in yard.project.text(".blueline/config.toml")
    # They were written, and nobody has read them yet.
    assert "not trusted" in yard.review().document["error"]
    assert yard.run("init", "--agent", "claude-code", "--json").document["loops"] is None


def test_files_for_claude_code_come_and_go(yard: Yard) -> None:
    before = {*yard.project.standing()}
    yard.run("init", "--agent", "claude-code")
    assert {*project_files.files()} <= {*yard.project.standing()}
    assert (yard.root / project_files.STATE_LINK).is_symlink()
    yard.run("init", "--uninstall")
    assert {*yard.project.standing()} == before


def test_what_somebody_else_wrote_is_left(yard: Yard) -> None:
    yard.put(".claude/commands/review.md", "my own\n")
    said = yard.run("init", "--agent", "claude-code")
    assert ".claude/commands/review.md, which somebody else has written" in said.out
    yard.put(".claude/commands/ship.md", "changed\n")
    yard.run("init", "--agent", "claude-code")
    said = yard.run("init", "--uninstall")
    assert "Left .claude/commands/ship.md" in said.out
    assert yard.project.text(".claude/commands/review.md") == "my own\n"
    assert yard.project.text(".claude/commands/ship.md") == "changed\n"
    assert not yard.project.exists(".claude/agents")


def test_the_state_is_where_its_readers_look_and_no_review_changes_a_file(yard: Yard) -> None:
    yard.run("init", "--agent", "claude-code")
    yard.commit("with the files of Claude Code")
    yard.open()
    found = json.loads((yard.root / ".claude/skills/code-review/loop-state.json").read_text())
    assert found["ship_allowed"] is True
    assert yard.git("status", "--porcelain") == ""
    yard.put("a.md", "two\n")
    yard.gate()
    found = json.loads((yard.root / ".claude/skills/code-review/loop-state.json").read_text())
    assert found["ship_allowed"] is False


def test_a_folder_that_leads_out_of_the_project_is_left(yard: Yard, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (yard.root / ".claude").mkdir()
    (yard.root / ".claude" / "commands").symlink_to(tmp_path / "outside")
    yard.run("init", "--agent", "claude-code")
    assert list((tmp_path / "outside").iterdir()) == []
