"""The button of a pull request gives exactly the bytes that were suggested."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blueline.forge.anchors import Anchored, ShownLines, place, stretches
from blueline.forge.line_hunks import chosen
from blueline.hosts.inert_text import fenced
from tests.forge.line_texts import edited, texts
from tests.forge.offering import applied, change, patch_of


def button(found: Anchored) -> str:
    return fenced(found.text, "suggestion")


@st.composite
def pulls(draw: st.DrawFn) -> tuple[str, str, str]:
    """The base of a pull request, its head, and what is suggested for its head."""
    base = draw(texts(odd=True))
    head = draw(st.one_of(edited(base), texts(odd=True)))
    return base, head, draw(st.one_of(edited(head), texts(odd=True)))


@given(pulls())
def test_applying_the_blocks_as_github_does_gives_exactly_the_new_content(pull: tuple[str, str, str]) -> None:
    base, head, new = pull
    one = change(head, new)
    patch = patch_of(base, head) if base != head else None
    placed = place(one, patch)
    assert sorted([*(found.hunk for found in placed.anchored), *(index for index, _ in placed.others)]) == [
        *range(len(one.hunks))
    ]
    assert all(why for _, why in placed.others)
    text = head
    # From the end, so that the numbers of the lines before stay.
    for found in reversed(placed.anchored):
        text = applied(text, f"Why.\n\n{button(found)}", found.start + 1, found.end)
    assert text == chosen(head, new, {found.hunk for found in placed.anchored})
    if not placed.others:
        assert text == new


@given(pulls())
def test_each_block_alone_gives_exactly_its_hunk(pull: tuple[str, str, str]) -> None:
    base, head, new = pull
    one = change(head, new)
    for found in place(one, patch_of(base, head)).anchored:
        text = applied(head, button(found), found.start + 1, found.end)
        assert text == chosen(head, new, {found.hunk})


@given(pulls())
def test_a_block_stands_only_on_lines_that_the_diff_shows(pull: tuple[str, str, str]) -> None:
    base, head, new = pull
    shown = stretches(patch_of(base, head))
    placed = place(change(head, new), patch_of(base, head))
    for found in placed.anchored:
        assert found.start < found.end
        assert any(one.start <= found.start and found.end <= one.end for one in shown)
    ranges = sorted((found.start, found.end) for found in placed.anchored)
    assert all(before[1] <= after[0] for before, after in pairwise(ranges))


def check(base: str, head: str, new: str, *expected: tuple[int, int, str]) -> None:
    placed = place(change(head, new), patch_of(base, head))
    assert [(one.start + 1, one.end, one.text) for one in placed.anchored] == list(expected)


def test_a_replaced_line_stands_on_itself() -> None:
    check("", "one\ntwo\n", "one\nTWO\n", (2, 2, "TWO\n"))


def test_an_insertion_repeats_the_line_before_it() -> None:
    check("", "one\ntwo\n", "one\nnew\ntwo\n", (1, 1, "one\nnew\n"))


def test_an_insertion_at_the_top_repeats_the_line_after_it() -> None:
    check("", "one\ntwo\n", "new\none\ntwo\n", (1, 1, "new\none\n"))


def test_a_deletion_is_an_empty_block() -> None:
    check("", "one\ntwo\nthree\n", "one\nthree\n", (2, 2, ""))


def test_lines_that_become_blank_take_a_neighbour_along() -> None:
    check("", "one\ntwo\nthree\n", "one\n\nthree\n", (1, 2, "one\n\n"))


@pytest.mark.parametrize(
    ("head", "new", "why"),
    [
        ("one\r\ntwo\r\n", "one\r\nTWO\r\n", "carriage return"),
        ("one\ntwo", "one\nTWO", "last line"),
        ("one\ntwo\n", "one\nTWO", "last line"),
        ("one\ntwo\n", "one\nTW\x1bO\n", "do not print"),
        ("one\n", "x" * 30_000 + "\n", "too long"),
    ],
)
def test_what_a_button_cannot_promise_falls_back(head: str, new: str, why: str) -> None:
    placed = place(change(head, new), patch_of("", head))
    assert placed.anchored == ()
    assert all(why in reason for _, reason in placed.others)


def test_a_file_that_the_pull_request_does_not_show_falls_back() -> None:
    assert place(change("one\n", "two\n"), None).others == ((0, "the pull request does not show this file"),)


def test_lines_far_from_what_the_diff_shows_fall_back() -> None:
    head = "".join(f"line {n}\n" for n in range(40))
    base = head.replace("line 3\n", "")
    new = head.replace("line 3\n", "LINE 3\n").replace("line 30\n", "LINE 30\n")
    placed = place(change(head, new), patch_of(base, head))
    assert [(one.hunk, one.start, one.end) for one in placed.anchored] == [(0, 3, 4)]
    assert placed.others == ((1, "the pull request's diff does not show these lines"),)


def test_a_diff_of_something_else_is_not_believed() -> None:
    placed = place(change("one\ntwo\n", "one\nTWO\n"), "@@ -0,0 +1,2 @@\n+uno\n+due")
    assert placed.anchored == ()


def test_a_range_never_spans_a_deletion() -> None:
    patch = "@@ -1,3 +1,2 @@\n one\n-gone\n two"
    assert stretches(patch) == [ShownLines(start=0, lines=("one",)), ShownLines(start=1, lines=("two",))]
    assert place(change("one\ntwo\n", "ONE\nTWO\n"), patch).anchored == ()


def test_a_missing_or_broken_diff_shows_nothing() -> None:
    assert stretches("") == []
    assert stretches("not a diff at all\n+++") == [ShownLines(start=0, lines=("++",))]
    assert place(change("one\n", "two\n"), "Binary files differ").anchored == ()
