"""Where two sequences differ, with and without the library's help."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blueline.diff import sequences
from blueline.diff.sequences import Change, changes

few = st.lists(st.sampled_from("abcdefgh"), max_size=12)
many = st.lists(st.sampled_from([f"word {number}" for number in range(60)]), max_size=30)


def by_library(old: list[str], new: list[str]) -> list[Change]:
    """The answer of the library alone."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sequences, "_around_common", lambda old, new: None)
        return changes(old, new)


@given(st.one_of(st.tuples(few, few), st.tuples(many, many)))
def test_what_needs_no_library_has_the_same_answer(pair: tuple[list[str], list[str]]) -> None:
    assert changes(*pair) == by_library(*pair)


@given(st.lists(st.integers(0, 500), unique=True, max_size=60), st.data())
def test_so_it_is_around_what_stays_in_order(numbers: list[int], data: st.DataObject) -> None:
    old, new = (
        [
            str(number) if data.draw(st.booleans()) else f"{side} {data.draw(st.integers(0, 3))}"
            for number in numbers
        ]
        for side in ("old", "new")
    )
    assert changes(old, new) == by_library(old, new)


def test_where_very_much_differs_the_library_is_asked() -> None:
    old, new = ([f"{side} {n}" if n % 3 else str(n) for n in range(900)] for side in ("old", "new"))
    assert changes(old, new) == by_library(old, new)
