"""`blueline init`, in real folders."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from blueline.adapters import ADAPTERS, claude_code
from blueline.gate import project_files
from blueline.surfaces.cli.init import project_root
from tests.support.command import done_here
from tests.support.typed import typed

BLUELINE = [sys.executable, "-m", "blueline"]


@pytest.mark.parametrize("command", ["status", "gate", "check", "list", "init"])
def test_z56_a_pipe_in_the_place_of_the_config_keeps_nobody_waiting(tmp_path: Path, command: str) -> None:
    blueline(tmp_path, "init", "--agent", "claude-code")
    config = tmp_path / ".blueline" / "config.toml"
    config.unlink()
    os.mkfifo(config)
    done = subprocess.run([*BLUELINE, command], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode != 3, done.stderr
    assert "not a plain file" in done.stdout + done.stderr


def blueline(folder: Path, *words: str, code: int = 0) -> str:
    done = done_here(folder, *words)
    assert done.code == code, done.err
    return done.out if code in (0, 4) else done.err


def everything(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


class TestTheRoot:
    def test_it_is_the_top_for_git(self, tmp_path: Path) -> None:
        deep = tmp_path / "repo" / "src" / "deep"
        deep.mkdir(parents=True)
        (tmp_path / "repo" / ".git").mkdir()
        assert project_root(deep) == tmp_path / "repo"

    def test_a_worktree_or_submodule_has_a_root_of_its_own(self, tmp_path: Path) -> None:
        inner = tmp_path / "inner"
        inner.mkdir()
        (tmp_path / ".git").mkdir()
        (inner / ".git").write_text("gitdir: ../.git/worktrees/inner\n")
        assert project_root(inner) == inner

    def test_without_git_it_is_the_folder_or_an_earlier_project(self, tmp_path: Path) -> None:
        deep = tmp_path / "deep"
        deep.mkdir()
        assert project_root(deep) == deep
        (tmp_path / ".blueline").mkdir()
        assert project_root(deep) == tmp_path


def test_what_init_says_and_does(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / "src").mkdir()
    lines = blueline(tmp_path / "src", "init", "--agent", "claude-code").splitlines()
    assert lines[0] == f"Blueline is set up in {tmp_path}"
    assert lines[1:3] == [
        "  made       .blueline/config.toml  (commit it with the project)",
        "  installed  .claude/settings.local.json  (hooks for Claude Code, of this machine only)",
    ]
    assert lines[3].startswith("  checked    the hook records an event in ")
    assert {*lines[4:-1]} == {f"  wrote      {path}" for path in project_files.files()}
    assert lines[-1].startswith("next: ")
    installed = {".blueline/config.toml", ".claude/settings.local.json", *project_files.files()}
    assert {path for path in everything(tmp_path) if not path.startswith(".git/")} == installed
    readme = (Path(__file__).parents[3] / "README.md").read_text()
    assert all(f"`{path}`" in readme for path in installed)


@pytest.mark.parametrize("start", [".", "deep"])
def test_a_home_folder_is_no_project_unless_somebody_says_so(home: Path, start: str) -> None:
    (home / "deep").mkdir()
    if start != ".":
        (home / ".blueline").mkdir()
    words = [*BLUELINE, "init", "--agent", "claude-code"]
    said = subprocess.run(words, cwd=home / start, capture_output=True, text=True)
    assert (said.returncode, f"{home} is your home folder" in said.stderr) == (2, True)
    assert not (home / ".claude").exists()
    assert "is set up in" in blueline(home / start, "init", "--agent", "claude-code", "--yes")


def test_at_a_terminal_a_home_folder_is_asked_about(home: Path) -> None:
    for answer, made in (("n\n", False), ("y\n", True)):
        _, shown = typed(home, dict(os.environ), answer, "init", "--agent", "claude-code")
        assert f"{home} is your home folder. Make one project of all that is below?" in shown
        assert (home / ".blueline").exists() is made


def test_the_second_time_no_byte_changes_anywhere(tmp_path: Path, home: Path) -> None:
    blueline(tmp_path, "init")
    before = everything(tmp_path), everything(home)
    assert "was already set up" in blueline(tmp_path, "init")
    assert (everything(tmp_path), everything(home)) == before


def test_in_json(tmp_path: Path) -> None:
    answer: dict[str, Any] = json.loads(blueline(tmp_path, "init", "--json"))
    (agent,) = answer["agents"]
    assert (answer["root"], answer["made"]) == (str(tmp_path), True)
    assert (agent["name"], agent["changed"], agent["works"], agent["problem"]) == (
        "claude-code",
        True,
        True,
        "",
    )


def test_uninstall_leaves_nothing_in_the_agents_settings(tmp_path: Path) -> None:
    blueline(tmp_path, "init")
    out = blueline(tmp_path, "init", "--uninstall")
    assert out.startswith("Took the hooks for Claude Code out of .claude/settings.local.json.\n")
    assert sorted(everything(tmp_path)) == [".blueline/config.toml"]
    assert "There were no hooks of Blueline in" in blueline(tmp_path, "init", "--uninstall")
    one = ["init", "--uninstall", "--agent", "codex"]
    assert "There were no hooks for Codex CLI" in blueline(tmp_path, *one)
    assert blueline(tmp_path, "list").startswith("Not recorded here: no agent has hooks in this folder.\n")


@pytest.mark.parametrize("lost", ["config", "state", "both"])
def test_uninstall_makes_nothing_anew(tmp_path: Path, home: Path, lost: str) -> None:
    blueline(tmp_path, "init")
    if lost != "state":
        shutil.rmtree(tmp_path / ".blueline")
    if lost != "config":
        shutil.rmtree(home / "state")
    before = sorted(path.name for path in tmp_path.iterdir())
    assert blueline(tmp_path, "init", "--uninstall").startswith("Took the hooks")
    assert {*(path.name for path in tmp_path.iterdir())} <= {*before}
    assert (home / "state").exists() is (lost == "config")
    assert "recorder" not in "".join(map(str, everything(tmp_path).values()))


def test_uninstall_where_nothing_is_installed(tmp_path: Path, home: Path) -> None:
    assert "is not installed in" in blueline(tmp_path, "init", "--uninstall", code=1)
    assert everything(tmp_path) == everything(home) == {}


def test_broken_settings_are_an_error_with_a_hint(tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "settings.local.json").write_text("{")
    said = blueline(tmp_path, "init", code=1)
    assert "is not valid JSON" in said
    assert "hint: put it right" in said


class TestTheCheck:
    def test_init_ends_in_1_and_says_why(self, tmp_path: Path) -> None:
        program = (
            "import sys; from blueline.adapters import claude_code;"
            "from blueline.surfaces.cli.main import main;"
            "claude_code.command = lambda: 'echo oh; exit 9'; sys.exit(main(['init']))"
        )
        done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 1
        assert "the hook for Claude Code does not work: it gave 9 and said: oh" in done.stdout
        assert done.stdout.endswith("next: put that right, then run blueline init again\n")


class TestSeveralAgents:
    @pytest.fixture(autouse=True)
    def nothing_else(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """No agent of this machine."""
        monkeypatch.setenv("PATH", "/usr/bin:/bin")

    def names(self, folder: Path, *words: str) -> list[str]:
        answer = json.loads(blueline(folder, "init", "--json", *words))
        assert all(agent["works"] for agent in answer["agents"])
        return [agent["name"] for agent in answer["agents"]]

    def test_each_leaves_and_takes_out_its_own(self, tmp_path: Path, home: Path) -> None:
        (tmp_path / "a.md").write_text("one\n")
        before = everything(tmp_path)
        words = [word for name in ADAPTERS for word in ("--agent", name)]
        assert self.names(tmp_path, *words) == list(ADAPTERS)
        installed = everything(tmp_path)
        assert len(installed) == len(before) + 1 + len(ADAPTERS) + len(project_files.files())
        assert "was already set up" in blueline(tmp_path, "init", *words)
        assert everything(tmp_path) == installed
        blueline(tmp_path, "init", "--uninstall", "--agent", "all")
        after = everything(tmp_path)
        del after[".blueline/config.toml"]
        assert after == before
        assert sorted(path.name for path in tmp_path.iterdir()) == [".blueline", "a.md"]

    def test_all_are_those_that_left_a_trace(self, tmp_path: Path, home: Path) -> None:
        empty = tmp_path / "empty"
        empty.mkdir()
        assert self.names(empty, "--agent", "all") == ["claude-code"]
        project = tmp_path / "project"
        (project / ".cursor").mkdir(parents=True)
        (home / ".codex").mkdir()
        told = blueline(project, "init")
        assert "(hooks for Codex CLI, which do nothing on other machines; ~/.codex is there)" in told
        assert "(hooks for Cursor, which do nothing on other machines; .cursor is here)" in told
        assert self.names(project, "--agent", "all") == ["codex", "cursor"]
        assert self.names(project, "--agent", "gemini") == ["gemini"]
        assert self.names(project, "--agent", "windsurf", "--agent", "all") == [
            "windsurf",
            "codex",
            "gemini",
            "cursor",
        ]

    def test_a_program_is_a_trace(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "opencode").write_text("#!/bin/sh\n")
        (tmp_path / "opencode").chmod(0o755)
        monkeypatch.setenv("PATH", f"/usr/bin:/bin:{tmp_path}")
        project = tmp_path / "project"
        project.mkdir()
        assert self.names(project) == ["opencode"]

    @pytest.mark.parametrize("name", ["codex", "gemini", "copilot"])
    def test_what_a_person_has_to_do_is_said(self, tmp_path: Path, name: str) -> None:
        advice = ADAPTERS[name]().ADVICE
        assert advice
        assert f"  to do      {advice}\n" in blueline(tmp_path, "init", "--agent", name)

    def test_status_says_of_whom_nothing_was_heard(self, tmp_path: Path) -> None:
        blueline(tmp_path, "init", "--agent", "claude-code", "--agent", "cursor")
        told = blueline(tmp_path, "status")
        assert "\n  agents   Claude Code  no event yet\n           Cursor  no event yet\n" in told
        for event in ({"hook_event_name": "UserPromptSubmit", "prompt": "x"}, {"hook_event_name": "Stop"}):
            raw = json.dumps({"session_id": "one", "cwd": str(tmp_path), **event})
            subprocess.run([*BLUELINE, "hook", "claude-code"], cwd=tmp_path, input=raw.encode(), check=True)
        told = blueline(tmp_path, "status")
        assert "\n  agents   Claude Code\n           Cursor  no event yet\n" in told
        answer = json.loads(blueline(tmp_path, "status", "--json"))
        assert [(agent["name"], agent["hooks"], agent["heard"]) for agent in answer["agents"]] == [
            ("claude-code", True, True),
            ("cursor", True, False),
        ]

    @pytest.mark.parametrize("name", ADAPTERS)
    @pytest.mark.parametrize("how", ["removed", "emptied", "one less"])
    def test_hooks_that_disappear_are_noticed_by_the_next_command(
        self, tmp_path: Path, name: str, how: str
    ) -> None:
        blueline(tmp_path, "init", "--agent", name)
        place = ADAPTERS[name]().settings(tmp_path)
        assert json.loads(blueline(tmp_path, "status", "--json"))["warnings"] == []
        if how == "removed":
            place.unlink()
        elif how == "emptied" or place.suffix == ".js":
            place.write_text("{}")
        else:
            found = json.loads(place.read_text())
            found["hooks"].popitem()
            place.write_text(json.dumps(found))
        answer = json.loads(blueline(tmp_path, "status", "--json"))
        (warning,) = answer["warnings"]
        assert warning.startswith(f"the hooks for {ADAPTERS[name]().LABEL} are not all in ")
        assert answer["agents"][0]["hooks"] is False
        done = subprocess.run(
            [*BLUELINE, "list", "--status", "all"], cwd=tmp_path, capture_output=True, text=True
        )
        assert "are not all in" in done.stderr
        if place.suffix == ".js":  # a file that is not ours is not overwritten
            place.unlink(missing_ok=True)
        blueline(tmp_path, "init", "--agent", name)
        assert json.loads(blueline(tmp_path, "status", "--json"))["warnings"] == []

    def test_what_somebody_adds_is_no_loss(self, tmp_path: Path) -> None:
        blueline(tmp_path, "init", "--agent", "claude-code")
        place = claude_code.settings(tmp_path)
        place.write_text(place.read_text().replace("{", '{"model": "m",', 1))
        assert json.loads(blueline(tmp_path, "status", "--json"))["warnings"] == []

    def test_a_memory_of_the_first_version_is_understood(self, tmp_path: Path, home: Path) -> None:
        blueline(tmp_path, "init", "--agent", "claude-code")
        (memory,) = home.glob("state/blueline/*/installed-claude-code.json")
        kept = json.loads(memory.read_text())
        memory.write_text(json.dumps({key: kept[key] for key in ("before", "after", "folder_made")}))
        assert json.loads(blueline(tmp_path, "status", "--json"))["warnings"] == []
        claude_code.settings(tmp_path).unlink()
        assert len(json.loads(blueline(tmp_path, "status", "--json"))["warnings"]) == 1
