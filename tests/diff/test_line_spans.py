"""Lines are found again in a text that somebody changed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from blueline.diff.edits import split_lines
from blueline.diff.line_spans import LinePlacing, LineSpan, placed

OLD = "one\ntwo\nthree\nfour\n"


def check(new: str, expect: LineSpan) -> None:
    """Lines 2 and 3 of OLD."""
    assert placed(OLD, new, 1, 3) == expect


def test_nothing_changed() -> None:
    check(OLD, LineSpan(1, 3))


def test_lines_above_and_below_move_them() -> None:
    check("zero\none\ntwo\nthree\nfour\n", LineSpan(2, 4))
    check("two\nthree\n", LineSpan(0, 2))
    check("one\nand a half\ntwo\nthree\nfour\nfive\n", LineSpan(2, 4))


def test_lines_between_them_are_theirs() -> None:
    check("one\ntwo\nand a half\nthree\nfour\n", LineSpan(1, 4, is_touched=True))


def test_what_is_left_of_them_counts() -> None:
    check("one\nthree\nfour\n", LineSpan(1, 2, is_touched=True))
    check("one\ntwo\nthree and more\nfour\n", LineSpan(1, 3, is_touched=True))


def test_of_which_nothing_is_left() -> None:
    check("one\nfour\n", LineSpan(1, 1, is_touched=True, is_gone=True))
    check("", LineSpan(0, 0, is_touched=True, is_gone=True))


TEXTS = st.lists(st.sampled_from(["a\n", "b\n", "some words\n", "\n"]), max_size=8).map("".join)


@given(old=TEXTS, new=TEXTS, data=st.data())
def test_the_place_is_in_the_text(old: str, new: str, data: st.DataObject) -> None:
    count = len(split_lines(old))
    first = data.draw(st.integers(0, count))
    last = data.draw(st.integers(first, count))
    found = placed(old, new, first, last)
    assert 0 <= found.first <= found.last <= len(split_lines(new)) + 1
    if not found.is_touched:
        assert split_lines(new)[found.first : found.last] == split_lines(old)[first:last]


def test_between_two_lines() -> None:
    assert placed(OLD, "zero\n" + OLD, 2, 2) == LineSpan(3, 3)
    assert placed(OLD, OLD + "five\n", 2, 2) == LineSpan(2, 2)
    assert placed(OLD, "one\nfour\n", 2, 2) == LineSpan(1, 1, is_touched=True, is_gone=True)


def test_many_lines_of_one_pair_of_texts() -> None:
    new = "zero\none\ntwo\nfour\n"
    placing = LinePlacing(OLD, new)
    assert [placing.place(at, at + 1) for at in range(4)] == [placed(OLD, new, at, at + 1) for at in range(4)]
