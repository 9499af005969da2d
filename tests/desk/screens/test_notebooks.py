"""What the page asks about notebooks, over the wire."""

from __future__ import annotations

import base64

from tests.desk.screens.cells import page_of
from tests.support.notebooks import (
    LOUDER,
    NAME,
    agent,
    cell_of,
    code,
    dumped,
    notebook,
    on_disk,
    person,
    printed,
    sources,
)
from tests.support.project import Project
from tests.support.workbench import Browser


def test_a_notebook_is_its_cells_in_order(p: Project, reader: Browser) -> None:
    agent(p, lambda found: found["cells"].pop(1))
    agent(p, lambda found: found["cells"].append(code("new", "1")))
    page = page_of(reader)
    assert (page["kind"], page["live"], page["held"]) == ("notebook", None, False)
    assert [(cell["id"], cell["state"], cell["index"]) for cell in page["cells"]] == [
        ("load", "edited", 1),
        ("about", "deleted", 0),
        ("show", "same", 2),
        ("new", "added", 3),
    ]
    assert page["cells"][0]["old"] != page["cells"][0]["new"] == LOUDER
    (entry,) = reader.document("/api/overview")["files"]
    assert entry["kind"] == "notebook"


def test_of_outputs_only_text_and_true_pictures_are_handed_out(p: Project, reader: Browser) -> None:
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
    found = reader.document("/api/outputs", path=NAME, cell="3")["outputs"]
    assert [one["kind"] for one in found] == ["text", "image", "other", "text", "other", "text"]
    assert (found[0]["text"], found[3]["text"], found[5]["text"]) == ("bold", "plain", "Trace\nback")
    assert found[1]["text"] == f"data:image/png;base64,{png}"
    assert "alert" not in str(found)
    assert reader.document("/api/outputs", path=NAME, cell="99") == {"outputs": [], "more": 0}
    assert reader.get("/api/outputs", path="../x", cell="1").status == 404


def test_a_large_notebook_opens(p: Project, reader: Browser) -> None:
    many = notebook(*(code(f"c{number}", f"x = {number}\n" * 20) for number in range(1_000)))
    p.put("many.ipynb", dumped(many))
    p.write("many.ipynb", dumped({**many, "cells": [*many["cells"][:500], *many["cells"][501:]]}))
    page = reader.document("/api/file", path="many.ipynb")
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
