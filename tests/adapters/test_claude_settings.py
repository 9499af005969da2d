"""Hooks in Claude Code's settings: there when asked for, gone without a trace."""

from __future__ import annotations

import json
import os
import shlex
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blueline.adapters import json_text
from blueline.adapters.claude_settings import (
    EVENTS,
    SettingsUnusable,
    command,
    install,
    installed,
    settings,
    uninstall,
)
from blueline.errors import BluelineError

OTHERS = {
    "model": "m",
    "hooks": {
        "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],
        "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "guard"}]}],
    },
    "permissions": {"allow": ["Bash(ls)"]},
}


class Place:
    """A project and its state folder."""

    def __init__(self, base: Path) -> None:
        self.root = base / "project"
        self.state = base / "state"
        self.root.mkdir()
        self.state.mkdir()
        self.file = settings(self.root)

    def put(self, content: bytes | str) -> None:
        self.file.parent.mkdir(exist_ok=True)
        self.file.write_bytes(content.encode() if isinstance(content, str) else content)

    def install(self, python: str = sys.executable) -> bool:
        return install(self.root, self.state, python)

    def uninstall(self) -> bool:
        return uninstall(self.root, self.state)

    def parsed(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.file.read_bytes())
        return found

    def commands(self) -> dict[str, list[str]]:
        return {
            event: [hook["command"] for entry in entries for hook in entry["hooks"]]
            for event, entries in self.parsed()["hooks"].items()
        }

    def tree(self) -> list[str]:
        return sorted(str(path.relative_to(self.root)) for path in self.root.rglob("*"))


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


class TestTheCommand:
    def test_it_starts_the_recorder_and_nothing_else(self) -> None:
        python, *options, program = shlex.split(command("/opt/my python/bin/python3"))
        assert python == "/opt/my python/bin/python3"
        assert options == ["-I", "-S", "-c"]
        assert program.endswith(';import recorder;recorder.main("claude-code")')

    def test_it_runs_and_says_nothing(self, tmp_path: Path, home: Path) -> None:
        (tmp_path / ".blueline").mkdir()
        event = json.dumps({"hook_event_name": "Stop", "session_id": "one", "cwd": str(tmp_path)}).encode()
        done = subprocess.run(["sh", "-c", command()], cwd=tmp_path, input=event, capture_output=True)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
        assert list(home.glob("state/blueline/*/journal"))

    def test_a_path_that_no_settings_can_hold_is_refused(self, place: Place) -> None:
        with pytest.raises(BluelineError, match="not valid UTF-8"):
            place.install("/opt/caf\udce9/python")
        assert place.tree() == []


