"""Lines of a file and cells of a notebook, looked at by themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from blueline.desk.selectors import UnknownSelector
from tests.support.notebooks import NAME, dumped, three
from tests.support.project import POEM, Project


@pytest.fixture
def p(tmp_path: Path) -> Project:
    made = Project(tmp_path, {"poem.txt": POEM, NAME: dumped(three()), "data.bin": b"\0one"})
    made.prompt()
    made.edit("poem.txt", "line 5\n", "LINE 5\nand more\n")
    made.edit("poem.txt", "line 12\n", "")
    made.write("data.bin", b"\0two")
    return made


def test_lines_are_shown_with_the_hunks_that_stand_on_them(p: Project) -> None:
    first, second = (hunk["id"] for hunk in p.hunks("poem.txt"))
    shown = p.show("poem.txt:4-6")
    assert shown == {
        "kind": "lines",
        "path": "poem.txt",
        "line": 4,
        "end_line": 6,
        "text": "line 4\nLINE 5\nand more\n",
        "status": "pending",
        "hunks": [first],
        "counts": {"pending": 1, "accepted": 0, "rejected": 0},
    }
    assert p.show("poem.txt:1-99")["hunks"] == [first, second]
    assert p.show("poem.txt:1-99")["end_line"] == 20
    assert p.show("poem.txt:8")["hunks"] == []


@pytest.mark.parametrize("line", range(1, 21))
def test_just_what_is_shown_as_pending_would_be_accepted(p: Project, line: int) -> None:
    shown = p.show(f"poem.txt:{line}")
    with p.desk() as desk:
        if not shown["hunks"]:
            with pytest.raises(UnknownSelector, match="names nothing undecided"):  # D8
                desk.decide("accept", [f"poem.txt:{line}"], dry_run=True)
            return
        done = desk.decide("accept", [f"poem.txt:{line}"], dry_run=True)
    # A part of a hunk has an id of its own.
    assert {result["hunk"].partition(".")[0] for result in done["results"]} == {*shown["hunks"]}


def test_what_was_decided_there_is_shown_too(p: Project) -> None:
    first, _ = (hunk["id"] for hunk in p.hunks("poem.txt"))
    p.accept(first)
    shown = p.show("poem.txt:5-6")
    assert (shown["status"], shown["hunks"]) == ("accepted", [first])


@pytest.mark.parametrize(
    "selector", ["poem.txt:21-30", "poem.txt:9-3", "poem.txt:0", "data.bin:1", ".:1-2", "nowhere.txt:1"]
)
def test_where_there_are_no_such_lines_there_is_nothing_to_show(p: Project, selector: str) -> None:
    with p.desk() as desk, pytest.raises(UnknownSelector) as error:
        desk.show(selector)
    assert error.value.hint


def test_lines_of_a_notebook_are_those_of_its_cells(p: Project) -> None:
    p.write(NAME, dumped(three()).replace(b"import csv", b"import csv, json"))
    with p.desk() as desk, pytest.raises(UnknownSelector, match="names lines of a notebook"):
        desk.show(f"{NAME}:1-2")
    assert p.show(f"{NAME}#load")["status"] == "pending"


def test_the_command_prints_them(p: Project) -> None:
    done = p.command("show", "poem.txt:5-6")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "poem.txt:5-6  pending"
    assert lines[-4:-2] == [" LINE 5", " and more"]
    assert lines[-1] == "next: blueline accept poem.txt:5-6 keeps it, reject poem.txt:5-6 takes it back"
