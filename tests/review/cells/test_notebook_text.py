"""Cells of a notebook, changed in its text."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blueline.review.cells.notebook_text import Cell, NotANotebook, cells, with_cell

OUTPUT = {
    "data": {"text/plain": ["1"]},
    "execution_count": 3,
    "metadata": {},
    "output_type": "execute_result",
}
NOTEBOOK: dict[str, Any] = {
    "cells": [
        {
            "cell_type": "code",
            "execution_count": 3,
            "id": "first",
            "metadata": {"tags": ["keep"]},
            "outputs": [OUTPUT],
            "source": ["x = 1\n", "y = 2\n", "x"],
        },
        {"cell_type": "markdown", "id": "second", "metadata": {}, "source": ["# Ünïcode"]},
        {
            "cell_type": "code",
            "execution_count": None,
            "id": "empty",
            "metadata": {},
            "outputs": [],
            "source": [],
        },
    ],
    "metadata": {"kernelspec": {"name": "python3"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}
PLAIN = json.dumps(NOTEBOOK, indent=1, ensure_ascii=False) + "\n"

SPELLINGS = {
    "as Jupyter writes it": PLAIN,
    "without a last line end": PLAIN.rstrip("\n"),
    "with another indent": json.dumps(NOTEBOOK, indent=4),
    "with tabs": json.dumps(NOTEBOOK, indent="\t"),
    "on one line": json.dumps(NOTEBOOK),
    "with other line ends": PLAIN.replace("\n", "\r\n"),
    "in another order": json.dumps(dict(reversed(NOTEBOOK.items())), indent=1),
}


def changed(text: str, **wish: object) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(with_cell(text, wish))["cells"]
    return found


def difference(old: str, new: str) -> tuple[list[str], list[str]]:
    """The lines that went and the lines that came, with what is the same on both sides cut off."""
    a, b = old.split("\n"), new.split("\n")
    while a and b and a[0] == b[0]:
        del a[0], b[0]
    while a and b and a[-1] == b[-1]:
        a.pop()
        b.pop()
    return a, b


spelled = pytest.mark.parametrize("text", SPELLINGS.values(), ids=SPELLINGS.keys())


@spelled
def test_the_cells_of_a_notebook(text: str) -> None:
    assert cells(text) == [
        Cell("first", "code", "x = 1\ny = 2\nx"),
        Cell("second", "markdown", "# Ünïcode"),
        Cell("empty", "code", ""),
    ]


@spelled
def test_an_edited_cell_has_the_new_source_and_all_else(text: str) -> None:
    for cell, source in (
        ("first", "x = 1\ny = 3\nx"),
        ("second", "# One\n\ntwo"),
        ("empty", "z\n"),
        ("first", ""),
    ):
        new = with_cell(text, {"cell_id": cell, "new_source": source})
        expected = json.loads(text)
        next(one for one in expected["cells"] if one["id"] == cell)["source"] = source.splitlines(
            keepends=True
        )
        assert json.loads(new) == expected


@spelled
def test_an_edit_that_is_taken_back_leaves_no_trace(text: str) -> None:
    for source in ("x = 1\ny = 3\nx", "one line", "four\n\n\nlines\n"):
        new = with_cell(text, {"cell_id": "first", "new_source": source})
        assert with_cell(new, {"cell_id": "first", "new_source": "x = 1\ny = 2\nx"}) == text


def test_only_the_lines_that_changed_are_different() -> None:
    new = with_cell(PLAIN, {"cell_id": "first", "new_source": "x = 1\ny = 3\nx"})
    assert difference(PLAIN, new) == (['    "y = 2\\n",'], ['    "y = 3\\n",'])


def test_a_line_that_stays_keeps_its_spelling() -> None:
    text = PLAIN.replace("x = 1", "\\u0078 = 1")
    new = with_cell(text, {"cell_id": "first", "new_source": "x = 1\ny = 3\nx"})
    assert difference(text, new) == (['    "y = 2\\n",'], ['    "y = 3\\n",'])


@spelled
def test_a_cell_is_added_where_it_is_wished(text: str) -> None:
    wish = {"edit_mode": "insert", "new_source": "a\nb", "new_id": "new"}
    for after, place in (("", 0), ("first", 1), ("second", 2), ("empty", 3)):
        found = changed(text, **wish, cell_id=after)
        expected = json.loads(text)["cells"]
        expected.insert(
            place,
            {
                "cell_type": "code",
                "execution_count": None,
                "id": "new",
                "metadata": {},
                "outputs": [],
                "source": ["a\n", "b"],
            },
        )
        assert found == expected
        assert list(found[place]) == sorted(found[place])


@spelled
def test_a_cell_that_was_added_can_be_deleted_without_a_trace(text: str) -> None:
    for after in ("", "first", "empty"):
        wish = {"edit_mode": "insert", "new_source": "a\nb", "new_id": "new", "cell_id": after}
        assert with_cell(with_cell(text, wish), {"edit_mode": "delete", "cell_id": "new"}) == text


@spelled
def test_a_deleted_cell_goes_with_its_outputs(text: str) -> None:
    for cell in ("first", "second", "empty"):
        expected = [one for one in json.loads(text)["cells"] if one["id"] != cell]
        assert changed(text, edit_mode="delete", cell_id=cell) == expected


def test_the_only_cell_goes_and_another_comes() -> None:
    one = json.dumps({**NOTEBOOK, "cells": NOTEBOOK["cells"][:1]}, indent=1)
    none = with_cell(one, {"edit_mode": "delete", "cell_id": "first"})
    assert json.loads(none)["cells"] == []
    (cell,) = changed(none, edit_mode="insert", new_source="x", cell_type="markdown")
    assert (cell["cell_type"], cell["source"]) == ("markdown", ["x"])


def test_cells_of_old_notebooks_are_named_by_their_place() -> None:
    old = {**NOTEBOOK, "nbformat_minor": 4, "cells": [dict(cell) for cell in NOTEBOOK["cells"]]}
    for cell in old["cells"]:
        del cell["id"]
    text = json.dumps(old, indent=1)
    assert [cell.id for cell in cells(text)] == ["cell-0", "cell-1", "cell-2"]
    assert changed(text, cell_id="cell-1", new_source="two")[1]["source"] == ["two"]
    assert "id" not in changed(text, edit_mode="insert", new_source="a", new_id="new")[0]


def test_sources_may_be_strings() -> None:
    text = json.dumps({**NOTEBOOK, "cells": [{"cell_type": "code", "id": "a", "source": "x = 1"}]}, indent=1)
    assert changed(text, cell_id="a", new_source="x\ny")[0]["source"] == "x\ny"
    assert changed(text, edit_mode="insert", new_source="x\ny")[0]["source"] == "x\ny"


def test_an_id_is_made_up_the_same_way_each_time() -> None:
    wish = {"edit_mode": "insert", "new_source": "a", "cell_id": "first"}
    assert with_cell(PLAIN, wish) == with_cell(PLAIN, wish)
    (new,) = {cell.id for cell in cells(with_cell(PLAIN, wish))} - {"first", "second", "empty"}
    taken = with_cell(PLAIN, {**wish, "new_id": "second"})
    assert len({cell.id for cell in cells(taken)}) == 4
    assert new.isalnum()


@pytest.mark.parametrize(
    ("text", "wish", "why"),
    [
        ("", {"cell_id": "a"}, "not a notebook"),
        ("{half", {"cell_id": "a"}, "not a notebook"),
        ('{"cells": 7}', {"cell_id": "a"}, "not a notebook"),
        ('{"cells": [7]}', {"cell_id": "a"}, "not a notebook"),
        ("[" * 100_000, {"cell_id": "a"}, "not a notebook"),
        (PLAIN, {"cell_id": "third"}, "there is no cell 'third'"),
        (PLAIN, {"edit_mode": "insert", "cell_id": "third"}, "there is no cell 'third'"),
        (PLAIN, {"edit_mode": "delete"}, "no cell is named"),
        (PLAIN, {"edit_mode": "dance", "cell_id": "first"}, "'dance'"),
    ],
)
def test_what_cannot_be_done_is_said(text: str, wish: dict[str, object], why: str) -> None:
    with pytest.raises(NotANotebook, match=why):
        with_cell(text, wish)


@given(st.sampled_from(["first", "second", "empty"]), st.text(max_size=20), st.sampled_from(list(SPELLINGS)))
def test_any_source_comes_out_as_it_went_in(cell: str, source: str, spelling: str) -> None:
    new = with_cell(SPELLINGS[spelling], {"cell_id": cell, "new_source": source})
    assert next(found.source for found in cells(new) if found.id == cell) == source
