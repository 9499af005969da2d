"""What is a notebook, and what is none."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blueline.model.notebook import NotCells
from blueline.model.projection import projection
from tests.notebooks.strategies import notebooks, spelled
from tests.support.notebooks import code, dumped, notebook


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "it is not valid JSON"),
        (b'{"cells": [', "it is not valid JSON"),
        (b"[]", "it holds no object"),
        (b"{}", "it has no cells"),
        (b'{"cells": {}, "nbformat": 4}', "it holds no cells"),
        (b'{"cells": [], "nbformat": 3}', "it is not of format 4"),
        (b'{"cells": [], "cells": [], "nbformat": 4}', "it has 'cells' twice"),
        (b'{"cells": [{}], "nbformat": 4}', "a cell is of no known type"),
        (b'{"cells": [{"cell_type": "code"}], "nbformat": 4}', "a cell has no source"),
        (dumped(notebook(code("a b", "x"))), "a cell has an id that is none"),
        (dumped(notebook(code("a", "x\x1ey"))), "a source holds a record separator"),
        (json.dumps(notebook(code("a", "x\ud800"))).encode(), "a source holds half a character"),
        (b'{"metadata": ' + b"[" * 100_000, "it is nested too deeply"),
        (b"\xff", "it is not text"),
        (dumped(notebook()) + b"{}", "it is not valid JSON"),
    ],
)
def test_what_is_not_shown_as_cells(data: bytes, why: str) -> None:
    with pytest.raises(NotCells, match=why):
        projection(data)


def test_outputs_with_numbers_that_are_none_are_no_obstacle() -> None:
    data = dumped(notebook(code("a", "x"))).replace(b'"outputs": []', b'"outputs": [NaN]')
    assert "x" in projection(data)


@settings(max_examples=200)
@given(st.data())
def test_half_a_notebook_is_never_a_notebook(data: st.DataObject) -> None:
    whole = data.draw(spelled(data.draw(notebooks()))).rstrip()
    cut = data.draw(st.integers(0, len(whole) - 1))
    with pytest.raises(NotCells):
        projection(whole[:cut])
