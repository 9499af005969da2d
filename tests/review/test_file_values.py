"""A file as plain values, and back."""

from __future__ import annotations

from hypothesis import given

from blueline.review.file_values import dump_file, load_file
from tests.review.walked import STEPS, Decide, states, walked
from tests.support.texts import TEXTS


@given(TEXTS, STEPS)
def test_a_file_put_on_the_shelf_is_the_same_file(before: str, steps: list[str | Decide]) -> None:  # R10
    file, _ = walked(before, steps)
    again = load_file(dump_file(file))
    assert (again.live, again.baseline, states(again)) == (file.live, file.baseline, states(file))
    assert dump_file(again) == dump_file(file)
