"""The scenarios about notebooks, each by its id, through the desk: what agents, people and Jupyter do."""

from __future__ import annotations

import json

import pytest

from tests.support.notebooks import (
    LOAD,
    LOUDER,
    NAME,
    SHOW,
    Notebook,
    agent,
    cell_of,
    code,
    dumped,
    ids,
    markdown,
    notebook_edit,
    on_disk,
    person,
    printed,
    set_source,
    sources,
    three,
)
from tests.support.project import Project


def run(found: Notebook) -> None:
    """Somebody runs every cell."""
    for number, cell in enumerate(found["cells"]):
        if cell["cell_type"] == "code":
            cell["execution_count"] = 10 + number
            cell["outputs"] = printed(f"run by hand: {number}\n")
            cell["metadata"]["execution"] = {"iopub.execute_input": "now"}


def test_n01_two_lines_in_one_cell_are_two_hunks_and_one_is_rejected(p: Project) -> None:
    notebook_edit(p, "load", LOUDER)
    first, second = p.hunks()
    assert [(hunk["kind"], hunk["old"], hunk["new"]) for hunk in (first, second)] == [
        ("cell-edit", "import csv\n", "import csv, json\n"),
        ("cell-edit", "len(rows)\n", "len(rows) + 1\n"),
    ]
    assert first["cell"] == {"id": "load", "index": 1, "type": "code", "change": "edited"}
    assert (first["new_start"], second["new_start"]) == (1, 3)
    p.reject(first["id"])
    assert sources(p) == [LOAD.replace("len(rows)", "len(rows) + 1"), "# Rows\n\nWhat they say.", SHOW]
    p.accept()
    assert p.hunks() == []


def test_n02_what_somebody_typed_into_an_added_cell_stays_in_its_cell(p: Project) -> None:
    agent(p, lambda found: found["cells"].insert(1, code("new", "a = 1\nb = 2")))
    (hunk,) = p.hunks()
    assert (hunk["kind"], hunk["old"], hunk["new"]) == ("cell-add", "", "a = 1\nb = 2\n")
    person(p, lambda found: set_source(found, "new", "a = 1\nmine = 3\nb = 2"))
    done = p.reject()
    assert [kept["text"] for kept in done["kept"]] == ["mine = 3"]
    assert ids(p) == ["load", "new", "about", "show"]
    assert sources(p)[1] == "mine = 3"
    assert p.hunks() == []
    assert p.check()["problems"] == []
    p.undo()
    assert sources(p)[1] == "a = 1\nmine = 3\nb = 2"


def test_n03_a_deleted_cell_comes_back_with_everything(p: Project) -> None:
    before = p.read(NAME)
    agent(p, lambda found: found["cells"].pop(2), indent=2)
    (hunk,) = p.hunks()
    assert (hunk["kind"], hunk["cell"]["id"], hunk["cell"]["index"]) == ("cell-delete", "show", 3)
    assert hunk["old"] == SHOW + "\n"
    p.reject(hunk["id"])
    assert p.read(NAME) == before


def test_n03_also_when_somebody_saved_meanwhile(p: Project) -> None:
    whole = cell_of(on_disk(p), "show")
    agent(p, lambda found: found["cells"].pop(2))
    person(p, lambda found: set_source(found, "about", "# Rows, and more"))
    p.reject()
    assert ids(p) == ["load", "about", "show"]
    assert cell_of(on_disk(p), "show") == whole
    assert sources(p)[1] == "# Rows, and more"


def test_n04_outputs_of_a_run_are_nobodys_change_and_survive(p: Project) -> None:
    notebook_edit(p, "load", LOUDER)
    person(p, run)
    assert {hunk["cell"]["id"] for hunk in p.hunks()} == {"load"}
    p.reject()
    found = on_disk(p)
    assert sources(p)[0] == LOAD
    assert [cell_of(found, name)["outputs"] for name in ("load", "show")] == [
        printed("run by hand: 0\n"),
        printed("run by hand: 2\n"),
    ]
    assert cell_of(found, "load")["execution_count"] == 10


def test_n04_what_a_command_of_the_agent_runs_is_no_change_either(p: Project) -> None:
    assert p.hunks() == []
    agent(p, run)
    assert p.hunks() == []
    assert p.gate() == []
    notebook_edit(p, "load", LOUDER)
    p.reject()
    assert cell_of(on_disk(p), "show")["outputs"] == printed("run by hand: 2\n")
    assert p.check()["problems"] == []


def test_n05_cells_moved_by_somebody_across_pending_ones_take_nothing_along(p: Project) -> None:
    def five(found: Notebook) -> None:
        found["cells"] += [code("four", "4"), code("five", "5")]

    person(p, five)
    notebook_edit(p, "load", LOUDER)
    notebook_edit(p, "about", "# Rows\n\nWhat all of them say.")
    known = [hunk["id"] for hunk in p.hunks()]

    def move(found: Notebook) -> None:
        found["cells"] = found["cells"][2:] + found["cells"][:2]

    person(p, move)
    assert ids(p) == ["show", "four", "five", "load", "about"]
    assert [hunk["id"] for hunk in p.hunks()] == known
    p.reject()
    assert ids(p) == ["show", "four", "five", "load", "about"]
    assert sources(p)[3:] == [LOAD, "# Rows\n\nWhat they say."]


def test_n05_pending_cells_that_change_places_stay_pending(p: Project) -> None:
    notebook_edit(p, "load", LOUDER)
    notebook_edit(p, "about", "# Rows\n\nWhat all of them say.")

    def move(found: Notebook) -> None:
        found["cells"][0], found["cells"][1] = found["cells"][1], found["cells"][0]

    person(p, move)
    assert {hunk["cell"]["id"] for hunk in p.hunks()} == {"load", "about"}
    assert {hunk["actor"]["kind"] for hunk in p.hunks()} == {"agent"}
    p.reject()
    assert ids(p) == ["about", "load", "show"]
    assert sources(p)[:2] == ["# Rows\n\nWhat they say.", LOAD]
    assert p.check()["problems"] == []


