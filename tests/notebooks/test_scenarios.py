"""The scenarios about notebooks, each by its id, through the desk: what agents, people and Jupyter do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from blueline.sdk import Session
from tests.support.notebooks import (
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

LOAD = "import csv\nrows = list(csv.reader(open('a.csv')))\nlen(rows)"
LOUDER = "import csv, json\nrows = list(csv.reader(open('a.csv')))\nlen(rows) + 1"
SHOW = "for row in rows:\n    print(row)\n\ndone = True"


@pytest.fixture
def p(tmp_path: Path) -> Project:
    found = Project(tmp_path, {NAME: dumped(three())})
    found.prompt()
    return found


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
