"""Hooks in the settings of every agent that has them in JSON: there when asked for, gone without a trace."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blueline.adapters import claude_code, codex, copilot, cursor, gemini, windsurf
from blueline.adapters.hook_settings import HookSettings
from blueline.adapters.settings_file import SettingsUnusable
from blueline.errors import BluelineError
from tests.adapters.settings_documents import documents, layouts, spelled

ALL = [one.SETTINGS for one in (claude_code, codex, gemini, cursor, copilot, windsurf)]


class Place:
    """A project and its state folder, and one agent."""

    def __init__(self, base: Path, agent: HookSettings) -> None:
        self.agent = agent
        self.root = base / "project"
        self.state = base / "state"
        self.root.mkdir()
        self.state.mkdir()
        self.file = agent.settings(self.root)
        # One event of which others have hooks too, and one of which they alone have.
        self.event = list(agent.events)[1]
        self.others: dict[str, Any] = {
            "model": "m",
            "hooks": {
                self.event: [{"hooks": [{"type": "command", "command": "say done"}]}],
                "Another": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "guard"}]}],
            },
            "permissions": {"allow": ["Bash(ls)"]},
        }

    def put(self, content: bytes | str) -> None:
        self.file.parent.mkdir(exist_ok=True, parents=True)
        self.file.write_bytes(content.encode() if isinstance(content, str) else content)

    def install(self, python: str = sys.executable) -> bool:
        return self.agent.install(self.root, self.state, python)

    def uninstall(self) -> bool:
        return self.agent.uninstall(self.root, self.state)

    @property
    def is_installed(self) -> bool:
        return self.agent.installed(self.root)

    def parsed(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.file.read_bytes())
        return found

    def commands(self) -> dict[str, list[str]]:
        return {
            event: [hook["command"] for entry in entries for hook in entry.get("hooks", [entry])]
            for event, entries in self.parsed()["hooks"].items()
        }

    def hook(self, run: str) -> dict[str, Any]:
        """A hook of somebody else, as this agent has them."""
        return self.agent.entry(self.event, "", run)

    def tree(self) -> list[str]:
        return sorted(str(path.relative_to(self.root)) for path in self.root.rglob("*"))


@pytest.fixture(params=ALL, ids=lambda agent: agent.agent)
def place(tmp_path: Path, request: pytest.FixtureRequest) -> Place:
    return Place(tmp_path, request.param)


class TestTheCommand:
    def test_it_starts_the_recorder_and_nothing_else(self, place: Place) -> None:
        words = shlex.split(place.agent.command("/opt/my python/bin/python3"))
        python, *options, program = words[-5:]
        assert python == "/opt/my python/bin/python3"
        assert options == ["-I", "-S", "-c"]
        assert program.endswith(f';import recorder;recorder.main("{place.agent.agent}")')

    def test_it_runs_and_says_nothing(self, place: Place, tmp_path: Path, home: Path) -> None:
        (tmp_path / ".blueline").mkdir()
        event = json.dumps({"hook_event_name": "Stop", "session_id": "one", "cwd": str(tmp_path)}).encode()
        run = place.agent.command()
        done = subprocess.run(["sh", "-c", run], cwd=tmp_path, input=event, capture_output=True)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
        assert list(home.glob("state/blueline/*/journal"))

    def test_without_its_python_it_does_nothing_and_fails_nobody(self, place: Place) -> None:
        done = subprocess.run(["sh", "-c", place.agent.command("/nowhere/python")], capture_output=True)
        assert (done.returncode, done.stderr) == (0, b"")
        # A file of this machine says so, once; a team's is read on machines that never had it.
        assert done.stdout == b"" or not place.agent.is_shared

    def test_a_path_that_no_settings_can_hold_is_refused(self, place: Place) -> None:
        with pytest.raises(BluelineError, match="not valid UTF-8"):
            place.install("/opt/caf\udce9/python")
        assert place.tree() == []


class TestInstalling:
    def test_every_event_gets_the_same_command(self, place: Place) -> None:
        assert place.install()
        assert place.commands() == {event: [place.agent.command()] for event in place.agent.events}
        matchers = {
            event: entries[0].get("matcher", "") for event, entries in place.parsed()["hooks"].items()
        }
        assert matchers == place.agent.events
        assert place.is_installed

    def test_what_else_is_there_stays_as_it_is(self, place: Place) -> None:
        place.put(json.dumps(place.others, indent=4))
        place.install()
        text = place.file.read_text()
        found = place.parsed()
        assert list(found) == ["model", "hooks", "permissions"]
        assert list(found["hooks"])[:2] == [place.event, "Another"]
        assert found["hooks"][place.event][0] == place.others["hooks"][place.event][0]
        assert found["permissions"] == place.others["permissions"]
        assert f'\n    "model": "m",\n    "hooks": {{\n        "{place.event}": [\n            {{\n' in text

    def test_no_byte_but_ours_changes(self, place: Place) -> None:
        start = f'{{"model" :\t"\\u006d",\r\n\t"n": 1.50,  "hooks":{{ "{place.event}" : ['
        end = ',\r\n\t"e": [] }\r\n\r\n'
        place.put(start + " ] }" + end)
        place.install()
        text = place.file.read_bytes().decode()
        assert text.startswith(start)
        assert text.endswith("}" + end)
        assert "\n" not in text.replace("\r\n", "")

    def test_a_file_on_one_line_stays_on_one_line(self, place: Place) -> None:
        place.put('{"model":"m"}')
        place.install()
        text = place.file.read_text()
        assert text.startswith(f'{{"model":"m", "hooks": {{"{next(iter(place.agent.events))}": [{{')
        assert "\n" not in text

    def test_the_second_time_nothing_changes(self, place: Place) -> None:
        place.install()
        before = place.file.stat(), place.file.read_bytes()
        kept = {path: path.read_bytes() for path in place.state.rglob("*") if path.is_file()}
        assert not place.install()
        assert (place.file.stat(), place.file.read_bytes()) == before
        assert {path: path.read_bytes() for path in place.state.rglob("*") if path.is_file()} == kept

    def test_what_somebody_set_on_our_hook_is_theirs(self, place: Place) -> None:
        place.install()
        place.file.write_text(place.file.read_text().replace('"command": "', '"mine": 5, "command": "'))
        assert not place.install()
        assert place.file.read_text().count('"mine": 5') == len(place.agent.events)

    @pytest.mark.parametrize("edited", [False, True])
    def test_another_interpreter_takes_the_place_of_the_first(self, place: Place, edited: bool) -> None:
        place.put(json.dumps(place.others))
        place.install("/old/python")
        if edited:
            place.put(place.file.read_text().replace('"m"', '"n"'))
        place.install("/new/python")
        ours = [run for runs in place.commands().values() for run in runs if "recorder" in run]
        assert ours == [place.agent.command("/new/python")] * len(place.agent.events)
        assert "/old/" not in place.file.read_text()

    def test_a_missing_event_is_added(self, place: Place) -> None:
        place.install()
        found = place.parsed()
        del found["hooks"][place.event]
        place.put(json.dumps(found))
        assert not place.is_installed
        assert place.install()
        assert place.commands() == {event: [place.agent.command()] for event in place.agent.events}

    def test_hooks_of_another_agent_are_not_ours(self, place: Place) -> None:
        run = place.agent.command().replace(f'"{place.agent.agent}"', '"another"')
        content = json.dumps({"hooks": {place.event: [place.hook(run)]}})
        place.put(content)
        assert not place.is_installed
        place.install()
        assert place.commands()[place.event] == [run, place.agent.command()]
        place.uninstall()
        assert place.file.read_text() == content

    @pytest.mark.parametrize(
        "content",
        [
            '{"model": ',
            "[]",
            "null",
            '{"a": NaN}',
            '{"hooks": []}',
            '{"hooks": null}',
            '{"hooks": {"EVENT": {}}}',
            "// no\n{}",
            b'{"a": "\xff"}',
            "[" * 100_000,
        ],
    )
    def test_settings_that_are_broken_are_never_overwritten(self, place: Place, content: str | bytes) -> None:
        place.put(content.replace("EVENT", place.event) if isinstance(content, str) else content)
        before = place.file.read_bytes()
        with pytest.raises(SettingsUnusable) as caught:
            place.install()
        assert caught.value.hint
        assert place.file.read_bytes() == before
        assert not place.is_installed
        assert list(place.state.iterdir()) == []

    def test_permissions_stay(self, place: Place) -> None:
        place.put("{}")
        place.file.chmod(0o640)
        place.install()
        assert stat.S_IMODE(place.file.stat().st_mode) == 0o640
        place.uninstall()
        assert stat.S_IMODE(place.file.stat().st_mode) == 0o640

    def test_former_bytes_are_kept_for_the_owner_only(self, place: Place) -> None:
        place.put('{"env": {"TOKEN": "secret"}}')
        place.install()
        (kept,) = place.state.glob("installed-*")
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600

    @pytest.mark.parametrize("which", ["folder", "file"])
    def test_a_link_out_of_the_project_is_not_followed(
        self, place: Place, tmp_path: Path, which: str
    ) -> None:
        outside = tmp_path / "outside"
        outside.mkdir()
        (outside / place.file.name).write_text("{}")
        if which == "folder":
            place.file.parent.parent.mkdir(exist_ok=True)
            place.file.parent.symlink_to(outside)
        else:
            place.file.parent.mkdir(parents=True)
            place.file.symlink_to(outside / place.file.name)
        with pytest.raises(SettingsUnusable, match="leads out of the project"):
            place.install()
        assert (outside / place.file.name).read_text() == "{}"

    def test_a_link_inside_the_project_stays_one(self, place: Place) -> None:
        (place.root / "dotfiles").mkdir()
        place.file.parent.parent.mkdir(exist_ok=True)
        place.file.parent.symlink_to(place.root / "dotfiles")
        before = place.tree()
        place.install()
        assert place.file.parent.is_symlink()
        assert place.is_installed
        place.uninstall()
        assert place.tree() == before

    def test_a_folder_that_cannot_be_written_is_said(self, place: Place) -> None:
        (place.root / place.agent.path.partition("/")[0]).write_text("not a folder")
        with pytest.raises(SettingsUnusable, match="cannot be read or written"):
            place.install()


class TestUninstalling:
    def test_what_was_not_there_is_gone(self, place: Place) -> None:
        place.install()
        assert place.uninstall()
        assert place.tree() == []
        assert [path for path in place.state.rglob("*") if path.is_file()] == []

    def test_a_folder_that_was_there_stays(self, place: Place) -> None:
        place.file.parent.mkdir(parents=True)
        before = place.tree()
        place.install()
        place.uninstall()
        assert place.tree() == before

    def test_a_folder_that_others_use_stays(self, place: Place) -> None:
        place.install()
        (place.file.parent / "agents").mkdir()
        place.uninstall()
        assert place.tree()[-1] == str((place.file.parent / "agents").relative_to(place.root))
        assert not place.file.exists()

    @pytest.mark.parametrize(
        "content", [b"{}", b"", b" \n", b'\xef\xbb\xbf{"a":1}', b'{"hooks":{"EVENT":[]}}']
    )
    def test_former_bytes_come_back(self, place: Place, content: bytes) -> None:
        content = content.replace(b"EVENT", place.event.encode())
        place.put(content)
        place.install()
        assert place.is_installed
        assert place.file.read_bytes().startswith(b"\xef\xbb\xbf") is content.startswith(b"\xef\xbb\xbf")
        assert place.uninstall()
        assert place.file.read_bytes() == content

    def test_they_come_back_after_several_installs(self, place: Place) -> None:
        content = json.dumps(place.others, indent="\t")
        place.put(content)
        for python in ("/one/python", "/two/python", "/two/python"):
            place.install(python)
        place.uninstall()
        assert place.file.read_text() == content

    def test_what_somebody_added_since_stays(self, place: Place) -> None:
        place.put('{\n  "model": "m"\n}\n')
        place.install()
        place.put(place.file.read_text().replace('"model": "m"', '"model": "n",\n  "theme": "dark"'))
        assert place.uninstall()
        assert place.file.read_text() == '{\n  "model": "n",\n  "theme": "dark"\n}\n'

    def test_also_when_another_install_came_after_it(self, place: Place) -> None:
        place.install("/one/python")
        place.put(place.file.read_text().replace("{", '{\n  "theme": "dark",', 1))
        place.install("/two/python")
        place.uninstall()
        assert place.parsed() == {"theme": "dark", **json.loads(place.agent.start)}

    def test_a_file_of_ours_that_is_empty_again_goes(self, place: Place) -> None:
        place.install()
        place.put(place.file.read_text() + "\n\n")
        place.uninstall()
        assert place.tree() == []

    def test_a_hook_that_was_put_beside_ours_stays(self, place: Place) -> None:
        place.install()
        first, second = list(place.agent.events)[:2]
        found = place.parsed()
        beside = found["hooks"][first][0].get("hooks", found["hooks"][first])
        beside.insert(0, {"type": "command", "command": "say done"})
        found["hooks"][second].append(place.hook("guard"))
        place.put(json.dumps(found, indent=2))
        place.uninstall()
        assert place.commands() == {first: ["say done"], second: ["guard"]}

    def test_without_any_memory_only_our_entries_go(self, place: Place) -> None:
        content = json.dumps(place.others, indent=2)
        place.put(content)
        place.install()
        for path in place.state.glob("installed-*"):
            path.unlink()
        assert place.uninstall()
        assert place.file.read_text() == content

    def test_twice_is_once(self, place: Place) -> None:
        assert not place.uninstall()
        place.put(json.dumps(place.others))
        assert not place.uninstall()
        assert place.parsed() == place.others

    def test_a_damaged_memory_is_none(self, place: Place) -> None:
        place.install()
        for path in place.state.glob("installed-*"):
            path.write_text('{"before": 3}')
        assert place.uninstall()
        assert place.parsed() == json.loads(place.agent.start)

    def test_a_memory_of_the_first_version_is_understood(self, place: Place) -> None:
        place.install()
        (memory,) = place.state.glob("installed-*")
        kept = json.loads(memory.read_bytes())
        assert kept.pop("folders")
        memory.write_text(json.dumps(kept))
        place.uninstall()
        assert not place.file.exists()
        assert place.agent.agent != "claude-code" or place.tree() == []

    def test_settings_that_were_never_ours_need_not_be_understood(self, place: Place) -> None:
        place.put("// with a remark\n{}")
        assert not place.uninstall()
        assert place.file.read_text() == "// with a remark\n{}"

    def test_a_file_that_somebody_deleted_is_not_missed(self, place: Place) -> None:
        place.install()
        place.file.unlink()
        assert not place.uninstall()
        assert place.tree() == []

    def test_settings_broken_since_are_left_alone(self, place: Place) -> None:
        place.install()
        place.put("{ oh")
        with pytest.raises(SettingsUnusable):
            place.uninstall()
        assert place.file.read_text() == "{ oh"


@given(st.sampled_from(ALL), documents, layouts, st.sampled_from(["", "\n", "\r\n"]))
def test_any_settings_are_kept_and_come_back(
    tmp_path_factory: pytest.TempPathFactory,
    agent: HookSettings,
    document: dict[str, Any],
    layout: dict[str, Any],
    end: str,
) -> None:
    place = Place(tmp_path_factory.mktemp("place"), agent)
    content = (spelled(document, layout) + end).encode()
    place.put(content)
    assert place.install()
    assert place.is_installed
    found = place.parsed()
    assert {**found, "hooks": 0} == {**document, "hooks": 0}
    for event, entries in document.get("hooks", {}).items():
        assert found["hooks"][event][: len(entries)] == entries
    assert [event for event in found["hooks"] if event in document.get("hooks", {})] == [
        *document.get("hooks", {})
    ]
    after = place.file.read_bytes()
    assert not place.install()
    assert place.file.read_bytes() == after
    # Without memory: what others wrote is the same; only empty lists of events may have gone.
    (memory,) = place.state.glob("installed-*")
    remembered = memory.read_bytes()
    memory.unlink()
    assert place.uninstall()
    left = {event: entries for event, entries in document.get("hooks", {}).items() if entries}
    now = place.parsed()
    assert {**now, "hooks": 0} == {**document, "hooks": 0}
    assert {event: entries for event, entries in now.get("hooks", {}).items() if entries} == left
    # With it: the same bytes.
    place.file.write_bytes(after)
    memory.write_bytes(remembered)
    assert place.uninstall()
    assert place.file.read_bytes() == content


def test_a_person_who_may_not_write_is_told(place: Place) -> None:
    place.file.mkdir(parents=True)
    with pytest.raises(SettingsUnusable, match=os.strerror(21)):
        place.install()


@pytest.mark.parametrize("is_others", [False, True], ids=["ours alone", "others too"])
def test_when_the_state_was_lost_no_hook_comes_back(place: Place, is_others: bool) -> None:
    if is_others:
        place.put(json.dumps(place.others))
    place.install("/another/python")
    shutil.rmtree(place.state)
    place.state.mkdir()
    assert place.install()
    assert place.uninstall()
    assert place.file.exists() == is_others
    if is_others:
        assert place.parsed() == place.others
