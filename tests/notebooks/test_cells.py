"""Cells that move, are named, come without ids, or in notebooks that are not whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from blueline.sdk import Session
from tests.support.notebooks import (
    LOAD,
    LOUDER,
    NAME,
    Notebook,
    agent,
    cell_of,
    code,
    dumped,
    ids,
    markdown,
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


def test_cells_without_ids_are_found_by_what_they_hold(tmp_path: Path) -> None:
    old = notebook(code(None, "a = 1\nb = 2"), markdown(None, "# Same"), code(None, "z = 26"), minor=4)
    p = Project(tmp_path, {NAME: dumped(old)})
    before = p.read(NAME)
    p.prompt()

    def change(found: Notebook) -> None:
        found["cells"].insert(0, markdown(None, "# New"))
        found["cells"][1]["source"] = ["a = 1\n", "b = 3"]

    agent(p, change)
    added, edited = p.hunks()
    assert (added["kind"], edited["kind"]) == ("cell-add", "cell-edit")
    assert (added["cell"]["index"], edited["cell"]["index"]) == (1, 2)
    p.reject(f"{NAME}#2")
    assert sources(p) == ["# New", "a = 1\nb = 2", "# Same", "z = 26"]
    p.reject()
    assert p.read(NAME) == before


def test_doubled_ids_are_found_by_what_the_cells_hold(tmp_path: Path) -> None:
    p = Project(tmp_path, {NAME: dumped(notebook(code("x", "first = 1"), code("x", "second = 2")))})
    before = p.read(NAME)
    p.prompt()
    p.write(NAME, dumped(notebook(code("x", "first = 1"), code("x", "second = 3"))))
    (hunk,) = p.hunks()
    assert (hunk["old"], hunk["new"]) == ("second = 2\n", "second = 3\n")
    p.reject()
    assert p.read(NAME) == before


def test_an_agent_that_spells_a_notebook_anew_first_leaves_no_trace_when_all_is_rejected(p: Project) -> None:
    before = p.read(NAME)
    agent(p, lambda found: None, indent=4)
    agent(p, lambda found: set_source(found, "load", LOUDER), indent=4)
    p.reject()
    assert p.read(NAME) == before


def test_outputs_that_an_agent_emptied_on_its_way_there_and_back_come_back_with_a_reject(p: Project) -> None:
    before = p.read(NAME)
    notebook_edit(p, "load", LOUDER)
    notebook_edit(p, "load", LOAD)
    notebook_edit(p, "about", "# Something else")
    p.reject()
    assert p.read(NAME) == before


def test_what_an_agent_ran_in_an_earlier_call_is_kept_when_a_later_one_is_rejected(p: Project) -> None:
    def run(found: Notebook) -> None:
        cell_of(found, "load")["outputs"] = printed("13\n")

    agent(p, run)
    ran = p.read(NAME)
    agent(p, lambda found: set_source(found, "about", "# Something else"))
    p.reject()
    assert p.read(NAME) == ran


def test_a_new_notebook_goes_as_it_came(p: Project) -> None:
    p.write("new.ipynb", dumped(three()))
    (hunk,) = p.hunks("new.ipynb")
    assert hunk["kind"] == "create"
    assert "# %% [code] load" in hunk["new"]
    p.reject()
    assert not p.exists("new.ipynb")
    p.undo()
    assert p.read("new.ipynb") == dumped(three())


def test_a_move_is_one_decision(p: Project) -> None:
    before = p.read(NAME)
    agent(p, lambda found: found["cells"].append(found["cells"].pop(0)))
    (hunk,) = p.hunks()
    assert (hunk["kind"], hunk["cell"]["id"], hunk["old"]) == ("cell-move", "load", hunk["new"])
    p.reject(hunk["id"])
    assert p.read(NAME) == before


def test_a_cell_that_is_moved_and_edited_is_two_decisions(p: Project) -> None:
    before = p.read(NAME)

    def change(found: Notebook) -> None:
        found["cells"].append(found["cells"].pop(0))
        set_source(found, "load", LOUDER)
        cell_of(found, "load")["metadata"] = {"tags": ["loud"]}

    agent(p, change)
    kinds = [(hunk["kind"], hunk["cell"]["change"]) for hunk in p.hunks()]
    assert sorted(kinds) == [
        ("cell-edit", "edited"),
        ("cell-edit", "edited"),
        ("cell-edit", "metadata"),
        ("cell-move", "moved"),
    ]
    move = next(hunk for hunk in p.hunks() if hunk["kind"] == "cell-move")
    assert move["old"] == move["new"] == LOAD + "\n"
    edits = [hunk["id"] for hunk in p.hunks() if hunk["kind"] == "cell-edit"]
    assert "error" in p.decide("reject", [move["id"]])
    p.reject(*edits)
    assert ids(p) == ["about", "show", "load"]
    assert sources(p)[2] == LOAD
    p.undo()
    p.decide("reject", [move["id"]], dependents="with")
    assert p.read(NAME) == before
    assert p.check()["problems"] == []


def test_lines_of_a_cell_are_selected(p: Project) -> None:
    notebook_edit(p, "load", LOUDER)
    p.reject(f"{NAME}#load:3-3")
    assert sources(p)[0] == LOAD.replace("import csv", "import csv, json")


def test_somebody_who_saves_is_never_overwritten(p: Project) -> None:
    notebook_edit(p, "load", LOUDER)
    person(p, lambda found: set_source(found, "show", "print('mine')"))
    p.reject()
    assert sources(p) == [LOAD, "# Rows\n\nWhat they say.", "print('mine')"]
    assert p.hunks() == []


def test_a_rejected_change_that_stands_there_again_is_pending_again(p: Project) -> None:
    """Jupyter had the agent's text in memory, and saves it over what was taken back."""
    notebook_edit(p, "load", LOUDER)
    stale = p.read(NAME)
    p.reject()
    p.put(NAME, stale)
    assert [hunk["status"] for hunk in p.hunks()] == ["pending", "pending"]
    p.reject()
    assert sources(p)[0] == LOAD


