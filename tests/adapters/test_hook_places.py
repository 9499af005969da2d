"""Whether a folder is recorded, in the set-ups in which it is not and used to pass for it (rule D6)."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from blueline.adapters import ADAPTERS, hook_places, opencode, settings_file
from blueline.desk.state_folder import find
from tests.support.agents.place import Place
from tests.support.command import done_here
from tests.support.home import watched

FILES: dict[str, str | bytes] = {"a.md": "one\n", "b.md": "two\n"}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A project whose person has run `init` for Claude Code, and has committed what a team commits."""
    made = Place(tmp_path / "project", FILES)
    made.init("claude-code")
    made.git("add", ".blueline")
    made.git("commit", "-qm", "blueline")
    return made


def state_of(place: Place) -> Path:
    return find(place.root, os.environ)[1]


def typed(root: Path, *words: str) -> str:
    done = done_here(root, *words)
    return done.out + done.err


def asked(root: Path, *words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done_here(root, *words, "--json").out)
    return found


def assert_not_recorded(root: Path, why: str, hint: str) -> None:
    """Every surface says it, and the gate is closed by it."""
    for words in (["status"], ["list"], ["list", "--status", "all"]):
        said = typed(root, *words)
        assert f"ot recorded here: {why}" in said, said
        assert f"next: {hint}" in said
        assert "every change is decided" not in said
        assert "let an agent work" not in said
        assert "no change by an agent" not in said
    for words in (["status"], ["list"]):
        found = asked(root, *words)["recording"]
        assert (found["recorded"], found["hint"]) == (False, hint)
        assert found["why"].startswith(why)
    (reason,) = (one for one in asked(root, "gate")["reasons"] if one["code"] == "not-recording")
    assert reason["message"].startswith(f"not recorded here: {why}")
    assert reason["hint"] == hint


def assert_recorded(root: Path, by: str = "project") -> None:
    assert asked(root, "status")["recording"] == {"recorded": True, "by": by, "why": "", "hint": ""}
    assert "every change is decided" in typed(root, "status")
    assert "not-recording" not in [one["code"] for one in asked(root, "gate")["reasons"]]


NO_HOOKS = "no agent has hooks in this folder"


def test_a_project_that_was_set_up_is_recorded(place: Place) -> None:
    assert_recorded(place.root)


def test_a_fresh_clone_with_the_committed_config_is_not(place: Place, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(place.root), str(clone)], check=True)
    assert_not_recorded(clone, NO_HOOKS, "blueline init")
    typed(clone, "init", "--agent", "claude-code")
    assert_recorded(clone)


def test_a_worktree_is_not(place: Place, tmp_path: Path) -> None:
    place.git("worktree", "add", "-q", str(tmp_path / "other"))
    assert_not_recorded(tmp_path / "other", NO_HOOKS, "blueline init")
    assert_recorded(place.root)


def test_after_an_uninstall_it_is_not(place: Place) -> None:
    typed(place.root, "init", "--uninstall")
    assert_not_recorded(place.root, NO_HOOKS, "blueline init")


@pytest.mark.parametrize("agent", ["claude-code", "gemini", "opencode"])
def test_without_the_interpreter_or_the_recorder_it_is_not(tmp_path: Path, agent: str) -> None:
    place = Place(tmp_path / "project", FILES)
    place.init(agent)
    assert_recorded(place.root)
    adapter = ADAPTERS[agent]()
    path = adapter.settings(place.root)
    (hook,) = hook_places.hooks_in(path)
    for gone in (hook.interpreter, hook.recorder):
        kept = path.read_text()
        path.write_text(kept.replace(os.path.dirname(gone), "/gone"))
        why = f"the hooks for {adapter.LABEL} start /gone/{os.path.basename(gone)}, which is gone"
        assert_not_recorded(place.root, why, "blueline init")
        path.write_text(kept)


def test_when_an_agent_comes_after_init_it_is_not(place: Place, home: Path) -> None:
    (home / ".gemini").mkdir()
    why = f"Gemini CLI came after blueline init ({home}/.gemini is there), and has no hooks here"
    hint = "blueline init --agent gemini, or blueline init to leave it as it is"
    assert_not_recorded(place.root, why, hint)
    typed(place.root, "init", "--agent", "gemini")
    assert_recorded(place.root)


