"""Ids are written in one way, and only what was written in that way is read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blueline.model.ids import (
    CALL,
    DECISION,
    NOTE,
    TURN,
    hunk_id,
    hunk_number,
    is_conversation_id,
    is_hunk_id,
    part_id,
    part_of,
    whole_number,
    whole_of,
)

SALTS = st.integers(min_value=0, max_value=2**32 - 1)


@given(st.integers(min_value=0, max_value=10**18 - 1))
def test_what_is_written_is_read(number: int) -> None:
    for kind in (TURN, CALL, DECISION, NOTE):
        assert kind.number(kind.id(number)) == number
    assert TURN.number(CALL.id(number)) is None


@pytest.mark.parametrize("digits", ["", "-1", "+1", " 1", "01", "1_0", "1.0", "٣", "²", "9" * 19, "9" * 5000])
def test_anything_else_is_no_number(digits: str) -> None:
    assert whole_number(digits) is None
    assert DECISION.number(f"d{digits}") is None


def test_where_there_is_nothing_to_name_there_is_no_id() -> None:
    assert (CALL.id_or_none(None), CALL.id_or_none(7)) == (None, "c7")


@given(SALTS, SALTS)
def test_the_number_of_a_hunk_is_in_its_id_and_in_those_of_its_parts(salt: int, number: int) -> None:
    identifier = hunk_id(salt, number)
    part = part_id(identifier, "0a1b2c")
    assert is_hunk_id(identifier)
    assert is_hunk_id(part)
    assert hunk_number(salt, identifier) == hunk_number(salt, part) == number
    assert (whole_of(part), part_of(part)) == (identifier, "0a1b2c")
    assert (whole_of(identifier), part_of(identifier)) == (identifier, "")


@pytest.mark.parametrize(
    "text", ["", "h", "h1234567", "x12345678", "h123456789", "H12345678", "h12345678.", "h12345678.xyz123"]
)
def test_anything_else_is_no_hunk(text: str) -> None:
    assert not is_hunk_id(text)
    assert hunk_number(1, text) is None


def test_a_conversation_is_kept_under_its_id_and_nothing_else() -> None:
    assert is_conversation_id("k0123abcd")
    assert not any(map(is_conversation_id, ("k0123abc", "k0123abcg", "../k0123abcd", "k0123abcd\n")))
