"""Two changes of one text become one: nothing that either inserted is lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from blueline.diff.merge import applied, merged, swaps

LINES = st.lists(
    st.sampled_from(["", "a", "b", "one", "two three", "def f(x):", "    return x", "}", "ä\u0300", "x\r"]),
    max_size=8,
)
TEXTS = st.builds(lambda lines, end: "\n".join(lines) + end, LINES, st.sampled_from(["", "\n", "\r\n"]))


def check(*, base: str, mine: str, theirs: str, expect: str) -> None:
    assert merged(base, mine, theirs) == expect


def test_changes_in_different_places_are_both_there() -> None:
    check(
        base="one\ntwo\nthree\n",
        mine="ONE\ntwo\nthree\n",
        theirs="one\ntwo\nTHREE\n",
        expect="ONE\ntwo\nTHREE\n",
    )


def test_at_one_place_theirs_stands_before_mine() -> None:
    check(base="one\n", mine="one\nmine\n", theirs="one\ntheirs\n", expect="one\ntheirs\nmine\n")


def test_what_was_typed_into_a_deleted_line_keeps_a_line_of_its_own() -> None:
    check(
        base="a\nsome words here\nb\n",
        mine="a\nsome more words here\nb\n",
        theirs="a\nb\n",
        expect="a\nmore \nb\n",
    )


def test_two_answers_for_one_word_become_two_lines() -> None:
    check(
        base="a\nthe name of it = old\nb\n",
        mine="a\nthe name of it = mine\nb\n",
        theirs="a\nthe name of it = theirs\nb\n",
        expect="a\nthe name of it = theirs\nthe name of it = mine\nb\n",
    )


def test_other_words_of_one_line_stay_one_line() -> None:
    check(
        base="the name of it = old\n",
        mine="the name of this = old\n",
        theirs="the name of it = new\n",
        expect="the name of this = new\n",
    )


def test_the_same_keystrokes_sent_again_are_there_once() -> None:
    check(base="one\n", mine="one\ntyped\n", theirs="one\ntyped\n", expect="one\ntyped\n")


def test_keystrokes_that_go_on_from_what_was_sent_are_there_once() -> None:
    check(
        base="one\n",
        mine="one\ntyped more\n",
        theirs="one\ntyped more\nand the agent\n",
        expect="one\ntyped more\nand the agent\n",
    )


def test_the_end_of_a_text_without_a_line_end() -> None:
    check(base="a", mine="a\nmine", theirs="a\ntheirs", expect="a\ntheirs\nmine")


def is_within(small: str, large: str) -> bool:
    """Whether all characters of one text stand in another, in order."""
    rest = iter(large)
    return all(char in rest for char in small)


@given(base=TEXTS, mine=TEXTS, theirs=TEXTS)
def test_no_inserted_text_is_lost(base: str, mine: str, theirs: str) -> None:
    both = merged(base, mine, theirs)
    for side in (mine, theirs):
        for swap in swaps(base, side):
            assert swap.text in both


@given(base=TEXTS, mine=TEXTS, theirs=TEXTS)
def test_each_side_is_there_but_for_what_the_other_deleted(base: str, mine: str, theirs: str) -> None:
    both = merged(base, mine, theirs)
    for side, other in ((mine, theirs), (theirs, mine)):
        kept = [True] * len(base)
        for start, end, _ in swaps(base, other):
            kept[start:end] = [False] * (end - start)
        at, left = 0, []
        for start, end, text in [*swaps(base, side), (len(base), len(base), "")]:
            left += [char for char, stays in zip(base[at:start], kept[at:start], strict=True) if stays]
            left.append(text)
            at = end
        assert is_within("".join(left), both)


@given(base=TEXTS, mine=TEXTS, theirs=TEXTS)
def test_what_neither_deleted_stays_in_order(base: str, mine: str, theirs: str) -> None:
    kept = [True] * len(base)
    for start, end, _ in (*swaps(base, mine), *swaps(base, theirs)):
        kept[start:end] = [False] * (end - start)
    assert is_within(
        "".join(c for c, stays in zip(base, kept, strict=True) if stays), merged(base, mine, theirs)
    )


@given(base=TEXTS, side=TEXTS)
def test_one_side_alone_is_the_answer(base: str, side: str) -> None:
    assert merged(base, side, base) == side
    assert merged(base, base, side) == side
    assert merged(base, side, side) == side
    assert applied(base, swaps(base, side)) == side


@given(base=TEXTS, mine=TEXTS, theirs=TEXTS)
def test_merged_again_nothing_is_doubled(base: str, mine: str, theirs: str) -> None:
    once = merged(base, mine, theirs)
    assert merged(theirs, once, once) == once
