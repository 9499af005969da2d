"""Proposals for the cells of a notebook, accepted in any order."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blueline.review.cells.notebook_text import cells
from blueline.sdk import EditRefused, Session
from tests.support.project import Make, Project

SOURCES = st.lists(st.sampled_from(["x\n", "y\n", "\n"]), max_size=3).map("".join)


def notebook(sources: list[str]) -> str:
    found: list[dict[str, object]] = [
        {
            "cell_type": "code",
            "execution_count": None,
            "id": f"old-{number}",
            "metadata": {},
            "outputs": [],
            "source": source.splitlines(keepends=True),
        }
        for number, source in enumerate(sources)
    ]
    return json.dumps({"cells": found, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n"


@given(
    st.lists(SOURCES, min_size=1, max_size=4),
    st.dictionaries(st.integers(0, 3), SOURCES, max_size=3),
    st.lists(st.tuples(st.integers(-1, 3), SOURCES), max_size=3),
    st.integers(),
)
@settings(max_examples=25)
def test_edits_and_new_cells_are_accepted_in_any_order(
    tmp_path_factory: pytest.TempPathFactory,
    sources: list[str],
    edits: dict[int, str],
    additions: list[tuple[int, str]],
    seed: int,
) -> None:
    p = Project(tmp_path_factory.mktemp("any"), {"n.ipynb": notebook(sources)})
    before = p.text("n.ipynb")
    edited = {
        number: source for number, source in edits.items() if sources[number:] and sources[number] != source
    }
    with Session(p.root, environ=p.environ).turn("please") as turn:
        for number, source in edited.items():
            turn.edit_cell("n.ipynb", f"old-{number}", source)
        for place, source in additions:
            turn.add_cell("n.ipynb", source, after="" if place < 0 else f"old-{place % len(sources)}")
    assert p.text("n.ipynb") == before
    calls = [call["id"] for call in p.calls()]
    random.Random(seed).shuffle(calls)
    for call in calls:
        p.accept(call)
    found = cells(p.text("n.ipynb"))
    old = {cell.id: cell.source for cell in found if cell.id.startswith("old-")}
    assert old == {f"old-{number}": edited.get(number, source) for number, source in enumerate(sources)}
    assert len(found) == len(sources) + len(additions)
    p.reject(*(hunk["id"] for hunk in p.hunks(status="accepted")), dependents="with")
    assert p.text("n.ipynb") == before


def test_n03_a_deleted_cell_comes_back_with_all_it_had(project: Make) -> None:
    text = notebook(["x\n", "y\n", "x\n"]).replace('"outputs": []', '"outputs": [{"text": ["1"]}]', 1)
    p = project({"n.ipynb": text})
    with Session(p.root, environ=p.environ).turn("please") as turn:
        assert turn.delete_cell("n.ipynb", "old-0", "not needed").held
    p.accept()
    assert [cell.id for cell in cells(p.text("n.ipynb"))] == ["old-1", "old-2"]
    p.undo()
    assert p.text("n.ipynb") == text


def test_n10_half_a_notebook_is_refused(project: Make) -> None:
    p = project({"n.ipynb": notebook(["x"])[:-20]})
    with Session(p.root, environ=p.environ).turn("please") as turn:
        with pytest.raises(EditRefused, match="not a notebook"):
            turn.edit_cell("n.ipynb", "old-0", "y")
        with pytest.raises(EditRefused, match="no 'poem' cells"):
            turn.add_cell("n.ipynb", "y", kind="poem")
    assert p.calls() == []


def test_n11_what_is_rejected_leaves_every_byte(project: Make, tmp_path: Path) -> None:
    text = notebook(["x\n", "y"]).replace("\n", "\r\n")
    p = project({"n.ipynb": text})
    with Session(p.root, environ=p.environ).turn("please") as turn:
        turn.edit_cell("n.ipynb", "old-0", "z")
        turn.add_cell("n.ipynb", "w", after="old-1")
    times = p.times("n.ipynb")
    p.reject()
    assert (p.read("n.ipynb"), p.times("n.ipynb")) == (text.encode(), times)
