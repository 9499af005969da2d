"""What of a purged file may stand in what somebody said, and taking it out there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from blueline.errors import BluelineError
from tests.support.project import Project

SECRET = "hunter2"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path, {"a.md": "one\n"})
    made.prompt(f"the password is {SECRET}, put it into .env.local")
    made.write(".env.local", f"PASSWORD={SECRET}\n")
    made.bash(f"echo {SECRET} >> .env.local")
    made.prompt("something else")
    made.edit("a.md", "one", "two")
    made.stop()
    made.decide("reject", [".env.local"], reason=f"no {SECRET} in files")
    made.decide("accept", ["a.md"], reason="fine")
    return made


def stored(project: Project) -> list[str]:
    """Files of the state folder in which the secret stands."""
    return [
        path.name
        for path in project.state.rglob("*")
        if path.is_file() and SECRET.encode() in path.read_bytes()
    ]


def purge(project: Project, *, dry_run: bool = False, with_words: bool = False) -> dict[str, Any]:
    with project.desk() as desk:
        return {**desk.purge([".env.local"], everything=False, dry_run=dry_run, with_words=with_words)}


def test_words_that_belong_to_the_file_are_named_and_stay(project: Project) -> None:
    for dry_run in (True, False):
        said = purge(project, dry_run=dry_run)
        assert (said["words"], said["words_purged"]) == (["c2", "d1", "t1"], False)
    assert stored(project)


def test_words_are_taken_out_and_the_rest_holds_together(project: Project) -> None:
    assert stored(project)
    said = purge(project, with_words=True)
    assert (said["words"], said["words_purged"]) == (["c2", "d1", "t1"], True)
    assert stored(project) == []
    assert [one["prompt"] for one in project.log("turn")] == ["something else", ""]
    assert [one["reason"] for one in project.log("decision")] == ["fine", ""]
    assert project.check()["ok"]
    # What others said and decided is as it was.
    project.undo()
    assert project.text("a.md") == "two\n"
    assert [hunk["path"] for hunk in project.hunks()] == ["a.md"]


def test_words_that_were_left_can_be_taken_out_later(project: Project) -> None:
    purge(project)
    assert stored(project)
    with pytest.raises(BluelineError, match="nothing is stored about"):
        purge(project)
    assert purge(project, dry_run=True, with_words=True)["words"] == ["c2", "d1", "t1"]
    assert stored(project)
    said = purge(project, with_words=True)
    assert (said["purged"], said["words"]) == ([".env.local"], ["c2", "d1", "t1"])
    assert stored(project) == []
    assert project.check()["ok"]
    # There is nothing left to say of it.
    with pytest.raises(BluelineError, match="nothing is stored about"):
        purge(project, with_words=True)
    project.undo()
    assert project.text("a.md") == "two\n"


@pytest.mark.parametrize("data", [b"", b"[]", b'{"a": 1}', b'{".env.local": ["x1", "t", null, "t99999"]}'])
def test_a_note_that_somebody_broke_names_nothing(project: Project, data: bytes) -> None:
    purge(project)
    (project.state / "purged-words.json").write_bytes(data)
    try:
        said = purge(project, with_words=True)
    except BluelineError:
        return
    assert said["words"] == []