def test_an_agent_that_somebody_left_out_is_not_asked_about_again(place: Place, home: Path) -> None:
    (home / ".gemini").mkdir()
    typed(place.root, "init", "--agent", "claude-code")
    assert_recorded(place.root)


def test_an_agent_is_found_by_its_program_too(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin" / "codex"
    program.parent.mkdir()
    program.write_text("")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    assert asked(place.root, "status")["recording"]["why"].startswith(
        "Codex CLI came after blueline init (codex "
    )


def test_hooks_that_somebody_took_out_are_missed(place: Place) -> None:
    (place.root / ".claude" / "settings.local.json").write_text("{}")
    again = "blueline init --agent claude-code"
    why = "the hooks for Claude Code are not all there any more"
    assert_not_recorded(place.root, why, f"{again}, or {again} --uninstall")


@pytest.mark.parametrize("name", [".claude/settings.json", ".claude/settings.local.json", "own"])
def test_where_claude_code_is_told_to_run_no_hooks_it_is_not(place: Place, home: Path, name: str) -> None:
    settings = home / ".claude" / "settings.json" if name == "own" else place.root / name
    settings.parent.mkdir(exist_ok=True)
    held = json.loads(settings.read_text()) if settings.exists() else {}
    settings.write_text(json.dumps({**held, "disableAllHooks": True}))
    why = f"{settings} keeps Claude Code from running hooks"
    assert_not_recorded(place.root, why, 'take "disableAllHooks" out there')
    settings.write_text(json.dumps({**held, "disableAllHooks": False}))
    assert_recorded(place.root)


@pytest.mark.parametrize("torn", ["// mine\n{}", "{},", "{}\n}}", "[{}]"])
def test_settings_that_claude_code_cannot_read_have_no_hooks(place: Place, torn: str) -> None:
    settings = place.root / ".claude" / "settings.local.json"
    held = settings.read_text()
    settings.write_text(torn.replace("{}", held))
    why = f"{settings} is not JSON, so Claude Code runs none of the hooks in it"
    assert_not_recorded(place.root, why, "take out what JSON does not have: a comment, or a comma too many")
    settings.write_text("\ufeff" + held)
    assert_recorded(place.root)


def test_a_command_that_did_not_answer_last_time_does_not_count(place: Place) -> None:
    hook_places.remember_tries(state_of(place), {"claude-code": "it ran, but recorded nothing"})
    why = "the hook for Claude Code did not answer when it was last tried: it ran, but recorded nothing"
    assert_not_recorded(place.root, why, "blueline doctor")
    hook_places.remember_tries(state_of(place), {"claude-code": ""})
    assert_recorded(place.root)


def test_in_direct_mode_nothing_is_recorded(place: Place) -> None:
    place.blueline("mode", "direct")
    assert asked(place.root, "status")["recording"]["why"] == "the mode is direct"
    assert "not-recording" in [one["code"] for one in asked(place.root, "gate")["reasons"]]


def test_hooks_of_somebody_elses_machine_say_nothing_if_ours_see(place: Place) -> None:
    settings = place.root / ".gemini" / "settings.json"
    settings.parent.mkdir()
    run = settings_file.shared_command("gemini", "/home/bob/venv/bin/python")
    settings.write_text(json.dumps({"hooks": {"BeforeTool": [{"hooks": [{"command": run}]}]}}))
    typed(place.root, "init", "--agent", "claude-code")
    assert_recorded(place.root)
    (place.root / ".claude" / "settings.local.json").unlink()
    (state_of(place) / "installed-claude-code.json").unlink()
    why = "the hooks for Gemini CLI start /home/bob/venv/bin/python, which is gone"
    assert_not_recorded(place.root, why, "blueline init")


def test_a_persons_own_hooks_see_every_project(place: Place, tmp_path: Path, home: Path) -> None:
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(place.root), str(clone)], check=True)
    watched(home)
    assert_recorded(clone, by="user")


def test_what_changed_while_nobody_watched_is_asked_about(place: Place) -> None:
    """Nobody can say whose it is, so nobody says that it is decided."""
    watching = place.root / "a.md"
    typed(place.root, "list")
    edit_as_agent(place, "a.md", "one\n", "ONE\n")
    typed(place.root, "accept", "--all")
    assert_recorded(place.root)
    typed(place.root, "init", "--uninstall")
    watching.write_text("an agent, or a person\n")
    typed(place.root, "init", "--agent", "claude-code")
    (hunk,) = asked(place.root, "list")["hunks"]
    assert (hunk["path"], hunk["actor"]["kind"]) == ("a.md", "unknown")
    watching.write_text("a person, by now\n")
    assert len(asked(place.root, "list")["hunks"]) == 1


