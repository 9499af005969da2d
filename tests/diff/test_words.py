from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from blueline.diff.word_list import words
from blueline.diff.words import likeness, word_changes
from tests.support.texts import BODIES, TEXTS

LINES = st.builds("".join, st.lists(st.sampled_from((*BODIES, " ", "=", "one", "_two")), max_size=6)).map(
    lambda line: line.replace("\r", "")
)


def check(old: str, new: str, expect: list[tuple[str, str]]) -> None:
    """What differs between two lines, as what went and what came."""
    assert [(old[a:b], new[c:d]) for a, b, c, d in word_changes(old, new)] == expect


@given(TEXTS)
def test_words_joined_are_the_text(text: str) -> None:
    assert "".join(words(text)) == text


@given(LINES, LINES)
def test_changes_lead_from_one_line_to_the_other(old: str, new: str) -> None:
    parts, end = [], 0
    for old_start, old_end, new_start, new_end in word_changes(old, new):
        parts += [old[end:old_start], new[new_start:new_end]]
        end = old_end
    assert "".join([*parts, old[end:]]) == new


@given(LINES, LINES)
def test_no_change_cuts_a_word(old: str, new: str) -> None:
    for line, ranges in (
        (old, [(a, b) for a, b, _, _ in word_changes(old, new)]),
        (new, [(c, d) for _, _, c, d in word_changes(old, new)]),
    ):
        for place in {place for both in ranges for place in both}:
            assert not (line[place - 1 : place + 1].replace("_", "a").isalnum() and 0 < place < len(line))


@given(LINES, LINES)
def test_likeness_is_a_share_and_the_same_both_ways(old: str, new: str) -> None:
    assert 0 <= likeness(old, new) == likeness(new, old) <= 1


@given(LINES)
def test_a_line_is_like_itself_unless_it_is_blank(line: str) -> None:
    assert likeness(line, line) == (1 if line.strip("\ufeff \t") or "\ufeff" in line else 0)


def test_a_word_is_replaced() -> None:  # A02
    check("one two three", "one 2 three", [("two", "2")])


def test_a_word_that_comes_brings_one_blank() -> None:
    check("one three", "one two three", [("", "two ")])


def test_a_word_that_goes_takes_one_blank() -> None:
    check("one two three", "one three", [("two ", "")])


def test_signs_are_words() -> None:
    check("f(x, y)", "f(x; y)", [(",", ";")])


def test_two_changes_with_a_word_between_stay_apart() -> None:
    check("one two three", "ONE two THREE", [("one", "ONE"), ("three", "THREE")])


def test_a_blank_between_two_changed_words_is_no_common_ground() -> None:  # rule A5
    check("x one two y", "x ONE TWO y", [("one two", "ONE TWO")])


def test_indentation_is_a_change_of_blanks_only() -> None:  # A13
    check("one two", "    one two", [("", "    ")])
