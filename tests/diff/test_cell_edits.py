"""Edits between two notebooks."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from blueline.diff.cell_edits import cell_edits
from blueline.model.projection import blocks, projection
from tests.notebooks.strategies import notebooks, spelled
from tests.support.texts import applied


@given(st.data())
def test_edits_lead_from_one_notebook_to_the_other_and_never_cross_cells(data: st.DataObject) -> None:
    old, new = (projection(data.draw(spelled(data.draw(notebooks())))) for _ in range(2))
    assert applied(old, new, cell_edits(old, new)) == new
    edges = {block.start for block in blocks(old)} | {len(old)}
    for edit in cell_edits(old, new):
        inside = [edge for edge in edges if edit.old_start < edge < edit.old_end]
        assert not inside
