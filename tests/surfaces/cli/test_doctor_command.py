"""Is it recorded here: each thing is tried, not believed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from blueline.adapters import ADAPTERS, hook_places
from blueline.desk.state_folder import find
from blueline.surfaces.cli.doctor_command import version
from tests.support.agents.place import BLUELINE, Place


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """A project of Claude Code, on a machine with no agent but those that a test puts there."""
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    made = Place(tmp_path / "project", {"a.md": "one\n"})
    made.init("claude-code")
    return made


def program(tmp_path: Path, name: str, script: str) -> None:
    path = tmp_path / "bin" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def doctor(place: Place) -> tuple[int, dict[str, Any]]:
    return place.try_blueline("doctor")


def about(document: dict[str, Any], what: str) -> list[tuple[bool, str, str]]:
    return [(line["ok"], line["says"], line["hint"]) for line in document["lines"] if line["about"] == what]


def test_all_is_well(place: Place, tmp_path: Path) -> None:
    program(tmp_path, "claude", "echo 2.1.3 '(Claude Code)'")
    code, document = doctor(place)
    assert (code, document["ok"]) == (0, True)
    ((_, says, _),) = about(document, "claude-code")
    assert says.startswith(
        "Claude Code 2.1.3 (Claude Code): .claude/settings.local.json records an event in "
    )
    shown = subprocess.run([BLUELINE, "doctor"], cwd=place.root, capture_output=True, text=True, check=True)
    assert len(shown.stdout.splitlines()) == len(document["lines"]) + 1
    assert "bad" not in shown.stdout


def test_a_hook_that_cannot_start_is_found_by_starting_it(place: Place) -> None:
    """`check` looks at what is stored, and used to be all there was."""
    path = place.root / ".claude" / "settings.local.json"
    (hook,) = hook_places.hooks_in(path)
    broken = place.root.parent / "python"
    broken.write_text("#!/bin/sh\nexit 9\n")
    broken.chmod(0o755)
    path.write_text(path.read_text().replace(hook.interpreter, str(broken)))
    code, document = doctor(place)
    assert (code, document["ok"]) == (1, False)
    ((ok, says, hint),) = about(document, "claude-code")
    assert (ok, hint) == (False, "blueline init --agent claude-code")
    assert "its hook in .claude/settings.local.json does not work: it gave 9" in says
    # From now on every command knows.
    assert "did not answer when it was last tried" in place.blueline("status")["recording"]["why"]
    place.init("claude-code")
    assert doctor(place)[0] == 0
    assert place.blueline("status")["recording"]["recorded"]


def test_an_agent_without_hooks_is_named(place: Place, home: Path) -> None:
    (home / ".gemini").mkdir()
    place.init("claude-code")  # and not for that one
    _, document = doctor(place)
    assert about(document, "gemini") == [
        (True, "Gemini CLI: no hooks here (~/.gemini is there)", "blueline init --agent gemini")
    ]


def test_where_nothing_is_recorded_it_says_what_to_type(place: Place) -> None:
    place.blueline("init", "--uninstall")
    code, document = doctor(place)
    assert (code, about(document, "recording")) == (
        1,
        [(False, "not recorded here: no agent has hooks in this folder", "blueline init")],
    )


def test_init_ends_with_it(place: Place) -> None:
    assert place.blueline("init", "--agent", "claude-code")["doctor"]["ok"]
    ((_, says, _),) = about(doctor(place)[1], "state")
    state = Path(says.removeprefix("the state is kept in "))
    state.chmod(0o755)
    assert f"bad  others can read the state folder {state}" in place.init("claude-code")


@pytest.mark.parametrize(("script", "said"), [("echo 1.0", " 1.0"), ("exit 3", ""), ("", "")])
def test_a_version_is_what_the_program_says(tmp_path: Path, script: str, said: str) -> None:
    program(tmp_path, "codex", script)
    environ = {"PATH": str(tmp_path / "bin") + ":/usr/bin:/bin"}
    assert version(ADAPTERS["codex"](), tmp_path / "project", environ) == said


def test_no_program_of_the_project_is_started_for_it(tmp_path: Path) -> None:
    program(tmp_path, "codex", f"touch {tmp_path}/started")
    assert version(ADAPTERS["codex"](), tmp_path, {"PATH": str(tmp_path / "bin")}) == ""
    assert not os.path.exists(tmp_path / "started")


def test_a_state_folder_that_cannot_be_written_to_is_one_bad_line_among_the_others(place: Place) -> None:
    state = find(place.root, os.environ)[1]
    temporaries = state / "blobs" / "tmp"
    shutil.rmtree(temporaries)
    temporaries.write_text("in the way, also of root")
    code, document = doctor(place)
    assert code == 1
    ((ok, says, _),) = about(document, "state")
    assert (ok, "cannot be written to" in says) == (False, True)
    assert len(document["lines"]) > 5
