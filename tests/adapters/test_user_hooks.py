"""Hooks in a person's own settings: put in, and taken out without a trace."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from blueline.adapters import ADAPTERS, hook_places, settings_file, user_hooks
from blueline.kernel import user_wide


def is_on() -> bool:
    return user_wide.is_on(os.fsencode(hook_places.user_state(os.environ).parent))


@pytest.mark.parametrize("name", ADAPTERS)
def test_in_and_out_leaves_no_trace(name: str, home: Path) -> None:
    before = sorted(home.rglob("*"))
    done = user_hooks.install(name, os.environ)
    assert (done.changed, is_on()) == (True, True)
    assert hook_places.commands_in(done.place) == [done.command]
    assert {hook.agent for hook in hook_places.hooks_of_user(os.environ)} == {name}
    assert f'"{name}",True)' in done.command
    assert not user_hooks.install(name, os.environ).changed
    assert user_hooks.uninstall(name, os.environ).changed
    assert not user_hooks.uninstall(name, os.environ).changed
    assert not is_on()
    assert {one for one in home.rglob("*") if "state" not in one.parts} == {
        one for one in before if "state" not in one.parts
    }


def test_what_was_in_the_settings_comes_back_also_behind_a_link(home: Path, tmp_path: Path) -> None:
    kept = tmp_path / "dotfiles" / "settings.json"
    kept.parent.mkdir()
    kept.write_text('{"model" : "m"}')
    kept.chmod(0o640)
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").symlink_to(kept)
    user_hooks.install("claude-code", os.environ)
    assert '"model" : "m"' in kept.read_text()
    assert settings_file.SIGNATURE in kept.read_text()
    user_hooks.uninstall("claude-code", os.environ)
    assert (kept.read_text(), stat.S_IMODE(kept.stat().st_mode)) == ('{"model" : "m"}', 0o640)
    assert (home / ".claude/settings.json").is_symlink()


def test_the_last_of_them_takes_the_memory_along(home: Path) -> None:
    for name in ("claude-code", "gemini"):
        user_hooks.install(name, os.environ)
    user_hooks.uninstall("gemini", os.environ)
    assert is_on()
    user_hooks.uninstall("claude-code", os.environ)
    assert not is_on()


def test_hooks_whose_memory_was_lost_still_count(home: Path) -> None:
    for name in ("claude-code", "gemini"):
        user_hooks.install(name, os.environ)
    shutil.rmtree(hook_places.user_state(os.environ))
    assert not is_on()
    assert not user_hooks.install("claude-code", os.environ).changed
    user_hooks.remember(os.environ, {})
    assert is_on()
    user_hooks.uninstall("gemini", os.environ)
    assert is_on()
    user_hooks.uninstall("claude-code", os.environ)
    assert not is_on()


@pytest.mark.parametrize("name", ["claude-code", "gemini", "copilot"])
def test_without_its_interpreter_a_hook_says_so_once_and_breaks_nothing(name: str, home: Path) -> None:
    run = settings_file.guarded_command(name, "/gone/it's python", everywhere=True)
    (home / "state/blueline").mkdir(parents=True)
    said = [subprocess.run(["sh", "-c", run], input=b"{}", capture_output=True) for _ in range(2)]
    assert [one.returncode for one in said] == [0, 0]
    first, second = (one.stdout + one.stderr for one in said)
    assert b"/gone/it's python" in first
    assert b"Run: blueline init --user" in first
    assert second == b""
    # Only Claude Code shows a person what stands there; others might take it for their answer.
    assert bool(said[0].stdout) == (name == "claude-code")
