"""What the page asks about notebooks, over the wire."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from blueline.sdk import Session
from tests.support.notebooks import (
    LOUDER,
    NAME,
    agent,
    cell_of,
    code,
    dumped,
    notebook,
    notebook_edit,
    on_disk,
    person,
    printed,
    set_source,
    sources,
    three,
)
from tests.support.project import Project
from tests.support.workbench import Browser, running


@pytest.fixture
def p(tmp_path: Path) -> Project:
    found = Project(tmp_path, {NAME: dumped(three())})
    found.prompt()
    notebook_edit(found, "load", LOUDER)
    return found


@pytest.fixture
def browser(p: Project) -> Iterator[Browser]:
    with running(p) as served:
        yield served.enter()


def page_of(browser: Browser) -> dict[str, Any]:
    return dict(browser.document("/api/file", path=NAME))


def save(browser: Browser, cell: str, base: str, source: str) -> Any:
    return browser.post("/api/save-cell", path=NAME, cell=cell, base=base, source=source)


def test_a_notebook_is_its_cells_in_order(p: Project, browser: Browser) -> None:
    agent(p, lambda found: found["cells"].pop(1))
    agent(p, lambda found: found["cells"].append(code("new", "1")))
    page = page_of(browser)
    assert (page["kind"], page["live"], page["held"]) == ("notebook", None, False)
    assert [(cell["id"], cell["state"], cell["index"]) for cell in page["cells"]] == [
        ("load", "edited", 1),
        ("about", "deleted", 0),
        ("show", "same", 2),
        ("new", "added", 3),
    ]
    assert page["cells"][0]["old"] != page["cells"][0]["new"] == LOUDER
    (entry,) = browser.document("/api/overview")["files"]
    assert entry["kind"] == "notebook"


def test_what_is_typed_into_a_cell_is_in_the_notebook_and_yours(p: Project, browser: Browser) -> None:
    answer = save(browser, "about", "# Rows\n\nWhat they say.", "# Rows\n\nWhat I say.")
    assert (answer.status, answer.json["source"]) == (200, "# Rows\n\nWhat I say.")
    assert sources(p)[1] == "# Rows\n\nWhat I say."
    assert {hunk["cell"]["id"] for hunk in p.hunks()} == {"load"}
    p.reject()
    assert sources(p)[1] == "# Rows\n\nWhat I say."


def test_typing_is_put_on_top_of_what_others_wrote_meanwhile(p: Project, browser: Browser) -> None:
    base = page_of(browser)["cells"][2]["live"]
    person(p, lambda found: set_source(found, "show", base.replace("done = True", "done = False")))
    answer = save(browser, "show", base, base.replace("print(row)", "print(row, 1)"))
    assert (answer.status, answer.json["merged"]) == (200, True)
    assert sources(p)[2] == "for row in rows:\n    print(row, 1)\n\ndone = False"


def test_nothing_is_saved_while_proposals_wait(p: Project, browser: Browser) -> None:
    with Session(p.root, environ=p.environ).turn("please") as turn:
        turn.add_cell(NAME, "proposed = 1", after="show")
    before = p.read(NAME)
    assert page_of(browser)["held"]
    answer = save(browser, "about", "# Rows\n\nWhat they say.", "mine")
    assert answer.status >= 400
    assert "proposals" in answer.json["error"]
    assert p.read(NAME) == before


@pytest.mark.parametrize("source", ["\x1ecell code x", "a\x00b", "half \ud800"])
def test_what_no_cell_can_hold_is_refused(p: Project, browser: Browser, source: str) -> None:
    before = p.read(NAME)
    assert save(browser, "about", "# Rows\n\nWhat they say.", source).status >= 400
    assert p.read(NAME) == before


@pytest.mark.parametrize("cell", ["nope", "0", "99", "-1", "9" * 200])
def test_a_cell_that_is_not_there_is_not_made(p: Project, browser: Browser, cell: str) -> None:
    before = p.read(NAME)
    assert save(browser, cell, "", "x").status == 409
    assert p.read(NAME) == before


def test_of_outputs_only_text_and_true_pictures_are_handed_out(p: Project, browser: Browser) -> None:
    png = base64.b64encode(b"\x89PNG\r\n\x1a\n rest").decode()

    def shown(**data: object) -> dict[str, object]:
        return {"output_type": "display_data", "metadata": {}, "data": data}

    outputs = [
        {"output_type": "stream", "name": "stdout", "text": ["\x1b[1mbold\x1b[0m"]},
        shown(**{"image/png": png}),
        shown(**{"image/png": base64.b64encode(b"<svg onload=alert(1)>").decode()}),
        shown(**{"text/html": "<script>alert(1)</script>", "text/plain": "plain"}),
        shown(**{"image/svg+xml": "<svg onload=alert(1)>", "application/javascript": "alert(1)"}),
        {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["\x1b[31mTrace\x1b[0m", "back"]},
    ]
    person(p, lambda found: cell_of(found, "show").update(outputs=outputs))
    found = browser.document("/api/outputs", path=NAME, cell="3")["outputs"]
    assert [one["kind"] for one in found] == ["text", "image", "other", "text", "other", "text"]
    assert (found[0]["text"], found[3]["text"], found[5]["text"]) == ("bold", "plain", "Trace\nback")
    assert found[1]["text"] == f"data:image/png;base64,{png}"
    assert "alert" not in str(found)
    assert browser.document("/api/outputs", path=NAME, cell="99") == {"outputs": [], "more": 0}
    assert browser.get("/api/outputs", path="../x", cell="1").status == 404


def test_a_large_notebook_opens(p: Project, browser: Browser) -> None:
    many = notebook(*(code(f"c{number}", f"x = {number}\n" * 20) for number in range(1_000)))
    p.put("many.ipynb", dumped(many))
    p.write("many.ipynb", dumped({**many, "cells": [*many["cells"][:500], *many["cells"][501:]]}))
    page = browser.document("/api/file", path="many.ipynb")
    assert len(page["cells"]) == 1_000
    assert [cell["id"] for cell in page["cells"] if cell["state"] == "deleted"] == ["c500"]
    assert len(on_disk(p, "many.ipynb")["cells"]) == 999


def test_outputs_of_a_run_in_the_same_moment_are_not_overwritten(p: Project) -> None:
    with p.desk() as desk:
        person(
            p, lambda found: cell_of(found, "show").update(outputs=printed("just now\n"), execution_count=9)
        )
        desk.workbench.save_cell(NAME, "about", "# Rows\n\nWhat they say.", "# Mine")
    assert sources(p)[1] == "# Mine"
    shown = cell_of(on_disk(p), "show")
    assert (shown["outputs"], shown["execution_count"]) == (printed("just now\n"), 9)
    with p.desk() as desk:
        person(p, lambda found: cell_of(found, "show").update(outputs=printed("and again\n")))
        done = desk.decide("reject", [f"{NAME}#load"])
    assert [need["why"] for need in done["needs"]] == ["moved-on"]
    p.reject(f"{NAME}#load")
    assert cell_of(on_disk(p), "show")["outputs"] == printed("and again\n")
