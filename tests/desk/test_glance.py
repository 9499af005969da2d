"""A list straight from the index: only from one that this version made."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from blueline.adapters.hook_places import recording
from blueline.contract import VERSION
from blueline.desk.glance import glance
from blueline.workspace import look
from tests.support.project import POEM, Project


@pytest.fixture
def listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project with one pending hunk that was listed already, so that the index has the answer."""
    # A file that was written just now would be read again, to be sure.
    monkeypatch.setattr(look, "RACY_NS", -1)
    monkeypatch.setattr(look, "COARSE_RACY_NS", -1)
    p = Project(tmp_path, {"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.hunks()
    return p


def test_what_is_pending_is_what_the_desk_says(listed: Project) -> None:
    found = glance(listed.root, listed.environ, recording)
    with listed.desk() as desk:
        assert found == desk.list()


@pytest.mark.parametrize("version", [VERSION - 1, VERSION + 1])
@pytest.mark.parametrize("words", [("list",), ("list", "--json"), ("status",)])
def test_an_index_of_another_version_is_made_anew(
    listed: Project, version: int, words: tuple[str, ...]
) -> None:
    """Whatever its documents lack: here, a key that `list` reads of every hunk."""
    assert glance(listed.root, listed.environ, recording) is not None
    expected = listed.command(*words)
    with sqlite3.connect(listed.index) as connection:
        connection.execute("update hunks set doc = json_remove(doc, '$.new_start', '$.held')")
        connection.execute(f"pragma user_version = {version}")
    connection.close()
    assert glance(listed.root, listed.environ, recording) is None
    done = listed.command(*words)
    assert (done.returncode, done.stdout) == (0, expected.stdout)
    with sqlite3.connect(listed.index) as connection:
        assert connection.execute("pragma user_version").fetchone() == (VERSION,)
        (document,) = (json.loads(row[0]) for row in connection.execute("select doc from hunks"))
    connection.close()
    assert {"new_start", "held"} <= document.keys()
