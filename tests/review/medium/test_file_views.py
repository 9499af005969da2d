"""Who shows the hunks of a file."""

import json

from blueline.review.cells.views import CellViews
from blueline.review.medium.file_views import has_sections, views_of, why_whole
from blueline.review.medium.section import PlainViews
from tests.support.history import History

CELL: dict[str, object] = {
    "cell_type": "code",
    "id": "one",
    "metadata": {},
    "execution_count": None,
    "outputs": [],
    "source": [],
}
NOTEBOOK = json.dumps({"cells": [CELL], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def test_a_text_has_no_sections() -> None:
    file = History("one\n").file
    assert isinstance(views_of(file), PlainViews)
    assert not has_sections(file)
    assert why_whole(file) is None


def test_a_notebook_has_and_is_shown_by_them() -> None:
    file = History(NOTEBOOK, path="a.ipynb").file
    assert isinstance(views_of(file), CellViews)
    assert has_sections(file)
    assert why_whole(file) is None


def test_what_is_only_called_a_notebook_says_why_it_is_shown_as_text() -> None:
    file = History("no JSON\n", path="a.ipynb").file
    assert isinstance(views_of(file), PlainViews)
    assert not has_sections(file)
    assert why_whole(file)
