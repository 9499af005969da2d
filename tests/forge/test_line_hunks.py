"""Changes as runs of lines."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from blueline.forge.line_hunks import carried, line_hunks, with_hunks
from tests.forge.line_texts import edited, texts


@given(texts(odd=True), texts(odd=True))
def test_all_hunks_together_are_the_change(old: str, new: str) -> None:
    assert with_hunks(old, line_hunks(old, new)) == new


@given(texts(), st.data())
def test_a_change_is_carried_to_a_text_that_has_moved_on(old: str, data: st.DataObject) -> None:
    new, now = data.draw(edited(old)), data.draw(edited(old))
    found = carried(old, new, now)
    assert carried(old, new, old) == new
    assert carried(old, new, new) == new
    if found is not None:
        # Nothing of either is lost: the same comes out whoever goes first.
        assert found == carried(old, now, new)
