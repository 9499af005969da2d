"""What is known of a call, and how it is stored."""

from __future__ import annotations

import json
from typing import Any

import pytest

from blueline.model.call_about import CallAbout, dump_about, load_about, noted

SHELL: dict[str, Any] = {
    "prompt": "p1",
    "command": "make",
    "subagent": {"id": "a1", "type": "general"},
    "record": 0,
    "paths": ["a.md", "b.md"],
    "missing": {"new/a.md": "new"},
    "tree": True,
    "process": [12, 3400],
    "error": "Exit code 2",
    "background": True,
    "end": 77,
    "gap": "",
    "counted": [["node_modules", 1, 20]],
    "closed": ["private"],
    "stays": 2,
    "git": {"from": "1" * 40, "to": "2" * 40, "from_branch": "main", "to_branch": "", "files": 3},
}


def stored(about: CallAbout) -> str:
    return json.dumps(dump_about(about))


class TestStored:
    @pytest.mark.parametrize(
        "found",
        [
            {},
            SHELL,
            dict(reversed(SHELL.items())),
            {"later": [1, {"x": None}], "record": 4, "staged": True},
            {"missing": "one/folder", "cell": None, "tree": False, "paths": []},
        ],
        ids=["nothing", "all", "another order", "unknown names", "as old journals have it"],
    )
    def test_what_was_read_is_written_as_it_was(self, found: dict[str, Any]) -> None:
        assert stored(load_about(found)) == json.dumps(found)

    def test_only_what_is_known_is_written(self) -> None:
        assert dump_about(CallAbout(record=0, gap="", unseen=True)) == {
            "record": 0,
            "gap": "",
            "unseen": True,
        }

    def test_names_are_typed_values(self) -> None:
        about = load_about(SHELL)
        assert (about.process, about.counted) == ((12, 3400), (("node_modules", 1, 20),))
        assert (about.tree, about.exact, about.reason) == (True, False, None)
        assert about.others == {"prompt": "p1"}


class TestThen:
    def test_what_is_new_comes_behind_what_was_known(self) -> None:
        began = load_about({"turn": "7", "record": 1, "command": "make"})
        ended = load_about({"error": "no", "turn": "8"}).then(CallAbout(end=2, stays=1))
        assert stored(began.then(ended)) == json.dumps(
            {"turn": "8", "record": 1, "command": "make", "error": "no", "end": 2, "stays": 1}
        )

    def test_nothing_more_changes_nothing(self) -> None:
        assert stored(load_about(SHELL).then(CallAbout())) == json.dumps(SHELL)


class TestMissing:
    def test_of_each_file(self) -> None:
        about = CallAbout(missing={"new/a.md": "new"})
        assert [about.missing_at(path) for path in ("new/a.md", "b.md")] == ["new", ""]

    def test_of_the_one_file_of_an_old_journal(self) -> None:
        assert load_about({"missing": "new"}).missing_at("new/a.md") == "new"

    def test_of_a_call_that_misses_none(self) -> None:
        assert CallAbout().missing_at("a.md") == ""


def test_what_is_found_out_joins_what_was_said() -> None:
    found = noted(record=0, outside=None, paths=(), tree=False, beside=(3,))
    assert dump_about(found) == {"record": 0, "beside": (3,)}
    assert dump_about(load_about({}).then(found)) == dump_about(found)
    assert dump_about(found.then(noted(gap=None))) == dump_about(found)
    said = load_about({"mine": 1, "reason": "r", "record": 7})
    both = said.then(found)
    assert [*dump_about(both).items()] == [("mine", 1), ("reason", "r"), ("record", 0), ("beside", (3,))]
    assert load_about(dump_about(both)) == both
    assert dump_about(said) == {"mine": 1, "reason": "r", "record": 7}
    assert dump_about(found.then(load_about({"other": 2}))) == {"record": 0, "beside": (3,), "other": 2}
