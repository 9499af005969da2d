"""What the command line says of cells."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.notebooks import (
    LOUDER,
    NAME,
    Notebook,
    agent,
    cell_of,
    code,
    dumped,
    notebook_edit,
    sources,
    three,
)
from tests.support.project import Project


@pytest.fixture
def p(tmp_path: Path) -> Project:
    found = Project(tmp_path, {NAME: dumped(three())})
    found.prompt()
    notebook_edit(found, "load", LOUDER)

    def change(made: Notebook) -> None:
        made["cells"].insert(1, code("new", "1 + 1\n2"))
        cell_of(made, "about")["cell_type"] = "raw"

    agent(found, change)
    found.stop()
    return found


def said(p: Project, *words: str) -> str:
    done = p.command(*words)
    assert done.returncode == 0, done.stderr
    assert "\x1e" not in done.stdout
    return done.stdout


def test_the_list_names_cells(p: Project) -> None:
    found = said(p, "list")
    for words in ("#load:1  cell-edit", "#new", "cell-add", "#about", "(type) markdown → raw"):
        assert words in found


def test_a_diff_goes_from_cell_to_cell(p: Project) -> None:
    found = said(p, "diff", NAME)
    assert found.startswith(f"diff --git a/{NAME} b/{NAME}\n")
    assert f"--- /dev/null\n+++ b/{NAME} cell 2 [code] new\n@@ -0,0 +1,2 @@\n+1 + 1\n+2\n" in found
    assert "-import csv\n+import csv, json\n" in found
    assert "cell type markdown becomes raw\n" in found
    assert said(p, "diff", f"{NAME}#new").count("+++") == 1


def test_one_cell_is_shown_with_all_that_is_known(p: Project) -> None:
    found = said(p, "show", f"{NAME}#load")
    assert "n.ipynb#load  pending" in found
    assert "+import csv, json" in found
    by_number = said(p, "show", f"{NAME}#2")
    assert "n.ipynb#new  pending" in by_number


def test_cells_are_decided_by_id_by_number_and_by_line(p: Project) -> None:
    said(p, "reject", f"{NAME}#load:3")
    assert sources(p)[0].startswith("import csv, json")
    assert sources(p)[0].endswith("len(rows)")
    said(p, "accept", f"{NAME}#2")
    said(p, "reject", f"{NAME}#about")
    assert "Nothing to decide" not in said(p, "list")
    said(p, "reject", "--all", "--with-dependents")
    assert "Nothing to decide" in said(p, "list")
    assert sources(p)[1] == "1 + 1\n2"


def test_a_move_is_told_as_one(tmp_path: Path) -> None:
    p = Project(tmp_path, {NAME: dumped(three())})
    p.prompt()
    agent(p, lambda found: found["cells"].append(found["cells"].pop(0)))
    assert "#load  cell-move" in said(p, "list")
    assert "cell moved from 1 to 3\n" in said(p, "diff")


@pytest.mark.parametrize("words", [f"{NAME}:3", f"{NAME}#nope", f"{NAME}#99", "other.ipynb#load"])
def test_what_names_no_cell_is_refused_with_advice(p: Project, words: str) -> None:
    before = p.read(NAME)
    done = p.command("reject", words)
    assert done.returncode == 1
    assert "hint" in done.stderr
    assert p.read(NAME) == before