class TestInstalling:
    def test_every_event_gets_the_same_command(self, place: Place) -> None:
        assert place.install()
        assert place.commands() == {event: [command()] for event in EVENTS}
        edit_tools = "Edit|MultiEdit|Write|NotebookEdit"
        matchers = {event: entries[0].get("matcher") for event, entries in place.parsed()["hooks"].items()}
        assert matchers == {event: edit_tools if "ToolUse" in event else None for event in EVENTS}
        assert installed(place.root)

    def test_what_else_is_there_stays_as_it_is(self, place: Place) -> None:
        place.put(json.dumps(OTHERS, indent=4))
        place.install()
        text = place.file.read_text()
        found = place.parsed()
        assert list(found) == ["model", "hooks", "permissions"]
        assert list(found["hooks"])[:2] == ["Stop", "PreToolUse"]
        assert found["hooks"]["Stop"][0] == OTHERS["hooks"]["Stop"][0]  # type: ignore[index]
        assert found["permissions"] == OTHERS["permissions"]
        assert '\n    "model": "m",\n    "hooks": {\n        "Stop": [\n            {\n' in text

    def test_no_byte_but_ours_changes(self, place: Place) -> None:
        odd = '{"model" :\t"\\u006d",\r\n\t"n": 1.50,  "hooks":{ "Stop" : [ ] },\r\n\t"e": [] }\r\n\r\n'
        place.put(odd)
        place.install()
        text = place.file.read_bytes().decode()
        assert text.startswith('{"model" :\t"\\u006d",\r\n\t"n": 1.50,  "hooks":{ "Stop" : [')
        assert text.endswith('},\r\n\t"e": [] }\r\n\r\n')
        assert "\n" not in text.replace("\r\n", "")

    def test_a_file_on_one_line_stays_on_one_line(self, place: Place) -> None:
        place.put('{"model":"m"}')
        place.install()
        text = place.file.read_text()
        assert text.startswith('{"model":"m", "hooks": {"UserPromptSubmit": [{"hooks"')
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
        place.file.write_text(place.file.read_text().replace('"timeout": 60', '"timeout": 5'))
        assert not place.install()
        assert place.file.read_text().count('"timeout": 5\n') == len(EVENTS)

    @pytest.mark.parametrize("edited", [False, True])
    def test_another_interpreter_takes_the_place_of_the_first(self, place: Place, edited: bool) -> None:
        place.put(json.dumps(OTHERS))
        place.install("/old/python")
        if edited:
            place.put(place.file.read_text().replace('"m"', '"n"'))
        place.install("/new/python")
        ours = [run for runs in place.commands().values() for run in runs if "recorder" in run]
        assert ours == [command("/new/python")] * len(EVENTS)
        assert "/old/" not in place.file.read_text()

    def test_a_missing_event_is_added(self, place: Place) -> None:
        place.install()
        found = place.parsed()
        del found["hooks"]["Stop"]
        place.put(json.dumps(found))
        assert not installed(place.root)
        assert place.install()
        assert place.commands() == {event: [command()] for event in EVENTS}

    @pytest.mark.parametrize(
        "content",
        [
            '{"model": ',
            "[]",
            "null",
            '{"a": NaN}',
            '{"hooks": []}',
            '{"hooks": null}',
            '{"hooks": {"Stop": {}}}',
            "// no\n{}",
            b'{"a": "\xff"}',
            "[" * 100_000,
        ],
    )
    def test_settings_that_are_broken_are_never_overwritten(self, place: Place, content: str | bytes) -> None:
        place.put(content)
        before = place.file.read_bytes()
        with pytest.raises(SettingsUnusable) as caught:
            place.install()
        assert caught.value.hint
        assert place.file.read_bytes() == before
        assert not installed(place.root)
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
        (outside / "settings.local.json").write_text("{}")
        if which == "folder":
            place.file.parent.symlink_to(outside)
        else:
            place.file.parent.mkdir()
            place.file.symlink_to(outside / "settings.local.json")
        with pytest.raises(SettingsUnusable, match="leads out of the project"):
            place.install()
        assert (outside / "settings.local.json").read_text() == "{}"

    def test_a_link_inside_the_project_stays_one(self, place: Place) -> None:
        (place.root / "dotfiles").mkdir()
        place.file.parent.symlink_to("dotfiles")
        place.install()
        assert place.file.parent.is_symlink()
        assert installed(place.root)
        place.uninstall()
        assert place.tree() == [".claude", "dotfiles"]

    def test_a_folder_that_cannot_be_written_is_said(self, place: Place) -> None:
        (place.root / ".claude").write_text("not a folder")
        with pytest.raises(SettingsUnusable, match="cannot be read or written"):
            place.install()


