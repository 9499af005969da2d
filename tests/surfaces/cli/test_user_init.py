"""`init --user`: every repository is recorded, by hooks in a person's own settings (rules D6 and D7)."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from blueline.adapters import hook_places
from tests.support.agents.place import BLUELINE, Place
from tests.support.command import done_here

FILES: dict[str, str | bytes] = {"a.md": "one\n"}


def typed(folder: Path, *words: str) -> tuple[int, str]:
    done = done_here(folder, *words)
    return done.code, done.out + done.err


def asked(folder: Path, *words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(typed(folder, *words, "--json")[1])
    return found


def edits(folder: Path, path: str, old: str, new: str, *, number: int = 1) -> None:
    """What Claude Code, started in a folder, tells of an edit: all hooks that it would run."""
    target = folder / path
    about = {
        "session_id": "s",
        "cwd": str(folder),
        "tool_name": "Edit",
        "tool_use_id": f"toolu_{number}",
        "tool_input": {"file_path": str(target), "old_string": old, "new_string": new},
    }
    places = [
        folder / ".claude/settings.local.json",
        hook_places.user_place("claude-code", os.environ),
    ]
    for event in ("PreToolUse", "PostToolUse"):
        said = json.dumps({**about, "hook_event_name": event}).encode()
        for run in [run for place in places for run in hook_places.commands_in(place)]:
            done = subprocess.run(["sh", "-c", run], cwd=folder, input=said, capture_output=True)
            assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
        target.write_text(target.read_text().replace(old, new))


@pytest.fixture
def user(home: Path) -> Path:
    code, said = typed(home, "init", "--user", "--agent", "claude-code")
    assert code == 0, said
    assert "All your git repositories are recorded from now on" in said
    return home


def test_a_repository_a_clone_and_a_worktree_are_recorded_from_the_first_call_on(
    user: Path, tmp_path: Path
) -> None:
    place = Place(tmp_path / "project", FILES)
    assert asked(place.root, "status")["recording"]["by"] == "user"
    assert "recorded by hooks in your own settings" in typed(place.root, "status")[1]
    subprocess.run(["git", "clone", "-q", str(place.root), str(tmp_path / "clone")], check=True)
    place.git("worktree", "add", "-q", str(tmp_path / "tree"))
    place.git("worktree", "add", "-q", str(place.root / "inside"))
    for folder in (tmp_path / "clone", tmp_path / "tree", place.root / "inside", place.root):
        edits(folder, "a.md", "one\n", "ONE\n")
        (hunk,) = asked(folder, "list")["hunks"]
        assert (hunk["path"], hunk["actor"]["name"]) == ("a.md", "claude-code")
        assert not (folder / ".blueline").exists()
        assert typed(folder, "reject", "--all")[0] == 0
        assert (folder / "a.md").read_text() == "one\n"


def test_a_folder_that_is_no_project_leaves_nothing_behind(user: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    (plain / "a.md").write_text("one\n")
    (user / ".git").mkdir()  # a person's dotfiles
    (user / "a.md").write_text("one\n")
    before = sorted((user / "state").rglob("*"))
    for folder in (plain, user):
        edits(folder, "a.md", "one\n", "ONE\n")
        assert typed(folder, "status")[0] == 1
    assert sorted((user / "state").rglob("*")) == before


def test_a_project_with_hooks_of_its_own_is_recorded_by_those(user: Path, tmp_path: Path) -> None:
    place = Place(tmp_path / "project", FILES)
    place.init("claude-code")
    edits(place.root, "a.md", "one\n", "ONE\n")
    (state,) = (one for one in (user / "state/blueline").iterdir() if (one / "journal").exists())
    assert (state / "journal").read_bytes().count(b"blueline-observation") == 2
    assert asked(place.root, "status")["recording"]["by"] == "project"
    # And where those are taken out, the person's own go on.
    typed(place.root, "init", "--uninstall")
    assert asked(place.root, "status")["recording"]["by"] == "user"
    edits(place.root, "a.md", "ONE\n", "TWO\n", number=2)
    assert len(asked(place.root, "list")["hunks"]) == 2


def test_what_is_ignored_is_not_recorded_and_says_so(user: Path, tmp_path: Path) -> None:
    place = Place(tmp_path / "project", FILES)
    config = user / "config/blueline/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(f'ignore = ["{tmp_path}/p*"]\n')
    edits(place.root, "a.md", "one\n", "ONE\n")
    assert typed(place.root, "status")[0] == 1
    (place.root / ".blueline").mkdir()
    found = asked(place.root, "status")["recording"]
    assert found["why"] == f"{config} has it in ignore ({tmp_path}/p*)"
    assert "not-recording" in [one["code"] for one in asked(place.root, "gate")["reasons"]]
    config.write_text("ignore = 1\n")
    assert typed(user, "init", "--user")[0] == 1
    code, said = typed(place.root, "doctor")
    assert (code, "ignore must be a list of folders" in said) == (1, True)


def test_hooks_that_went_away_and_agents_that_came_are_missed(user: Path, tmp_path: Path) -> None:
    place = Place(tmp_path / "project", FILES)
    (user / ".gemini").mkdir()
    found = asked(place.root, "status")["recording"]
    assert found["why"].startswith("Gemini CLI came after blueline init --user (")
    typed(user, "init", "--user", "--agent", "claude-code")
    assert asked(place.root, "status")["recording"]["recorded"]
    settings = user / ".claude/settings.json"
    kept = settings.read_text()
    settings.write_text(kept.replace("PreToolUse", "Other").replace("import recorder", "import other", 1))
    found = asked(place.root, "status")["recording"]
    assert found["why"] == "the hooks for Claude Code are not all in your settings any more"
    settings.write_text(kept.replace(os.path.dirname(os.path.dirname(BLUELINE)), "/gone"))
    found = asked(place.root, "status")["recording"]
    assert (found["why"].endswith("which is gone"), found["hint"]) == (True, "blueline init --user")
    assert typed(place.root, "doctor")[0] == 1


def test_doctor_tries_it(user: Path, tmp_path: Path) -> None:
    place = Place(tmp_path / "project", FILES)
    code, said = typed(place.root, "doctor")
    assert code == 0
    assert f"{user}/.claude/settings.json records an event in" in said
    assert "is recorded, by hooks in your own settings" in said


def test_it_is_taken_out_without_a_trace_and_not_by_an_agent(
    user: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Place(tmp_path / "project", FILES)
    edits(place.root, "a.md", "one\n", "ONE\n")
    with monkeypatch.context() as agents:
        agents.setenv("CLAUDECODE", "1")
        assert typed(user, "init", "--user", "--uninstall")[0] == 1
    assert (user / ".claude/settings.json").exists()
    code, said = typed(user, "init", "--user", "--uninstall")
    assert (code, f"out of {user}/.claude/settings.json" in said) == (0, True)
    assert not (user / ".claude").exists()
    assert asked(place.root, "status")["recording"]["why"] == "no agent has hooks in this folder"
    assert len(asked(place.root, "list")["hunks"]) == 1
    assert (
        "There were no hooks of Blueline in your settings." in typed(user, "init", "--user", "--uninstall")[1]
    )


def test_a_folder_that_somebody_else_made_makes_no_project_of_a_repository(
    home: Path, tmp_path: Path
) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path / "r")], check=True)
    (hook_places.user_state(os.environ) / "blobs/tmp").mkdir(parents=True)
    code, said = typed(tmp_path / "r", "status")
    assert code == 1
    assert "is not inside a Blueline project" in said
