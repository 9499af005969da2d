"""What somebody types into cells on the page."""

from __future__ import annotations

from typing import Any

import pytest

from blueline.sdk import Session
from tests.desk.screens.cells import page_of
from tests.support.notebooks import (
    NAME,
    person,
    set_source,
    sources,
)
from tests.support.project import Project
from tests.support.workbench import Browser, running


def save(reader: Browser, cell: str, base: str, source: str) -> Any:
    return reader.post("/api/save-cell", path=NAME, cell=cell, base=base, source=source)


def test_what_is_typed_into_a_cell_is_in_the_notebook_and_yours(p: Project, reader: Browser) -> None:
    answer = save(reader, "about", "# Rows\n\nWhat they say.", "# Rows\n\nWhat I say.")
    assert (answer.status, answer.json["source"]) == (200, "# Rows\n\nWhat I say.")
    assert sources(p)[1] == "# Rows\n\nWhat I say."
    assert {hunk["cell"]["id"] for hunk in p.hunks()} == {"load"}
    p.reject()
    assert sources(p)[1] == "# Rows\n\nWhat I say."


def test_through_a_workbench_that_an_agent_started_nothing_is_typed_into_a_cell(p: Project) -> None:  # D5
    before = p.read(NAME), p.hunks(), p.log("decision")
    p.environ["CLAUDECODE"] = "1"
    with running(p) as served:
        answer = save(served.enter(), "about", "# Rows\n\nWhat they say.", "# Rows\n\nWhat I say.")
    assert (answer.status, "claude-code may not type into a cell" in answer.json["error"]) == (409, True)
    assert (p.read(NAME), p.hunks(), p.log("decision")) == before


def test_typing_is_put_on_top_of_what_others_wrote_meanwhile(p: Project, reader: Browser) -> None:
    base = page_of(reader)["cells"][2]["live"]
    person(p, lambda found: set_source(found, "show", base.replace("done = True", "done = False")))
    answer = save(reader, "show", base, base.replace("print(row)", "print(row, 1)"))
    assert (answer.status, answer.json["merged"]) == (200, True)
    assert sources(p)[2] == "for row in rows:\n    print(row, 1)\n\ndone = False"


def test_nothing_is_saved_while_proposals_wait(p: Project, reader: Browser) -> None:
    with Session(p.root, environ=p.environ).turn("please") as turn:
        turn.add_cell(NAME, "proposed = 1", after="show")
    before = p.read(NAME)
    assert page_of(reader)["held"]
    answer = save(reader, "about", "# Rows\n\nWhat they say.", "mine")
    assert answer.status >= 400
    assert "proposals" in answer.json["error"]
    assert p.read(NAME) == before


@pytest.mark.parametrize("source", ["\x1ecell code x", "a\x00b", "half \ud800"])
def test_what_no_cell_can_hold_is_refused(p: Project, reader: Browser, source: str) -> None:
    before = p.read(NAME)
    assert save(reader, "about", "# Rows\n\nWhat they say.", source).status >= 400
    assert p.read(NAME) == before


@pytest.mark.parametrize("cell", ["nope", "0", "99", "-1", "9" * 200])
def test_a_cell_that_is_not_there_is_not_made(p: Project, reader: Browser, cell: str) -> None:
    before = p.read(NAME)
    assert save(reader, cell, "", "x").status == 409
    assert p.read(NAME) == before