class TestUninstalling:
    def test_what_was_not_there_is_gone(self, place: Place) -> None:
        place.install()
        assert place.uninstall()
        assert place.tree() == []
        assert [path for path in place.state.rglob("*") if path.is_file()] == []

    def test_a_folder_that_was_there_stays(self, place: Place) -> None:
        place.file.parent.mkdir()
        place.install()
        place.uninstall()
        assert place.tree() == [".claude"]

    def test_a_folder_that_others_use_stays(self, place: Place) -> None:
        place.install()
        (place.file.parent / "agents").mkdir()
        place.uninstall()
        assert place.tree() == [".claude", ".claude/agents"]

    @pytest.mark.parametrize(
        "content", [b"{}", b"", b" \n", b'\xef\xbb\xbf{"a":1}', b'{"hooks":{"Stop":[]}}']
    )
    def test_former_bytes_come_back(self, place: Place, content: bytes) -> None:
        place.put(content)
        place.install()
        assert installed(place.root)
        assert place.file.read_bytes().startswith(b"\xef\xbb\xbf") is content.startswith(b"\xef\xbb\xbf")
        assert place.uninstall()
        assert place.file.read_bytes() == content

    def test_they_come_back_after_several_installs(self, place: Place) -> None:
        content = json.dumps(OTHERS, indent="\t")
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
        assert place.parsed() == {"theme": "dark"}

    def test_a_file_of_ours_that_is_empty_again_goes(self, place: Place) -> None:
        place.install()
        place.put(place.file.read_text() + "\n\n")
        place.uninstall()
        assert place.tree() == []

    def test_a_hook_that_was_put_beside_ours_stays(self, place: Place) -> None:
        place.install()
        found = place.parsed()
        found["hooks"]["Stop"][0]["hooks"].insert(0, {"type": "command", "command": "say done"})
        found["hooks"]["PreToolUse"].append({"hooks": [{"type": "command", "command": "guard"}]})
        place.put(json.dumps(found, indent=2))
        place.uninstall()
        assert place.commands() == {"PreToolUse": ["guard"], "Stop": ["say done"]}

    def test_without_any_memory_only_our_entries_go(self, place: Place) -> None:
        content = json.dumps(OTHERS, indent=2)
        place.put(content)
        place.install()
        for path in place.state.glob("installed-*"):
            path.unlink()
        assert place.uninstall()
        assert place.file.read_text() == content

    def test_twice_is_once(self, place: Place) -> None:
        assert not place.uninstall()
        place.put(json.dumps(OTHERS))
        assert not place.uninstall()
        assert place.parsed() == OTHERS

    def test_a_damaged_memory_is_none(self, place: Place) -> None:
        place.install()
        for path in place.state.glob("installed-*"):
            path.write_text('{"before": 3}')
        assert place.uninstall()
        assert place.parsed() == {}

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


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
hook = st.fixed_dictionaries({"type": st.just("command"), "command": st.text()}) | values
entry = st.fixed_dictionaries({"hooks": st.lists(hook, max_size=2)}, optional={"matcher": st.text()}) | values
hooks: st.SearchStrategy[dict[str, Any]] = st.dictionaries(
    st.sampled_from([*EVENTS, "PreCompact"]), st.lists(entry, max_size=2), max_size=4
) | st.just({})
documents = st.builds(
    lambda first, found, last: {**first, **found, **last},
    st.dictionaries(st.text().filter(lambda name: name != "hooks"), values, max_size=3),
    st.just({}) | st.fixed_dictionaries({"hooks": hooks}),
    st.dictionaries(st.text().filter(lambda name: name != "hooks"), values, max_size=2),
)
layouts = st.fixed_dictionaries(
    {"indent": st.sampled_from([None, 0, 1, 2, 4, "\t"]), "ensure_ascii": st.booleans()},
    optional={"separators": st.sampled_from([(",", ":"), (", ", ": "), (" , ", " : ")])},
)


def spelled(document: object, layout: dict[str, Any]) -> str:
    text = json.dumps(document, **layout)
    # Half a character can be in settings, but only as an escape.
    return text if not any("\ud800" <= char <= "\udfff" for char in text) else json.dumps(document)


@given(documents, layouts, st.sampled_from(["", "\n", "\r\n"]))
def test_any_settings_are_kept_and_come_back(
    tmp_path_factory: pytest.TempPathFactory, document: dict[str, Any], layout: dict[str, Any], end: str
) -> None:
    place = Place(tmp_path_factory.mktemp("place"))
    content = (spelled(document, layout) + end).encode()
    place.put(content)
    assert place.install()
    assert installed(place.root)
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


@given(documents, layouts)
def test_a_document_with_one_more_member_and_without_it_again_is_the_same(
    document: dict[str, Any], layout: dict[str, Any]
) -> None:
    text = spelled({**document, "last": 1}, layout)
    more = json_text.append(text, json_text.top(text), {"a": [1, {"b": []}]}, key="added")
    assert json.loads(more) == {**json.loads(text), "added": {"a": [1, {"b": []}]}}
    held = json_text.members(more, json_text.top(more))
    assert json_text.remove(more, held, held[-1]) == text


def test_the_first_member_can_go_too() -> None:
    text = '{ "a" : 1 , "b": [1, 2] }'
    held = json_text.members(text, 0)
    assert json_text.remove(text, held, held[0]) == '{ "b": [1, 2] }'
    assert (
        json_text.remove(
            '{ "a": 1 }', json_text.members('{ "a": 1 }', 0), json_text.members('{ "a": 1 }', 0)[0]
        )
        == "{}"
    )


def test_a_person_who_may_not_write_is_told(place: Place) -> None:
    place.file.parent.mkdir()
    place.file.mkdir()
    with pytest.raises(SettingsUnusable, match=os.strerror(21)):
        place.install()
