"""Places in a text that is typed in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blueline.sdk.anchor import carried


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("one |two", "ONE |two"),
        ("one |two", "one |TWO"),
        ("one |two", "one |inserted two"),
        ("a\nb|\nc\n", "a\nx\nb|\nc\ny\n"),
        ("a\nlong enough st|\nc\n", "a\nlong (typed) enough st|\nc\n"),
        ("head str|rest tail", "head str|REST tail"),
        ("head str|rest tail", "head STR|rest tail"),
        ("gone |gone", "|"),
        ("top\nB|end\n", "top\n\nxB|end\n"),
        ("|", "|typed"),
        ("same\nsame\nsa|", "same\nsame\nsame\nsa|"),
    ],
)
def test_a_place_is_found_again(old: str, new: str) -> None:
    before, after = old.replace("|", ""), new.replace("|", "")
    assert carried(before, after, (old.index("|"),)) == (new.index("|"),)


@pytest.mark.parametrize(("old", "places"), [("aaaaaa", (1, 5)), ("a\na", (1, 2))])
def test_places_in_what_is_the_same_at_both_ends_stay_in_order(old: str, places: tuple[int, int]) -> None:
    one, two = carried(old, "a", places)
    assert one <= two


@given(st.text("ab \n", max_size=30), st.text("ab \n", max_size=30), st.data())
def test_a_place_stays_in_the_text_and_in_order(old: str, new: str, data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(old)))
    second = data.draw(st.integers(first, len(old)))
    one, two = carried(old, new, (first, second))
    assert 0 <= one <= two <= len(new)
