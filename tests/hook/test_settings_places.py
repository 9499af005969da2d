"""A project with hooks of its own is not recorded twice."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from blueline.adapters import ADAPTERS, opencode, settings_file
from blueline.hook import settings_places


def write(place: Path, name: str, python: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    if name == "opencode":
        place.write_text(opencode.plugin(python))
        return
    spelled = settings_file.shared_command if ADAPTERS[name]().SHARED else settings_file.guarded_command
    hook = {"command": spelled(name, python)}
    place.write_text(json.dumps({"hooks": {"x": [hook]}}, ensure_ascii=False))


def told(tmp_path: Path, agent: str, real: str) -> bool:
    environ = {b"HOME": os.fsencode(tmp_path / "home")}
    return settings_places.is_told_elsewhere(agent, real, {os.fsencode(tmp_path / "p")}, environ)


@pytest.mark.parametrize("name", ADAPTERS)
def test_hooks_of_the_project_tell_unless_they_cannot_start(name: str, tmp_path: Path) -> None:
    python = tmp_path / "a b" / "pythön"
    python.parent.mkdir()
    python.write_text("")
    python.chmod(0o755)
    assert not told(tmp_path, name, name)
    for place in settings_places.PLACES[name]:
        path = tmp_path / "p" / place
        for spelled in (str(python), "/bin/sh"):
            write(path, name, spelled)
            assert told(tmp_path, name, name)
        path.write_text(path.read_text().replace(str(settings_file.recorder().parent), "/gone"))
        assert not told(tmp_path, name, name)
        path.unlink()


def test_hooks_of_another_machine_tell_nothing(tmp_path: Path) -> None:
    for python in ("/gone/python", "/gone too/python"):
        write(tmp_path / "p/.claude/settings.local.json", "claude-code", python)
        assert not told(tmp_path, "claude-code", "claude-code")


def test_hooks_of_other_agents_tell_nothing(tmp_path: Path) -> None:
    write(tmp_path / "p/.gemini/settings.json", "gemini", "/bin/sh")
    assert not told(tmp_path, "claude-code", "claude-code")
    (tmp_path / "p/.gemini/settings.json").write_text("{}")
    assert not told(tmp_path, "gemini", "gemini")


def test_who_reads_claude_codes_settings_tells_once(tmp_path: Path) -> None:
    """Cursor runs hooks from its own settings and from Claude Code's, a person's and a project's."""
    assert not told(tmp_path, "claude-code", "cursor")
    write(tmp_path / "home/.cursor/hooks.json", "cursor", "/bin/sh")
    assert told(tmp_path, "claude-code", "cursor")
    assert not told(tmp_path, "cursor", "cursor")
    write(tmp_path / "p/.claude/settings.local.json", "claude-code", "/bin/sh")
    assert told(tmp_path, "cursor", "cursor")


@pytest.mark.parametrize("name", settings_places.USER_PLACES)
def test_a_variable_moves_a_persons_settings(name: str) -> None:
    variable, folder, file = settings_places.USER_PLACES[name]
    assert settings_places.user_place(name, {b"HOME": b"/h"}) == f"/h/{folder}/{file}".encode()
    if variable:
        assert settings_places.user_place(name, {variable.encode(): b"/m"}) == f"/m/{file}".encode()