def edit_as_agent(place: Place, path: str, old: str, new: str) -> None:
    (hook, *_) = json.loads((place.root / ".claude" / "settings.local.json").read_text())["hooks"][
        "PreToolUse"
    ]
    target = place.root / path
    about = {
        "session_id": "s",
        "cwd": str(place.root),
        "tool_name": "Edit",
        "tool_use_id": "toolu_1",
        "tool_input": {"file_path": str(target), "old_string": old, "new_string": new},
    }
    for event in ("PreToolUse", "PostToolUse"):
        said = json.dumps({**about, "hook_event_name": event}).encode()
        subprocess.run(["sh", "-c", hook["hooks"][0]["command"]], cwd=place.root, input=said, check=True)
        target.write_text(target.read_text().replace(old, new))


@pytest.mark.parametrize("name", ADAPTERS)
def test_the_places_are_those_of_the_adapters(name: str, tmp_path: Path) -> None:
    adapter = ADAPTERS[name]()
    assert str(adapter.settings(tmp_path).relative_to(tmp_path)) in hook_places.PLACES[name]
    assert name in hook_places.USER_PLACES


@pytest.mark.parametrize("python", ["/usr/bin/python3", "/a b/py thon", "/ä/python"])
@pytest.mark.parametrize("name", ADAPTERS)
def test_what_a_hook_starts_is_read_from_where_it_stands(name: str, python: str, tmp_path: Path) -> None:
    path = tmp_path / "settings"
    if name == "opencode":
        path.write_text(opencode.plugin(python))
    else:
        spelled = settings_file.shared_command if ADAPTERS[name]().SHARED else settings_file.guarded_command
        path.write_text(json.dumps({"command": spelled(name, python)}, ensure_ascii=False))
    assert hook_places.hooks_in(path) == {
        hook_places.InstalledHook((name, python, str(settings_file.recorder())))
    }


@pytest.mark.parametrize("name", ADAPTERS)
def test_the_commands_are_found_as_they_were_written(name: str, tmp_path: Path) -> None:
    adapter = ADAPTERS[name]()
    state = tmp_path / "state" / "blobs" / "tmp"
    state.mkdir(parents=True)
    adapter.install(tmp_path, tmp_path / "state")
    assert hook_places.commands_in(adapter.settings(tmp_path)) == [adapter.command()]


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe import recorder;recorder.main(", b"[]" * 1000])
def test_settings_that_are_none_have_no_hooks(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "settings").write_bytes(data)
    assert hook_places.hooks_in(tmp_path / "settings") == set()
    assert hook_places.commands_in(tmp_path / "settings") == []
    os.mkfifo(tmp_path / "pipe")
    assert hook_places.hooks_in(tmp_path / "pipe") == set()


def test_a_hook_whose_interpreter_is_gone_says_so_once_and_breaks_nothing(home: Path, tmp_path: Path) -> None:
    run = settings_file.guarded_command("claude-code", "/gone/it's python")
    told = home / "state" / "blueline" / settings_file.TOLD
    told.parent.mkdir(parents=True)
    said = [subprocess.run(["sh", "-c", run], input=b"{}", capture_output=True) for _ in range(3)]
    assert [(one.returncode, one.stderr) for one in said] == [(0, b"")] * 3
    assert [bool(one.stdout) for one in said] == [True, False, False]
    words = json.loads(said[0].stdout)["systemMessage"]
    assert words.startswith("Blueline records nothing here: /gone/it's python or ")
    # Once hooks are written anew, it is worth saying again.
    place = Place(tmp_path / "project", FILES)
    place.init("claude-code")
    assert not told.exists()


def test_where_nothing_can_be_noted_it_breaks_nothing_either(tmp_path: Path) -> None:
    run = settings_file.guarded_command("claude-code", "/gone/python")
    done = subprocess.run(
        ["sh", "-c", run], env={"HOME": str(tmp_path / "none")}, input=b"", capture_output=True
    )
    assert (done.returncode, done.stderr) == (0, b"")
