"""Places as editors count them, and texts as editors hold them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blueline.diff.editor_places import (
    MARK,
    EditorPlaces,
    Spot,
    SpotRange,
    as_filed,
    as_shown,
    has_odd_ends,
    plain,
    spot_edits,
    word_changes,
)

PIECES = st.sampled_from(["a", "some words", "ä", "😀", "\n", "\r\n", "x = 1", " ", "\t", "\f", "\u2028", ""])
TEXTS = st.lists(PIECES, max_size=12).map("".join)
ONE_END = st.lists(PIECES.filter(lambda piece: "\r" not in piece), max_size=12).map("".join)


def edited(text: str, new: str) -> str:
    """As an editor applies edits, all at once, by the places before any of them."""
    places = EditorPlaces(text)
    for edit in reversed(spot_edits(text, new)):
        start, end = places.at(edit.range.start), places.at(edit.range.end)
        text = text[:start] + edit.text + text[end:]
    return text


def test_a_character_beyond_the_first_plane_counts_twice() -> None:
    places = EditorPlaces("one\n😀 two\nä three\n")
    assert places.spot(4) == Spot(1, 0)
    assert places.spot(5) == Spot(1, 2)
    assert places.at(Spot(1, 2)) == 5
    assert places.at(Spot(2, 1)) == "one\n😀 two\nä three\n".index("ä") + 1


def test_only_a_line_feed_ends_a_line() -> None:
    text = "a\fb\u2028c\x85d\ne"
    places = EditorPlaces(text)
    assert places.lines == 2
    assert places.spot(len(text)) == Spot(1, 1)


def test_behind_an_end_is_that_end() -> None:
    places = EditorPlaces("one\r\ntwo")
    assert places.at(Spot(0, 99)) == 3
    assert places.at(Spot(9, 0)) == 8
    assert places.whole_lines(0, 1) == SpotRange(Spot(0, 0), Spot(0, 3))
    assert places.whole_lines(1, 9) == SpotRange(Spot(1, 0), Spot(1, 3))
    assert places.whole_lines(7, 7) == SpotRange(Spot(1, 0), Spot(1, 0))


@given(TEXTS)
def test_there_and_back(text: str) -> None:
    places = EditorPlaces(text)
    for at in range(len(text) + 1):
        if text[at - 1 : at + 1] != "\r\n":
            assert places.at(places.spot(at)) == at


@given(TEXTS, TEXTS)
def test_edits_lead_from_one_text_to_the_other(old: str, new: str) -> None:
    assert edited(old, new) == new


def test_words_that_changed() -> None:
    old, new, words = word_changes("keep 30 days\n", "keep 😀 45 days\n")
    assert old == [SpotRange(Spot(0, 5), Spot(0, 7))]
    assert new == [SpotRange(Spot(0, 5), Spot(0, 10))]
    assert words == [(Spot(0, 5), "30")]


def test_words_that_went_stand_where_they_were_in_the_new_text() -> None:
    found = word_changes("one 😀 two\nthree four five\n", "😀 two\nand more\nthree 4 five\n")
    assert found.words == [(Spot(0, 0), "one "), (Spot(2, 6), "four")]
    found = word_changes("Paragraph 2 of it.\n", "Something else, which is said better.\n")
    assert found.words == [(Spot(0, 0), "Paragraph 2 of it.")]
    # Of whole lines that went, nothing stands within a line.
    assert word_changes("one\ntwo\nthree\n", "one\nthree\n").words == []


@given(TEXTS)
def test_what_nobody_typed_into_stays_as_it_is(known: str) -> None:
    for filed in (known, MARK + known):
        for shown in (filed, filed.removeprefix(MARK), plain(filed)):
            assert as_filed(filed, shown) == filed


@given(TEXTS, TEXTS)
def test_an_editor_gets_back_what_it_shows(known: str, typed: str) -> None:
    for filed in (known, MARK + known):
        assert plain(as_shown(as_filed(filed, plain(typed)), plain(typed))) == plain(typed)


@given(ONE_END, ONE_END)
def test_one_kind_of_line_end_stays_one_kind(known: str, typed: str) -> None:
    dos = known.replace("\n", "\r\n")
    if "\n" in known:
        assert as_filed(dos, typed) == typed.replace("\n", "\r\n")
        assert as_filed(dos, typed.replace("\n", "\r\n")) == typed.replace("\n", "\r\n")
    assert as_filed(known, typed) == typed


def test_typed_lines_end_as_most_lines_do_and_others_stay() -> None:
    mixed = "one\r\ntwo\nthree\r\nfour\r\n"
    assert as_filed(mixed, "one\ntwo\nand\nthree\nfour\n") == "one\r\ntwo\nand\r\nthree\r\nfour\r\n"
    assert as_filed(MARK + mixed, "one\nthree\nfour\n") == MARK + "one\r\nthree\r\nfour\r\n"


@pytest.mark.parametrize(
    ("shown", "expect"),
    [("a\n", "x\ny\n"), ("a\r\n", "x\r\ny\r\n"), ("a\r\nb\n", "x\r\ny\n"), ("a", "x\r\ny\n")],
)
def test_an_editor_gets_the_line_ends_that_it_has(shown: str, expect: str) -> None:
    assert as_shown(MARK + "x\r\ny\n", shown) == expect


def test_a_lone_carriage_return_is_odd() -> None:
    assert has_odd_ends("a\rb\r\n")
    assert not has_odd_ends("a\r\nb\n")