def test_n07_another_indent_and_order_of_keys_are_no_change(p: Project) -> None:
    before = p.read(NAME)

    def turn(found: Notebook) -> None:
        found["cells"] = [dict(reversed(cell.items())) for cell in found["cells"]]

    agent(p, turn, indent=4)
    assert p.hunks() == []

    def edit(found: Notebook) -> None:
        set_source(found, "load", LOUDER)
        set_source(found, "about", "# Other")

    agent(p, edit, indent=None)
    assert [hunk["cell"]["id"] for hunk in p.hunks()] == ["load", "load", "about"]
    p.reject()
    assert json.loads(p.read(NAME)) == json.loads(before)


def test_n07_in_one_call_the_exact_bytes_come_back(p: Project) -> None:
    before = p.read(NAME)

    def edit(found: Notebook) -> None:
        found["cells"] = [dict(reversed(cell.items())) for cell in found["cells"]]
        set_source(found, "about", "# Other")

    agent(p, edit, indent=4)
    assert [hunk["kind"] for hunk in p.hunks()] == ["cell-edit"]
    p.reject()
    assert p.read(NAME) == before


def test_n07_a_part_is_written_as_the_file_was(p: Project) -> None:
    before = p.text(NAME)

    def edit(found: Notebook) -> None:
        set_source(found, "load", LOUDER)
        set_source(found, "about", "# Rows\n\nWhat all of them say.")

    agent(p, edit, indent=4)
    p.reject(f"{NAME}#load")
    assert p.text(NAME) == before.replace("What they say.", "What all of them say.")


def test_n09_type_metadata_and_attachments_are_decided_by_themselves(p: Project) -> None:
    before = on_disk(p)

    def change(found: Notebook) -> None:
        cell = cell_of(found, "about")
        cell["cell_type"] = "raw"
        cell["metadata"] = {"tags": ["keep"]}
        cell["attachments"] = {"a.png": {"image/png": "aGVsbG8="}}
        found["metadata"]["kernelspec"]["name"] = "julia"
        set_source(found, "about", "# Rows\n\nWhat all of them say.")

    agent(p, change)
    found = {(hunk["cell"] or {"change": "notebook"})["change"]: hunk["id"] for hunk in p.hunks()}
    assert sorted(found) == ["attachments", "edited", "metadata", "notebook", "type"]
    p.reject(found["type"], found["notebook"])
    now = on_disk(p)
    assert cell_of(now, "about")["cell_type"] == "markdown"
    assert now["metadata"] == before["metadata"]
    assert cell_of(now, "about")["metadata"] == {"tags": ["keep"]}
    p.reject(found["metadata"])
    assert cell_of(on_disk(p), "about")["metadata"] == {}
    assert "attachments" in cell_of(on_disk(p), "about")
    p.reject(found["attachments"], found["edited"])
    assert on_disk(p) == before


def test_n10_half_a_notebook_is_text_until_it_is_whole(p: Project) -> None:
    before = p.read(NAME)
    p.write(NAME, before[: len(before) // 2])
    (hunk,) = p.hunks()
    assert (hunk["kind"], hunk["as_text"]) == ("modify", "it is not valid JSON")
    assert hunk["new"] == before[: len(before) // 2].decode()
    agent_text = dumped({**three(), "cells": [*three()["cells"], code("new", "1")]})
    p.write(NAME, agent_text)
    assert [(hunk["kind"], hunk["cell"]["id"]) for hunk in p.hunks()] == [("cell-add", "new")]
    p.reject()
    assert p.read(NAME) == before
    assert p.check()["problems"] == []


@pytest.mark.parametrize("half", [b"", b"{", None])
def test_n10_outputs_that_come_after_half_a_notebook_survive(p: Project, half: bytes | None) -> None:
    """A save is seen half done, or with the file away: what it saves in the end is what counts."""
    notebook_edit(p, "load", LOUDER)
    p.stop()
    pending = [hunk["id"] for hunk in p.hunks()]
    saved = on_disk(p)
    cell_of(saved, "show")["outputs"] = printed("run by hand\n")
    if half is None:
        (p.root / NAME).unlink()
    else:
        p.put(NAME, half)
    assert p.hunks() == []
    p.put(NAME, dumped(saved))
    assert [hunk["id"] for hunk in p.hunks()] == pending
    assert on_disk(p) == saved
    p.reject()
    assert cell_of(on_disk(p), "show")["outputs"] == printed("run by hand\n")


def test_n10_rejected_while_it_is_half(p: Project) -> None:
    before = p.read(NAME)
    notebook_edit(p, "load", LOUDER)
    p.write(NAME, before[:100])
    p.reject()
    assert p.read(NAME) == before


def test_n11_reject_all_gives_the_bytes_back(p: Project) -> None:
    before = p.read(NAME)
    notebook_edit(p, "load", LOUDER)
    agent(p, lambda found: found["cells"].insert(0, markdown("first", "# First")), indent=3)
    agent(p, lambda found: found["cells"].reverse())
    agent(p, lambda found: found["cells"].pop(), indent=None)
    p.reject()
    assert p.read(NAME) == before
    p.undo()
    assert len(on_disk(p)["cells"]) == 3
    assert p.check()["problems"] == []


def test_z18_an_output_only_change_is_told_apart(p: Project) -> None:
    p.put("b.bin", b"\0\1")
    p.write("b.bin", b"\0\2")
    agent(p, run)
    assert [hunk["path"] for hunk in p.hunks()] == ["b.bin"]
