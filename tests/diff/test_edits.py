from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blueline.diff.edits import said_edits, split_lines, text_edits
from blueline.model.edit import Replacement
from tests.support.texts import TEXTS, applied


def check(old: str, new: str, expect: list[tuple[str, str]]) -> None:
    """The edits between two texts are these, each as what it takes away and what it puts there."""
    assert [
        (old[e.old_start : e.old_end], new[e.new_start : e.new_end]) for e in text_edits(old, new)
    ] == expect


def check_hunks(old: str, new: str, expect: list[list[tuple[str, str]]]) -> None:
    """As `check`, hunk by hunk."""
    hunks: dict[int, list[tuple[str, str]]] = {}
    for edit in text_edits(old, new):
        change = (old[edit.old_start : edit.old_end], new[edit.new_start : edit.new_end])
        hunks.setdefault(edit.hunk, []).append(change)
    assert [hunks[number] for number in sorted(hunks)] == expect


@given(TEXTS, TEXTS)
def test_edits_lead_from_the_old_text_to_the_new_one(old: str, new: str) -> None:
    edits = text_edits(old, new)
    assert applied(old, new, edits) == new
    assert bool(edits) == (old != new)


@given(TEXTS, TEXTS)
def test_edits_come_in_order_and_do_not_touch_what_is_between_them(old: str, new: str) -> None:
    edits = text_edits(old, new)
    end = (0, 0)
    for edit in edits:
        assert edit.old_start < edit.old_end or edit.new_start < edit.new_end
        assert old[end[0] : edit.old_start] == new[end[1] : edit.new_start]
        end = (edit.old_end, edit.new_end)


@given(TEXTS, TEXTS)
def test_no_edit_comes_between_the_two_characters_of_a_line_end(old: str, new: str) -> None:
    for edit in text_edits(old, new):
        for text, places in ((old, (edit.old_start, edit.old_end)), (new, (edit.new_start, edit.new_end))):
            assert all(text[place - 1 : place + 1] != "\r\n" for place in places if place)


@given(TEXTS, TEXTS)
def test_hunks_are_numbered_from_zero_without_gaps(old: str, new: str) -> None:
    numbers = [edit.hunk for edit in text_edits(old, new)]
    assert {*numbers} == {*range(len({*numbers}))}


@given(TEXTS)
def test_lines_joined_are_the_text(text: str) -> None:
    assert "".join(split_lines(text)) == text
    assert all(line.endswith("\n") and line.count("\n") == 1 for line in split_lines(text)[:-1])


def test_a_line_with_a_changed_word_is_that_word() -> None:
    check("one two three\n", "one 2 three\n", [("two", "2")])


def test_a_line_with_little_in_common_is_replaced_whole_with_its_end() -> None:  # rule A5
    check("line 3\n", "THREE\n", [("line 3\n", "THREE\n")])


def test_blanks_are_not_common_ground() -> None:  # rule A5
    check("a b c d\n", "w x y z\n", [("a b c d\n", "w x y z\n")])


def test_like_lines_are_matched_whatever_their_place() -> None:  # rule A5
    check(
        "gone for good\nkeep most of this line\n",
        "keep MOST of this line\n",
        [("gone for good\n", ""), ("most", "MOST")],
    )


def test_lines_of_a_block_are_matched_by_position_and_the_surplus_is_alone() -> None:  # rule A5
    check(
        "alpha\nbravo\n",
        "one\ntwo\nthree\n",
        [("alpha\n", "one\n"), ("bravo\n", "two\n"), ("", "three\n")],
    )


def test_a_last_line_that_gets_an_end_is_not_replaced() -> None:  # P06
    check("one\ntwo", "one\ntwo\nthree\n", [("", "\nthree\n")])


def test_a_changed_character_is_a_character() -> None:  # rule A16
    check("\u00e4\n", "\u00f6\n", [("\u00e4\n", "\u00f6\n")])
    check("x \u00e4 y\n", "x \u00f6 y\n", [("\u00e4", "\u00f6")])


def test_a_whole_unchanged_line_parts_two_hunks() -> None:  # rule A7, F05
    check_hunks("a 1\nb\nc\nd\n", "a 2\nb\nC!\nd\n", [[("1", "2")], [("c\n", "C!\n")]])


def test_neighbouring_lines_are_one_hunk() -> None:  # rule A7
    check_hunks("one\ntwo\nthree\n", "ONE\nTWO\nthree\n", [[("one\n", "ONE\n"), ("two\n", "TWO\n")]])


def test_line_ends_that_flip_are_a_hunk_of_their_own() -> None:  # F16
    check_hunks(
        "one\ntwo three\nfour\n",
        "one\r\ntwo 3\r\nfour\r\n",
        [[("three", "3")], [("\n", "\r\n"), ("\n", "\r\n"), ("\n", "\r\n")]],
    )


def test_only_one_of_two_equal_lines_is_new() -> None:  # A15
    (edit,) = text_edits("x\ny\n", "x\nx\ny\n")
    assert (edit.old_end - edit.old_start, edit.new_end - edit.new_start) == (0, 2)


def check_said(old: str, new: str, said: Replacement, expect: list[tuple[str, str]] | None) -> None:
    edits = said_edits(old, new, [said])
    found = (
        None
        if edits is None
        else [(old[e.old_start : e.old_end], new[e.new_start : e.new_end]) for e in edits]
    )
    assert found == expect


def test_context_that_was_sent_along_is_no_change() -> None:  # rule A4
    said = Replacement(old="1\n2\n3\n", new="1\ntwo\n3\n")
    check_said("0\n1\n2\n3\n4\n", "0\n1\ntwo\n3\n4\n", said, [("2\n", "two\n")])


def test_of_equal_places_the_one_that_was_said_changed() -> None:  # rule A4
    said = Replacement(old="y\nx = 1\n", new="y\nx = 1\nx = 1\n")
    edits = said_edits("x = 1\ny\nx = 1\nz\n", "x = 1\ny\nx = 1\nx = 1\nz\n", [said])
    assert edits is not None
    assert [(edit.old_start, edit.old_end) for edit in edits] == [(14, 14)]


def test_when_the_bytes_are_not_what_was_said_the_bytes_win() -> None:  # rule A4
    check_said("one\n", "uno\n", Replacement(old="one", new="eins"), None)
    check_said("one\n", "uno\n", Replacement(old="two", new="zwei"), None)


def test_replacing_all_changes_every_place() -> None:
    said = Replacement(old="x", new="y", every=True)
    check_said("x\n1\nx\n", "y\n1\ny\n", said, [("x", "y"), ("x", "y")])


@given(TEXTS, st.data())
def test_what_was_said_leads_to_the_new_text_or_is_not_used(old: str, data: st.DataObject) -> None:
    if not old:
        return
    start = data.draw(st.integers(0, len(old) - 1))
    span = old[start : data.draw(st.integers(start + 1, len(old)))]
    every = data.draw(st.booleans())
    said = Replacement(old=span, new=data.draw(TEXTS), every=every)
    new = old.replace(said.old, said.new, -1 if every else 1)
    edits = said_edits(old, new, [said])
    if edits is not None:
        assert applied(old, new, edits) == new


@pytest.mark.parametrize("lines", [3_000])
def test_two_texts_without_anything_in_common_take_no_time(lines: int) -> None:  # L02
    old = "".join(f"old {number}\n" for number in range(lines))
    new = "".join(f"new {number} {number}\n" for number in range(lines))
    assert applied(old, new, text_edits(old, new)) == new