def test_a_deleted_notebook_is_shown_as_people_read_it(p: Project) -> None:
    before = p.read(NAME)
    p.remove(NAME)
    (hunk,) = p.hunks()
    assert hunk["kind"] == "delete"
    assert "# %% [code] load" in hunk["old"]
    assert "\x1e" not in hunk["old"]
    p.reject()
    assert p.read(NAME) == before


def test_the_agent_hears_of_cells(p: Project) -> None:
    notebook_edit(p, "load", LOUDER)
    agent(p, lambda found: found["cells"].insert(1, code("new", "a = 1")))
    p.stop()
    with p.desk() as desk:
        desk.decide("reject", [f"{NAME}#new"], reason="not needed")
        desk.decide("reject", [f"{NAME}#load:1"])
    _, said, _ = p.hook(p.event("UserPromptSubmit", prompt="and now"))
    text = json.loads(said)["hookSpecificOutput"]["additionalContext"]
    assert 'the new cell "new" of "n.ipynb"' in text
    assert '"n.ipynb", cell "load", line 1' in text
    assert "\x1e" not in text


def test_a_notebook_that_arrives_in_pieces_is_text_until_it_is_whole(p: Project) -> None:
    p.stop()
    whole = dumped({**three(), "cells": [*three()["cells"], code("new", "1")]}).decode()
    session = Session(p.root, environ=p.environ)
    with session.turn("stream it") as turn:
        stream = turn.stream("streamed.ipynb")
        half = len(whole) // 2
        stream.write(whole[:half])
        stream.flush()
        p.hunks()
        stream.write(whole[half:])
        stream.close()
    assert p.text("streamed.ipynb") == whole
    assert p.check()["problems"] == []
    p.reject("streamed.ipynb")
    assert not p.exists("streamed.ipynb")


def test_proposals_of_cells_outlive_everything_and_are_asked_about_once(p: Project) -> None:
    before = p.read(NAME)
    with Session(p.root, environ=p.environ).turn("please") as turn:
        turn.edit_cell(NAME, "load", LOUDER, "clearer")
        turn.delete_cell(NAME, "about")
        turn.delete_cell(NAME, "show")
        turn.add_cell(NAME, "last = 1", after="show")
    assert p.read(NAME) == before
    known = p.hunks()
    (p.state / "index.sqlite").unlink()
    assert p.hunks() == known
    assert [hunk["held"] for hunk in known] == [True] * 5
    p.accept(f"{NAME}#about", f"{NAME}#show")
    assert ids(p) == ["load"]
    p.undo()
    assert p.read(NAME) == before


def test_pending_edits_are_exported_in_three_formats(p: Project) -> None:
    with Session(p.root, environ=p.environ).turn("please") as turn:
        turn.edit_cell(NAME, "load", LOUDER)
        turn.delete_cell(NAME, "about")
        turn.add_cell(NAME, "last = 1", after="show")
    with p.desk() as desk:
        edited, deleted, added = json.loads(desk.export("pending-edits"))
    assert {key: edited[key] for key in ("tool", "cell_id", "cell_index", "old_source", "new_source")} == {
        "tool": "NotebookEditCell",
        "cell_id": "load",
        "cell_index": 0,
        "old_source": LOAD,
        "new_source": LOUDER,
    }
    assert (deleted["tool"], deleted["cell_id"], deleted["cell_index"]) == ("NotebookDeleteCell", "about", 1)
    assert (deleted["cell_type"], deleted["cell_source"]) == ("markdown", "# Rows\n\nWhat they say.")
    assert (added["tool"], added["cell_index"], added["cell_source"]) == ("NotebookAddCell", 3, "last = 1")
    assert {one["status"] for one in (edited, deleted, added)} == {"pending"}
    assert {one["file_path"] for one in (edited, deleted, added)} == {str(p.root / NAME)}


