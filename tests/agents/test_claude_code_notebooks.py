"""The real Claude Code edits, adds and deletes cells with its NotebookEdit tool."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.agents.claude_code import ClaudeCode
from tests.support.agents.place import Place
from tests.support.notebooks import NAME, dumped, three
from tests.support.scripted_model import ScriptedModel, calls, says

LOUDER = "import csv, json\nrows = list(csv.reader(open('a.csv')))\nlen(rows) + 1"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    found = Place(tmp_path / "project", {NAME: dumped(three(), indent=2)})
    found.init("claude-code")
    return found


def work(place: Place, home: Path) -> None:
    """One turn in which the agent does all that its tool can do."""
    path = str(place.root / NAME)
    with ScriptedModel() as model:
        agent = ClaudeCode(place.root, home, model)
        model.then(
            [
                [agent.reads(NAME)],
                [calls("NotebookEdit", notebook_path=path, cell_id="load", new_source=LOUDER)],
                [
                    calls(
                        "NotebookEdit",
                        notebook_path=path,
                        cell_id="load",
                        new_source="added = 1",
                        cell_type="code",
                        edit_mode="insert",
                    )
                ],
                [
                    calls(
                        "NotebookEdit", notebook_path=path, cell_id="show", new_source="", edit_mode="delete"
                    )
                ],
                [says("Done.")],
            ]
        )
        assert agent.turn("make the notebook louder") == "Done.\n"
        assert not any(result.get("is_error") for result in model.tool_results())


def hunks(place: Place) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = place.blueline("list")["hunks"]
    return found


def test_what_notebook_edit_does_is_seen_as_cells_and_taken_back_to_the_byte(
    place: Place, home: Path
) -> None:
    before = (place.root / NAME).read_bytes()
    work(place, home)
    assert (place.root / NAME).read_bytes() != before
    assert [(hunk["kind"], hunk["cell"]["change"], hunk["tool"]) for hunk in hunks(place)] == [
        ("cell-edit", "edited", "NotebookEdit"),
        ("cell-edit", "edited", "NotebookEdit"),
        ("cell-add", "added", "NotebookEdit"),
        ("cell-delete", "deleted", "NotebookEdit"),
    ]
    place.blueline("reject", "--all")
    assert (place.root / NAME).read_bytes() == before
    assert hunks(place) == []


def test_each_cell_is_decided_by_itself(place: Place, home: Path) -> None:
    work(place, home)
    place.blueline("reject", f"{NAME}#show")
    place.blueline("accept", f"{NAME}#load")
    (left,) = hunks(place)
    assert left["kind"] == "cell-add"
    place.blueline("reject", left["id"])
    cells = json.loads((place.root / NAME).read_bytes())["cells"]
    assert [cell["id"] for cell in cells] == ["load", "about", "show"]
    assert "".join(cells[0]["source"]) == LOUDER
    assert cells[2]["outputs"] == three()["cells"][2]["outputs"]


def test_in_hold_mode_it_is_offered(place: Place, home: Path) -> None:
    before = (place.root / NAME).read_bytes()
    place.blueline("mode", "hold")
    with ScriptedModel() as model:
        agent = ClaudeCode(place.root, home, model)
        edit = calls("NotebookEdit", notebook_path=str(place.root / NAME), cell_id="load", new_source=LOUDER)
        model.then([[agent.reads(NAME)], [edit], [says("Offered.")]])
        assert agent.turn("make it louder") == "Offered.\n"
    assert (place.root / NAME).read_bytes() == before
    assert [hunk["held"] for hunk in hunks(place)] == [True, True]
    place.blueline("accept", "--all")
    found = json.loads((place.root / NAME).read_bytes())["cells"][0]
    assert "".join(found["source"]) == LOUDER
    assert found["outputs"] == three()["cells"][0]["outputs"]
