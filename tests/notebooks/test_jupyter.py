"""A person saves from a real Jupyter server while changes and proposals are pending."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from blueline.sdk import Session
from tests.support.jupyter import Jupyter
from tests.support.notebooks import NAME, cell_of, dumped, notebook_edit, on_disk, printed, sources, three
from tests.support.project import Project

LOUDER = "import csv, json\nrows = list(csv.reader(open('a.csv')))\nlen(rows) + 1"


@pytest.fixture
def p(tmp_path: Path) -> Project:
    return Project(tmp_path, {NAME: dumped(three())})


@pytest.fixture
def jupyter(p: Project, home: Path) -> Iterator[Jupyter]:
    with Jupyter(p.root, home) as found:
        yield found


def test_what_somebody_saves_while_proposals_are_pending_is_never_overwritten(
    p: Project, jupyter: Jupyter
) -> None:
    with Session(p.root, environ=p.environ).turn("please") as turn:
        turn.edit_cell(NAME, "load", LOUDER)
        turn.add_cell(NAME, "added = 1", after="show")
        turn.delete_cell(NAME, "about")
    content = jupyter.opened(NAME)["content"]
    cell_of(content, "show")["source"] = "print('typed in Jupyter')"
    cell_of(content, "show")["outputs"] = printed("run in Jupyter\n")
    cell_of(content, "show")["execution_count"] = 7
    jupyter.save(NAME, content)
    assert [hunk["cell"]["id"] for hunk in p.hunks() if hunk["held"]][:1] == ["load"]
    p.accept()
    assert sources(p) == [LOUDER, "print('typed in Jupyter')", "added = 1"]
    shown = cell_of(on_disk(p), "show")
    assert (shown["outputs"], shown["execution_count"]) == (printed("run in Jupyter\n"), 7)
    assert p.check()["problems"] == []
    p.undo()
    assert sources(p) == [
        "".join(cell_of(three(), "load")["source"]),
        "# Rows\n\nWhat they say.",
        "print('typed in Jupyter')",
    ]


def test_edits_that_landed_and_a_save_on_top_of_them(p: Project, jupyter: Jupyter) -> None:
    p.prompt()
    notebook_edit(p, "load", LOUDER)
    content = jupyter.opened(NAME)["content"]
    cell_of(content, "about")["source"] = "# Rows of Jupyter"
    cell_of(content, "load")["outputs"] = printed("13\n")
    jupyter.save(NAME, content)
    assert {hunk["cell"]["id"] for hunk in p.hunks()} == {"load"}
    p.reject()
    found = on_disk(p)
    assert sources(p)[:2] == ["".join(cell_of(three(), "load")["source"]), "# Rows of Jupyter"]
    assert cell_of(found, "load")["outputs"] == printed("13\n")


def test_a_save_of_what_was_rejected_asks_again(p: Project, jupyter: Jupyter) -> None:
    p.prompt()
    notebook_edit(p, "load", LOUDER)
    stale = jupyter.opened(NAME)["content"]
    p.reject()
    jupyter.save(NAME, stale)
    assert sources(p)[0] == LOUDER
    assert {hunk["status"] for hunk in p.hunks()} == {"pending"}
    p.reject()
    assert sources(p)[0] != LOUDER


def test_a_save_that_changes_nothing_is_no_change(p: Project, jupyter: Jupyter) -> None:
    p.prompt()
    notebook_edit(p, "load", LOUDER)
    known = p.hunks()
    jupyter.save(NAME, jupyter.opened(NAME)["content"])
    assert p.hunks() == known
    p.accept()
    before = json.loads(p.read(NAME))
    assert "".join(before["cells"][0]["source"]) == LOUDER