def test_a_patch_of_the_file_can_be_applied_by_git(p: Project) -> None:
    before = p.read(NAME)
    notebook_edit(p, "load", LOUDER)
    after = p.read(NAME)
    with p.desk() as desk:
        patch = desk.export("patch")
    p.reject()
    assert p.read(NAME) == before
    (p.root / "p.patch").write_text(patch)
    p.git("init", "-q")
    p.git("apply", "p.patch")
    assert p.read(NAME) == after


def test_ids_that_came_with_a_newer_format_stay_when_only_that_is_rejected(tmp_path: Path) -> None:
    p = Project(tmp_path, {NAME: dumped(notebook(code(None, "a = 1"), code(None, "b = 2"), minor=4))})
    before = p.read(NAME)
    p.prompt()
    p.write(NAME, dumped(notebook(code("x", "a = 1"), code("y", "b = 2"))))
    (own,) = (hunk["id"] for hunk in p.hunks() if hunk["cell"] is None)
    p.reject(own)
    assert on_disk(p)["nbformat_minor"] == 5
    known = p.hunks()
    assert [hunk["cell"]["change"] for hunk in known] == ["id", "id"]
    assert p.hunks() == known
    assert p.check()["problems"] == []
    p.reject()
    assert p.read(NAME) == before


def test_a_cell_moved_twice_whose_first_move_alone_is_taken_back(p: Project) -> None:
    agent(p, lambda found: found["cells"].append(found["cells"].pop(0)))
    agent(p, lambda found: found["cells"].insert(1, found["cells"].pop()))
    first = p.hunks()[0]["id"]
    p.decide("reject", [first], dependents="keep")
    found = on_disk(p)
    assert len({cell["id"] for cell in found["cells"]}) == len(found["cells"])
    known = p.hunks()
    assert p.hunks() == known
    assert p.check()["problems"] == []


@pytest.mark.parametrize("first", [b"", b"{", b"<<<<<<< ours\n{}\n"])
def test_what_was_no_notebook_becomes_one(tmp_path: Path, first: bytes) -> None:
    p = Project(tmp_path, {NAME: first})
    p.prompt()
    p.write(NAME, dumped(three()))
    (hunk,) = p.hunks()
    assert (hunk["kind"], hunk["cell"]) == ("modify", None)
    assert "# %% [code] load" in hunk["new"]
    notebook_edit(p, "load", LOUDER)
    assert {one["kind"] for one in p.hunks()} == {"modify", "cell-edit"}
    p.decide("reject", [], dependents="with")
    assert p.read(NAME) == first
    p.undo()
    p.accept()
    assert p.hunks() == []
    assert p.check()["problems"] == []


def test_a_notebook_that_is_renamed_stays_one(p: Project) -> None:
    notebook_edit(p, "load", LOUDER)
    known = [hunk["id"] for hunk in p.hunks()]
    (p.root / NAME).rename(p.root / "other.ipynb")
    assert [(hunk["id"], hunk["path"]) for hunk in p.hunks()] == [(one, "other.ipynb") for one in known]
    p.reject()
    assert sources(p, "other.ipynb")[0] == LOAD


def test_a_shell_command_that_rewrites_a_notebook_is_seen_as_cells(p: Project) -> None:
    before = p.read(NAME)
    p.bash("true")
    script = (
        "import json; n = json.load(open('n.ipynb')); n['cells'][1]['source'] = ['# Shell']; "
        "del n['cells'][2]; json.dump(n, open('n.ipynb', 'w'))"
    )
    p.bash(f'python3 -c "{script}"')
    assert [(hunk["kind"], hunk["tool"]) for hunk in p.hunks()] == [
        ("cell-edit", "Bash"),
        ("cell-delete", "Bash"),
    ]
    p.reject()
    assert p.read(NAME) == before


def test_a_formatter_goes_over_cells_one_by_one(tmp_path: Path) -> None:  # rule D2
    old = notebook(code("a", "x = 1\ny = 2"), code("b", "import os\nimport sys"), code("c", "z=26"))
    p = Project(tmp_path, {NAME: dumped(old)})
    before = p.read(NAME)
    p.prompt()

    def write(found: Notebook) -> None:
        set_source(found, "a", "x=[1,\n 'one']\ny = 2")
        set_source(found, "b", "import os\nimport sys\nimport abc")

    def put_in_order(found: Notebook) -> None:
        set_source(found, "a", 'x = [1, "one"]\ny = 2')
        set_source(found, "b", "import abc\nimport os\nimport sys")

    agent(p, write)
    first, second = p.hunks()
    person(p, put_in_order)
    after = p.read(NAME)
    assert [hunk["id"] for hunk in p.hunks()] == [first["id"], second["id"]]
    assert {hunk["actor"]["kind"] for hunk in p.hunks()} == {"agent"}
    p.reject(second["id"])
    assert sources(p) == ['x = [1, "one"]\ny = 2', "import os\nimport sys", "z=26"]
    p.reject()
    assert p.read(NAME) == before
    p.undo()
    p.undo()
    assert p.read(NAME) == after
    p.accept()
    assert (p.read(NAME), p.hunks()) == (after, [])
