"""A list straight from the index: only from one that this version made."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from blueline.adapters.hook_places import recording
from blueline.contract import VERSION
from blueline.contract.overview import RecordingDocument
from blueline.desk.glance import glance, glance_at_all
from blueline.desk.kept_status import NAME
from blueline.desk.open_project import RECORDED
from blueline.journal import wholeness, wholeness_note
from blueline.model.loop import LoopOutcome
from blueline.workspace import signatures
from tests.support.project import POEM, Project

if TYPE_CHECKING:
    from _typeshed import StrPath


def recorded(root: StrPath, state: StrPath, environ: Mapping[str, str]) -> RecordingDocument:
    """As commands ask it, in the words of a desk that was opened without asking."""
    found = recording(root, state, environ)
    return RECORDED if found["recorded"] else found


@pytest.fixture
def listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project with one pending hunk that was listed already, so that the index has the answer."""
    # A file that was written just now would be read again, to be sure.
    monkeypatch.setattr(signatures, "RACY_NS", -1)
    monkeypatch.setattr(signatures, "COARSE_RACY_NS", -1)
    monkeypatch.setattr(wholeness, "RACY_NS", -1)
    monkeypatch.setattr(wholeness_note, "RACY_NS", -1)
    p = Project(tmp_path, {"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.hunks()
    return p


def test_what_is_pending_is_what_the_desk_says(listed: Project) -> None:
    found = glance(listed.root, listed.environ, recorded)
    with listed.desk() as desk:
        assert found == desk.list()


@pytest.mark.parametrize("version", [VERSION - 1, VERSION + 1])
@pytest.mark.parametrize("words", [("list",), ("list", "--json"), ("status",)])
def test_an_index_of_another_version_is_made_anew(
    listed: Project, version: int, words: tuple[str, ...]
) -> None:
    """Whatever its documents lack: here, a key that `list` reads of every hunk."""
    assert glance(listed.root, listed.environ, recorded) is not None
    expected = listed.command(*words)
    with sqlite3.connect(listed.index) as connection:
        connection.execute("update hunks set doc = json_remove(doc, '$.new_start', '$.held')")
        connection.execute(f"pragma user_version = {version}")
    connection.close()
    assert glance(listed.root, listed.environ, recorded) is None
    done = listed.command(*words)
    assert (done.returncode, done.stdout) == (0, expected.stdout)
    with sqlite3.connect(listed.index) as connection:
        assert connection.execute("pragma user_version").fetchone() == (VERSION,)
        (document,) = (json.loads(row[0]) for row in connection.execute("select doc from hunks"))
    connection.close()
    assert {"new_start", "held"} <= document.keys()


def state_of_all(p: Project) -> object:
    found = glance_at_all(p.root, p.environ, recorded)
    return None if found is None else found[0]


class TestTheStateOfAll:
    def test_is_what_the_desk_says(self, listed: Project) -> None:
        assert state_of_all(listed) is None, "nobody has asked yet"
        with listed.desk() as desk:
            expected = desk.status()
        assert state_of_all(listed) == expected
        assert expected["counts"]["hunks"] == 1

    @pytest.mark.parametrize(
        "change", ["edit", "by-hand", "accept", "config", "damaged", "told", "reviewed", "forged", "no hooks"]
    )
    def test_is_asked_for_again_after_anything_that_it_follows_from(
        self, listed: Project, change: str
    ) -> None:
        p = listed
        p.status()
        assert state_of_all(p) is not None
        match change:
            case "edit":
                p.edit("a.md", "line 5\n", "FIVE\n")
            case "by-hand":
                p.sub("a.md", "line 9\n", "nine\n")
            case "accept":
                p.accept()
            case "config":
                (p.root / ".blueline" / "config.toml").write_text(
                    "format = 1\n[review.loops.1]\nskip = 'x'\n"
                )
            case "damaged":
                p.is_damaged = True
                data = bytearray((p.state / "journal").read_bytes())
                data[40] ^= 255
                (p.state / "journal").write_bytes(data)
            case "told":
                (p.state / "damage.json").write_text("{}")
            case "reviewed":
                p.git("init", "-q")
                with p.desk() as desk:
                    desk.gatekeeper.reported(1, LoopOutcome(passed=True, at="", by="me"))
                p.hunks()
            case "forged":
                kept = json.loads((p.state / NAME).read_bytes())
                kept[1] = {"open": True, "reasons": [], "override": None}
                (p.state / NAME).write_text(json.dumps(kept))
            case _:
                for place in p.home.rglob("settings.json"):
                    place.unlink()
        assert state_of_all(p) is None

    def test_a_turn_whose_agent_is_gone_is_for_the_desk_to_end(self, listed: Project) -> None:
        p = listed
        p.status()
        assert glance_at_all(p.root, p.environ, recorded) is not None
        with sqlite3.connect(p.index) as connection:
            connection.execute("update turns set doc = json_set(doc, '$.process', json('[4194304, 1]'))")
        connection.close()
        p.index.with_name("index.sqlite-seal").unlink()
        assert state_of_all(p) is None
